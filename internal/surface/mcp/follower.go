package mcp

import (
	"sync"

	"github.com/docent-md/docent/answer"
)

// A follower remembers the documents of a corpus that clients were told of.
type follower struct {
	mu    sync.Mutex
	files map[string]string // hashes, by path; nil until the first list
}

// compare takes over a list of documents, and returns whether some came or went, and
// which changed or went.
func (f *follower) compare(files []answer.FileInfo) (listed bool, changed []string) {
	now := make(map[string]string, len(files))
	for _, x := range files {
		now[x.File] = x.Hash
		if was, ok := f.files[x.File]; !ok {
			listed = true
		} else if was != x.Hash {
			changed = append(changed, x.File)
		}
	}
	for path := range f.files {
		if _, ok := now[path]; !ok {
			listed = true
			changed = append(changed, path)
		}
	}
	f.files = now
	return listed, changed
}
