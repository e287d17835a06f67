package embed

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

const maxLine = 4 << 20

// A LineError tells what is wrong with a line.
type LineError struct {
	Line int // counted from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// ReadTriplets reads triplets, one JSON object a line:
//
//	{"query": "...", "positive": "...", "negatives": ["...", ...]}
//
// Negatives may be missing, and so may everything on a line: empty ones are
// skipped. A line that is no triplet is left out and returned in bad, or with
// strict is an error. The error of reading itself is always one.
func ReadTriplets(r io.Reader, strict bool) (out []Triplet, bad []*LineError, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, long, err := readLine(in)
		if err != nil && err != io.EOF {
			return out, bad, fmt.Errorf("read triplets: line %d: %w", n, err)
		}
		var t Triplet
		var wrong error
		switch {
		case long:
			wrong = fmt.Errorf("longer than %d bytes", maxLine)
		case len(line) > 0:
			t, wrong = parseTriplet(line)
		}
		switch {
		case wrong == nil && len(line) > 0:
			out = append(out, t)
		case wrong != nil && strict:
			return out, bad, fmt.Errorf("read triplets: %w", &LineError{n, wrong})
		case wrong != nil:
			bad = append(bad, &LineError{n, wrong})
		}
		if err == io.EOF {
			return out, bad, nil
		}
	}
}

// readLine returns the next line without the space around it. Of one that is too
// long nothing is kept.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, long = nil, true
		} else if !long {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSpace(line), long, err
		}
	}
}

func parseTriplet(line []byte) (Triplet, error) {
	var t Triplet
	if !utf8.Valid(line) {
		return t, errors.New("not UTF-8")
	}
	if err := json.Unmarshal(line, &t); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // in words, not in types of Go
			if wrong.Field == "" {
				return t, fmt.Errorf("not an object but %s", withArticle(wrong.Value))
			}
			return t, fmt.Errorf("%q is %s", wrong.Field, withArticle(wrong.Value))
		}
		return t, err
	}
	switch {
	case blank(t.Query):
		return t, errors.New(`no "query"`)
	case blank(t.Positive):
		return t, errors.New(`no "positive"`)
	}
	for i, n := range t.Negatives {
		if blank(n) {
			return t, fmt.Errorf("negative %d is empty", i+1)
		}
	}
	return t, nil
}

// withArticle puts "a" or "an" before what JSON calls a value.
func withArticle(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

func blank(s string) bool { return len(bytes.TrimSpace([]byte(s))) == 0 }

// WriteTriplets writes what ReadTriplets reads.
func WriteTriplets(w io.Writer, triplets []Triplet) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for i := range triplets {
		if err := out.Encode(&triplets[i]); err != nil {
			return fmt.Errorf("write triplets: %w", err)
		}
	}
	return nil
}
