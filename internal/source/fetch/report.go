package fetch

// A Report says what a fetch did.
type Report struct {
	Source  Source // with Rev and Sub as the server knows them
	Branch  string // the branch that was followed; empty for a commit, and where there is none
	Commit  string
	ETag    string
	Files   int   // in the folder now
	Bytes   int64 // received
	Skipped []Skip

	Unchanged               bool // nothing was replaced
	Added, Changed, Removed []string
}

// A Skip is an entry that was left out, and why.
type Skip struct {
	Name   string // bytes that cannot be printed are escaped as Go does
	Reason string
}

func (s Skip) String() string { return s.Name + ": " + s.Reason }

// maxSkipped is how many entries are named in a report: a hostile archive does
// not fill a screen.
const maxSkipped = 100
