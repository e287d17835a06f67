package handout

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// docent writes its block in AGENTS.md or CLAUDE.md between two lines:
//
//	<!-- docent:begin -->
//	...
//	<!-- docent:end -->
//
// Everything outside of them stays as it is, byte for byte.
const (
	begin = "<!-- docent:begin -->"
	end   = "<!-- docent:end -->"
)

// marker matches a line with a marker. Blanks around it and words after its name are
// allowed, because editors and people add them.
var marker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*<!--[ \t]*docent:(begin|end)(?:[ \t][^>]*)?-->[ \t\r]*$`)
})

// ErrMarkers is returned by Replace, wrapped, if the markers of a file do not enclose
// one block.
var ErrMarkers = errors.New("the docent markers are broken")

// Replace replaces the block in a file, or appends it. The block gets the line ends of
// the file.
func Replace(file []byte, block string) ([]byte, error) {
	if bytes.IndexByte(file, 0) >= 0 {
		return nil, errors.New("not a text file in UTF-8")
	}
	from, to, found, err := findBlock(file)
	if err != nil {
		return nil, err
	}
	crlf := bytes.Contains(file, []byte("\r\n"))
	out := &bytes.Buffer{}
	if !found {
		out.Write(file)
		sep := ""
		switch {
		case len(file) == 0:
		case !bytes.HasSuffix(file, []byte("\n")):
			sep = "\n\n"
		case !bytes.HasSuffix(file, []byte("\n\n")) && !bytes.HasSuffix(file, []byte("\n\r\n")):
			sep = "\n"
		}
		block = sep + block
	} else {
		first, _, _ := bytes.Cut(file[from:], []byte("\n"))
		crlf = bytes.HasSuffix(first, []byte("\r"))
		out.Write(file[:from])
		block = strings.TrimSuffix(block, "\n") // the file has the end of that line
	}
	if crlf {
		block = strings.ReplaceAll(block, "\n", "\r\n")
	}
	out.WriteString(block)
	if found {
		out.Write(file[to:])
	}
	return out.Bytes(), nil
}

// findBlock returns the offsets of the block, from its first marker to the end of its
// last, without the line end.
func findBlock(file []byte) (from, to int, found bool, err error) {
	began, ended, at, line := 0, 0, 0, 0 // lines of the markers
	for part := range bytes.Lines(file) {
		line++
		text := bytes.TrimSuffix(part, []byte("\n"))
		m := marker().FindSubmatch(text)
		switch {
		case m == nil:
		case ended > 0 || began > 0 && string(m[1]) == "begin":
			return 0, 0, false, fmt.Errorf("%w: line %d has a second docent:%s", ErrMarkers, line, m[1])
		case began == 0 && string(m[1]) == "end":
			return 0, 0, false, fmt.Errorf("%w: line %d has docent:end before any docent:begin", ErrMarkers, line)
		case began == 0:
			began, from = line, at
		default:
			ended, to = line, at+len(bytes.TrimRight(text, "\r"))
		}
		at += len(part)
	}
	if began > 0 && ended == 0 {
		return 0, 0, false, fmt.Errorf("%w: docent:begin on line %d has no docent:end", ErrMarkers, began)
	}
	return from, to, began > 0, nil
}
