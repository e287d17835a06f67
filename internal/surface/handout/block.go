package handout

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// The block in AGENTS.md or CLAUDE.md that docent writes lies between two lines:
//
//	<!-- docent:begin -->
//	...
//	<!-- docent:end -->
//
// Everything outside of them belongs to the people who keep the file, and stays
// as it is byte for byte.
const (
	begin = "<!-- docent:begin -->"
	end   = "<!-- docent:end -->"
)

// marker is a line that is a marker. Blanks around it and words after its name
// are let pass, as editors and people add them.
var marker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*<!--[ \t]*docent:(begin|end)(?:[ \t][^>]*)?-->[ \t\r]*$`)
})

// ErrMarkers is what Replace returns, wrapped, for a file in which it cannot
// tell where the block begins and ends.
var ErrMarkers = errors.New("the docent markers are broken")

// Replace puts the block into a file's text: in the place of the block that is
// there, or at the end. The block takes on the file's line ends.
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
	if found {
		first, _, _ := bytes.Cut(file[from:], []byte("\n"))
		crlf = bytes.HasSuffix(first, []byte("\r"))
	}
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
		out.Write(file[:from])
		block = strings.TrimSuffix(block, "\n") // what ends the last line stays
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

// findBlock returns where the block lies, from its first marker to the end of
// its last, the line end not included.
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
