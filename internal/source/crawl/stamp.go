package crawl

import "time"

// A Stamp tells a file, and what it holds, from itself after any change: the
// system moves Changed on whatever is done to a file, and no one can set it
// back. It says so only once the clock has gone on: see Settled.
type Stamp struct {
	Device, Number uint64
	Size           int64
	Modified       int64 // nanoseconds since 1970
	Changed        int64
}

// settled is how old a change must be for the next one to get another time: the
// coarsest clock among file systems in use, that of FAT.
const settled = 2 * time.Second

// Settled reports whether a file that had this stamp at a time will have another
// one after any change that comes later.
func (s Stamp) Settled(at time.Time) bool {
	return max(s.Modified, s.Changed) < at.Add(-settled).UnixNano()
}
