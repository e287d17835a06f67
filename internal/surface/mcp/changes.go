package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Clients are told when documents come, go or change: with a watch as soon as that is
// noticed, without one when a call has the files compared. Clients of revisions before
// 2026-07-28 get it on their connection; later ones ask for it by subscriptions/listen.
// Over HTTP, which is served without sessions, only those that listen get it.

// listTime bounds how long listing the files after a change may take.
const listTime = time.Minute

// A follower remembers the documents that clients were told of.
type follower struct {
	mu    sync.Mutex
	files map[string]string // hashes, by path; nil until the first list
	told  about             // in the list of tools
}

// follow has clients told of changes.
func (s *Server) follow() {
	s.lib.OnChange(s.filesChanged)
	go s.filesChanged() // what there is now
}

// filesChanged compares the documents with those before, and tells clients.
func (s *Server) filesChanged() {
	ctx, cancel := context.WithTimeout(s.ctx, listTime)
	defer cancel()
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	list, err := s.lib.Files(ctx, "")
	if err != nil {
		return // the next change tells
	}
	first := s.seen.files == nil
	listed, changed := s.seen.compare(list.Files)
	if a := s.docs.about(); a != s.seen.told {
		s.seen.told = a
		s.addSearch() // the SDK tells clients
	}
	if first {
		return
	}
	if listed {
		s.files.addTo(s.mcp) // the SDK tells clients
	}
	for _, path := range changed {
		_ = s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: s.files.uri(path)})
	}
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

// addSearch adds the tool search again, whose description says what the documents are
// about.
func (s *Server) addSearch() {
	for _, t := range s.tools {
		if t.name == "search" {
			s.addTool(t)
		}
	}
}

// A library may not be ready yet.
type library interface {
	Ready(ctx context.Context) error
	FileCount() (files int, ok bool)
}

// ready waits until there is an index to answer from, and tells a client that asked for
// it how many files were read.
func ready(ctx context.Context, lib library, req *mcp.CallToolRequest) error {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return lib.Ready(ctx)
	}
	done := make(chan error, 1)
	go func() { done <- lib.Ready(ctx) }()
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	told := 0
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			if n, open := lib.FileCount(); !open && n > told {
				told = n
				_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(n), Message: "files read"})
			}
		}
	}
}
