//go:build !linux && !darwin && !freebsd

package crawl

// Stamp returns the stamp of the file at path. Where the system does not tell
// when a file was changed, there is none.
func (t *Tree) Stamp(string) (Stamp, bool) { return Stamp{}, false }
