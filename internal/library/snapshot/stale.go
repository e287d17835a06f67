package snapshot

import (
	"errors"
	"fmt"
	"strings"
)

// A StaleFile is a document that has changed or is gone. With no path, all documents
// of its view must be compared: something was not found, and there may be new ones.
type StaleFile struct {
	Home *View
	Path string
}

// A StaleError names the documents behind an answer that have changed.
type StaleError struct{ Files []StaleFile }

func (e *StaleError) Error() string {
	var paths []string
	for _, f := range e.Files {
		if f.Path != "" {
			paths = append(paths, f.Path)
		}
	}
	if len(paths) == 0 {
		return "files may have changed since they were last compared"
	}
	return fmt.Sprintf("%v: %s", ErrStale, strings.Join(paths, ", "))
}

func (e *StaleError) Unwrap() error { return ErrStale }

// Of returns the stale paths of one view. All is true when all of its documents must
// be compared, and ok when the error concerns the view at all.
func (e *StaleError) Of(home *View) (paths []string, all, ok bool) {
	for _, f := range e.Files {
		if f.Home != home {
			continue
		}
		ok = true
		if f.Path == "" {
			all = true
		} else {
			paths = append(paths, f.Path)
		}
	}
	return paths, all, ok
}

// A Stale collects stale documents while an answer is put together.
type Stale struct{ files []StaleFile }

// Skip reports whether err is about stale documents, and remembers them.
func (s *Stale) Skip(err error) bool {
	stale, ok := errors.AsType[*StaleError](err)
	if ok {
		s.files = append(s.files, stale.Files...)
	}
	return ok
}

// Err returns a StaleError when there are any.
func (s *Stale) Err() error {
	if len(s.files) == 0 {
		return nil
	}
	return &StaleError{s.files}
}
