package web

import "bytes"

// What goldmark is given to parse is bounded before it sees it, because some
// small files cost it gigabytes or minutes: nested lists with blank lines
// between them, wide tables with short rows, thousands of brackets or stars in
// one paragraph. Past these bounds a page shows the source of a document, which
// can always be read. The bounds are counted from the raw bytes, without any
// parser, so that no reading of Markdown slips between two opinions of it. None of
// the 10,952 pages of MDN's reference is refused; the worst that is let through
// took 0.6 s and 190 MB.
const (
	maxSource  = 512 << 10 // bytes of a document
	maxLine    = 64 << 10
	maxDepth   = 40   // quotes and lists at the beginning of a line, with what they are indented by
	maxColumns = 200  // pipes in a line
	maxDefined = 4000 // lines that may define a link

	// A paragraph may cost the square of its marks, the characters that mean
	// something to inline Markdown. This is the most that all squares of a
	// document may sum up to: half a second, at 4.5 ns.
	maxWork = 100_000_000
)

// A refusal says why a document is not rendered; "" when it is.
type refusal string

// refuse counts what makes a document costly to parse.
func refuse(src []byte) refusal {
	if len(src) > maxSource {
		return "it is larger than 512 KiB"
	}
	marks, work, defined := 0, 0, 0
	for len(src) > 0 {
		end := bytes.IndexByte(src, '\n') + 1
		if end == 0 {
			end = len(src)
		}
		line := src[:end]
		src = src[end:]
		if len(line) > maxLine {
			return "it has a line of more than 64 KiB"
		}
		if len(bytes.TrimSpace(line)) == 0 {
			work += marks * marks
			marks = 0
			continue
		}
		depth, rest := containers(line)
		if depth > maxDepth {
			return "its quotes or lists are nested too deeply"
		}
		if len(rest) > 0 && rest[0] == '[' && bytes.Contains(rest, []byte("]:")) {
			defined++
		}
		pipes := 0
		for _, c := range rest {
			if isMark[c] {
				marks++
			}
			if c == '|' {
				pipes++
			}
		}
		switch {
		case pipes > maxColumns:
			return "it has a table of more than 200 columns"
		case work+marks*marks > maxWork:
			return "its paragraphs have thousands of marks"
		case defined > maxDefined:
			return "it defines thousands of links"
		}
	}
	return ""
}

// isMark holds the bytes that can begin or end something within a paragraph.
var isMark = func() (t [256]bool) {
	for _, c := range []byte("*_~[]!<`{\\&") {
		t[c] = true
	}
	return t
}()

// containers counts what a line may be nested in: each ">", each marker of a
// list, and each two columns before the last of those, of which a list needs no
// less. A line without any opens nothing, however far it is indented.
func containers(line []byte) (depth int, rest []byte) {
	blank, indent := 0, 0
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ':
			blank++
			i++
		case c == '\t':
			blank += 4
			i++
		case c == '>':
			depth, indent = depth+1, indent+max(blank, 0)
			blank = -1 // the space behind it belongs to it
			i++
		case marker(line[i:]) > 0:
			depth, indent = depth+1, indent+max(blank, 0)
			blank = -1
			i += marker(line[i:])
		default:
			return depth + indent/2, line[i:]
		}
	}
	return depth + indent/2, nil
}

// marker is the length of the list marker that a text begins with, or 0.
func marker(s []byte) int {
	n := 0
	for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	switch {
	case n == len(s):
		return 0
	case n > 0 && (s[n] == '.' || s[n] == ')'), n == 0 && (s[0] == '-' || s[0] == '*' || s[0] == '+'):
		n++
	default:
		return 0
	}
	if n == len(s) || s[n] == ' ' || s[n] == '\t' || s[n] == '\n' || s[n] == '\r' {
		return n
	}
	return 0
}
