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
