package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A Ledger writes down what was spent: one line of JSON a request, appended to
// a file in the user's own folder. It never holds a text, a query or a key.
//
//	{"time":"2026-11-15T10:30:00+01:00","command":"search","model":"claude-haiku-5-5",
//	 "input":412,"output":38,"cache_write":5210,"usd":0.000711}
//
// usd is left out when the price of the model is not known.
type Ledger struct {
	path string
	now  func() time.Time
}

// NewLedger returns the ledger at path. The file is made by the first entry.
// now may be nil.
func NewLedger(path string, now func() time.Time) *Ledger {
	if now == nil {
		now = time.Now
	}
	return &Ledger{path: path, now: now}
}

type entry struct {
	Time    string `json:"time"` // RFC 3339, in the user's time
	Command string `json:"command"`
	Model   string `json:"model"`
	Usage
	Batch bool     `json:"batch,omitempty"`
	USD   *float64 `json:"usd,omitempty"`
}

// Record returns a function for Config.Record that books on a command. What
// cannot be written down goes to failed, which may be nil: the money is spent
// either way.
func (l *Ledger) Record(command string, failed func(error)) func(Use) {
	return func(u Use) {
		if err := l.Add(command, u); err != nil && failed != nil {
			failed(err)
		}
	}
}

// Add writes one entry. A line is one write, so that several processes may
// share a ledger.
func (l *Ledger) Add(command string, u Use) error {
	e := entry{Time: l.now().Format(time.RFC3339), Command: command, Model: u.Model, Usage: u.Usage, Batch: u.Batch}
	if usd, ok := Cost(u); ok {
		e.USD = &usd
	}
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// A Sum is what one command spent on one model on one day.
type Sum struct {
	Day      string  `json:"day"` // 2026-11-15
	Command  string  `json:"command"`
	Model    string  `json:"model"`
	Requests int     `json:"requests"`
	USD      float64 `json:"usd"`
	Unpriced int     `json:"unpriced,omitempty"` // requests whose price is not known
	Usage
}

// Sums returns what the ledger holds, by day, command and model, oldest day
// first. A ledger that is not there is empty. unread counts lines that are no
// entries, such as one that a full disk cut short.
func (l *Ledger) Sums() (sums []Sum, unread int, err error) {
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("ledger: %w", err)
	}
	defer f.Close()
	by := map[[3]string]*Sum{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var e entry
		if json.Unmarshal(line, &e) != nil || len(e.Time) < len(time.DateOnly) {
			unread++
			continue
		}
		key := [3]string{e.Time[:len(time.DateOnly)], e.Command, e.Model}
		s := by[key]
		if s == nil {
			s = &Sum{Day: key[0], Command: key[1], Model: key[2]}
			by[key] = s
		}
		s.Requests++
		s.Usage = s.Usage.Add(e.Usage)
		if e.USD != nil {
			s.USD += *e.USD
		} else {
			s.Unpriced++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, unread, fmt.Errorf("ledger: %w", err)
	}
	for _, s := range by {
		sums = append(sums, *s)
	}
	slices.SortFunc(sums, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Command, b.Command), cmp.Compare(a.Model, b.Model))
	})
	return sums, unread, nil
}
