package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/docent-md/docent"
)

// refresh opens the library anew in the background, when that is due.
func (s *shelf) refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := s.book == nil || !s.once
	early := !s.checked.IsZero() && time.Since(s.checked) < s.every
	if s.watched && s.book != nil && s.err == nil {
		early = true
	}
	if s.busy || !due || early && !s.told || s.ctx.Err() != nil {
		return
	}
	s.busy, s.told = true, false
	s.work.Add(1)
	first := s.book == nil
	go func() {
		defer s.work.Done()
		err := s.reopen(first)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy, s.err, s.checked = false, err, time.Now()
		s.tell()
	}()
}

// watch brings the library up to date when files change. Where they cannot be
// watched, it is done when something is asked, as without.
func (s *shelf) watch(watch func(context.Context, func()) error) {
	s.mu.Lock()
	s.watched = true
	s.mu.Unlock()
	err := watch(s.ctx, s.tellChanged)
	s.mu.Lock()
	s.watched = false
	s.mu.Unlock()
	if s.ctx.Err() == nil {
		s.opts.Note(fmt.Sprintf("files are no longer watched: %v", err))
	}
}

// tellChanged starts a comparison and waits for its end, so that what changes
// meanwhile is told of by the next call. One under way may have passed by what
// has changed: it is waited for first.
func (s *shelf) tellChanged() {
	s.wait()
	s.mu.Lock()
	s.told = true
	s.mu.Unlock()
	s.refresh()
	s.wait()
}

// wait waits until no library is being opened.
func (s *shelf) wait() {
	for {
		s.mu.Lock()
		busy, changed := s.busy, s.changed
		s.mu.Unlock()
		if !busy {
			return
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			return
		}
	}
}

func (s *shelf) reopen(first bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		if err != nil && s.ctx.Err() == nil {
			s.opts.Note("open: " + strings.ReplaceAll(err.Error(), "docent: ", ""))
		}
	}()
	if first {
		began := time.Now()
		lib, err := s.open(s.ctx, s.asItIs())
		if err != nil {
			return err
		}
		status := s.note(lib)
		s.put(lib)
		if s.once || status.Built.After(began) || inMemory(status) { // made just now, from the files
			return nil
		}
	}
	lib, err := s.fresh()
	if err != nil {
		return err
	}
	s.note(lib)
	s.put(lib)
	return nil
}

// fresh opens the library and compares it with the files. That takes its time,
// and is done to a library that nobody uses yet.
func (s *shelf) fresh() (*docent.Library, error) {
	s.renew <- struct{}{}
	defer func() { <-s.renew }()
	lib, err := s.open(s.ctx, s.asItIs())
	if err != nil {
		return nil, err
	}
	next, err := lib.Refresh(s.ctx, s.opts)
	if next != lib {
		_ = lib.Close()
	}
	if docent.Damaged(err) && s.ctx.Err() == nil {
		s.opts.Note(fmt.Sprintf("the index is damaged and is made anew: %v", err))
		return docent.Rebuild(s.ctx, lib, s.opts)
	}
	return next, err
}

func (s *shelf) asItIs() docent.Options {
	o := s.opts
	o.NoRefresh = true
	return o
}

// note takes note of how large a library is, and so how often its files are
// compared.
func (s *shelf) note(lib *docent.Library) *docent.Status {
	status := lib.Status()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size = status.Files
	if inMemory(status) || status.Files > manyFiles {
		s.every = max(s.every, seldom)
	}
	return status
}

// inMemory reports whether an index could not be kept, so that opening the
// library anew makes it anew.
func inMemory(status *docent.Status) bool { return status.Index == "in memory" }
