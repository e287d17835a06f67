package fetch

import (
	"net/http"
	"time"
)

// Options say where a source goes and how it is reached.
type Options struct {
	Root string // the project's folder; nothing is written outside it, whatever links lie in it
	Dest string // the folder to make or replace, relative to Root, with forward slashes

	// Token is sent to GitHub's API, and nowhere else.
	Token string
	// GitHubURL stands in for https://github.com: a GitHub Enterprise server, to
	// which then all GitHub sources go, and the token. It must come from the user,
	// never from a project.
	GitHubURL string

	Force     bool              // replace the folder even if it holds files of the user's
	Progress  func(Progress)    // told of bytes and files as they come; may be nil
	Timeout   time.Duration     // for all of it; 0 means 15 minutes
	Transport http.RoundTripper // nil means the system's, with its proxy

	limits limits            // zero means defaults
	wait   time.Duration     // before a request is tried again; 0 means half a second
	step   func(name string) // told of each step, for tests that die there
	rename bool              // replace by two renames even where one exchange would do
}

// Progress says how far a fetch is.
type Progress struct {
	Bytes int64 // received
	Total int64 // to receive; 0 where that is not known
	Files int   // written
}

// limits bound what is taken from an archive or a repository:
//
//	entries   500,000   the Linux kernel has 90,000
//	files      50,000   kept; MDN has 14,000
//	packed      2 GiB   received; 512 MiB of a .zip, whose list is read as a whole
//	stream      4 GiB   unpacked, of a .tar.gz; the Linux kernel has 1.6
//	kept        1 GiB   MDN has 60 MB
//	file       10 MiB   the limit of what is indexed
//	ratio         200   unpacked to packed, past the first 16 MiB; text has 3 to 6, gzip can reach 1,029
//	name    1,024 bytes, 64 levels, 255 bytes a level
type limits struct {
	entries, files     int
	packed, zip        int64
	stream, kept, file int64
	ratio, free        int64
	name, depth, level int
}

func (l limits) orDefault() limits {
	if l != (limits{}) {
		return l
	}
	return limits{
		entries: 500_000, files: 50_000, packed: 2 << 30, zip: 512 << 20, stream: 4 << 30, kept: 1 << 30, file: 10 << 20,
		ratio: 200, free: 16 << 20, name: 1024, depth: 64, level: 255,
	}
}

// A Report says what a fetch did.
type Report struct {
	Source  Source // with Rev and Sub as the server knows them
	Branch  string // the branch that was followed; empty for a commit, and where there is none
	Commit  string
	ETag    string
	Files   int   // documents in the folder now
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
