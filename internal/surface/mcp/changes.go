package mcp

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Clients are told when documents come, go or change: with a watch as soon as that is
// noticed, without one when a call has the files compared. Clients of revisions before
// 2026-07-28 get it on their connection; later ones ask for it by subscriptions/listen.
// Over HTTP, which is served without sessions, only those that listen get it.

// listTime bounds how long listing the files after a change may take.
const listTime = time.Minute

// follow has clients told of changes.
func (s *Server) follow() {
	for _, c := range s.files.corpora {
		changed := func() { s.filesChanged(c) }
		c.lib.OnChange(changed)
		go changed() // what there is now
	}
}

// filesChanged compares the documents of a corpus with those before, and tells clients.
func (s *Server) filesChanged(c *docCorpus) {
	ctx, cancel := context.WithTimeout(s.ctx, listTime)
	defer cancel()
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	list, err := c.lib.Files(ctx, "")
	if err != nil {
		return // the next change tells
	}
	first := c.seen.files == nil
	listed, changed := c.seen.compare(list.Files)
	if !first && (listed || len(changed) > 0) {
		s.docs.ask()
	}
	s.tellAbout()
	if first {
		return
	}
	if listed {
		c.addTo(s.mcp, s.files.read) // the SDK tells clients
	}
	for _, path := range changed {
		_ = s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: c.uri(path)})
	}
}

// tellAbout adds the tool search again if its description, which says what the documents
// are about, is another now. The SDK tells clients.
func (s *Server) tellAbout() {
	s.told.mu.Lock()
	defer s.told.mu.Unlock()
	if a := s.docs.about(); a != s.told.about {
		s.told.about = a
		s.addSearch()
	}
}

// addSearch adds the tool search again.
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
	return tellFiles(ctx, []library{lib}, req, func() error { return lib.Ready(ctx) })
}

// tellFiles calls fn, and tells a client that asked for it how many files were read
// meanwhile of libraries that are not open yet.
func tellFiles(ctx context.Context, libs []library, req *mcp.CallToolRequest, fn func() error) error {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return fn()
	}
	over, told := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(told)
		tellUntil(over, libs, func(files int) {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(files), Message: "files read"})
		})
	}()
	defer func() {
		close(over)
		<-told // no notification comes after the answer
	}()
	return fn()
}

// tellUntil calls tell with the number of files that were read, whenever it has grown,
// until over is closed or all libraries are open.
func tellUntil(over <-chan struct{}, libs []library, tell func(files int)) {
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	for told := 0; ; {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		read, open := 0, true
		for _, lib := range libs {
			n, isOpen := lib.FileCount()
			read, open = read+n, open && isOpen
		}
		if open {
			return
		}
		if read > told {
			told = read
			tell(read)
		}
	}
}
