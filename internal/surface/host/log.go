package host

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/surface/mcp"
	"github.com/docent-md/docent/internal/text/human"
)

// A line of the access log is a JSON object. It has no token, no address of a page beyond
// its path, and what was asked only where Log.Questions says so.
type entry struct {
	Time    time.Time `json:"time"`
	User    string    `json:"user,omitempty"`
	Remote  string    `json:"remote"` // behind a proxy, the proxy's
	Method  string    `json:"method"`
	Path    string    `json:"path"`
	Status  int       `json:"status"`
	Bytes   int64     `json:"bytes"`
	Millis  float64   `json:"ms"`
	Refused string    `json:"refused,omitempty"` // why, in a word
	mcp.CallInfo
}

// A Log receives a line for each request.
type Log struct {
	Questions bool // with what was asked

	file string // to open again; "" for a writer
	note func(string)

	mu     sync.Mutex
	w      io.Writer
	failed bool // the last line could not be written, and that was noted
}

// NewLog returns a log that is written to w.
func NewLog(w io.Writer, note func(string)) *Log { return &Log{w: w, note: note} }

// OpenLog returns a log that is appended to a file, which only its owner may read.
func OpenLog(file string, note func(string)) (*Log, error) {
	l := &Log{file: file, note: note}
	return l, l.Reopen()
}

// Reopen opens the file again: a program that rotates logs has moved it.
func (l *Log) Reopen() error {
	if l == nil || l.file == "" {
		return nil
	}
	f, err := os.OpenFile(l.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("access log %s: %w", l.file, human.PathCause(err))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeFile()
	l.w = f
	return nil
}

// Close closes the file.
func (l *Log) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeFile()
	l.w = io.Discard
}

func (l *Log) closeFile() {
	if c, ok := l.w.(io.Closer); ok && l.file != "" {
		_ = c.Close()
	}
}

// add writes a line. That a disk is full is said once, and fails no request.
func (l *Log) add(e entry) {
	if l == nil {
		return
	}
	if !l.Questions {
		e.Question = ""
	}
	line, err := json.Marshal(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		_, err = l.w.Write(append(line, '\n'))
	}
	if err != nil && !l.failed && l.note != nil {
		l.note(fmt.Sprintf("the access log cannot be written: %v", err))
	}
	l.failed = err != nil
}
