package markdown

import (
	"bytes"
	"slices"
	"strings"
)

// Three kinds of admonition are known.
//
//   - GitHub alerts and Obsidian callouts, "> [!NOTE] title": a quote.
//   - MkDocs blocks, `!!! note "title"`, `??? note` and the tabs `=== "title"`:
//     what follows, indented by four, is theirs.
//   - Docusaurus, VitePress and MyST containers, ":::note title" up to ":::".
//     mkdocstrings writes ":::" too, but never closes it: such a line is text,
//     so openings and closings are paired before the lines are scanned.

// mkdocsLine takes `!!! kind "title"` or `=== "title"` apart.
func mkdocsLine(line []byte) (kind, title []byte, ok bool) {
	rest := line
	switch {
	case bytes.HasPrefix(line, []byte("!!!")):
		rest = line[3:]
	case bytes.HasPrefix(line, []byte("???")):
		rest = bytes.TrimPrefix(line[3:], []byte("+"))
	case bytes.HasPrefix(line, []byte("===")):
		rest = line[3:]
		if len(rest) > 0 && (rest[0] == '!' || rest[0] == '+') {
			rest = rest[1:]
		}
		kind = []byte("tab")
	default:
		return nil, nil, false
	}
	rest = bytes.Trim(rest, " \t")
	if kind == nil {
		n := wordLen(rest)
		if n == 0 {
			return nil, nil, false
		}
		kind = rest[:n]
		for n < len(rest) && rest[n] != '"' {
			if !isWord(rest[n]) && rest[n] != ' ' {
				return nil, nil, false
			}
			n++
		}
		rest = rest[n:]
		if len(rest) == 0 {
			return kind, nil, true
		}
	}
	if len(rest) < 2 || rest[0] != '"' || rest[len(rest)-1] != '"' {
		return nil, nil, false
	}
	return kind, rest[1 : len(rest)-1], true
}

// A colonPair is a ":::" container: the lines that open and close it.
type colonPair struct{ open, close int }

// colonPairs are the ":::" containers of a file. They are looked for when the
// first line is met that may open one.
type colonPairs struct {
	list  []colonPair // by their openings
	known bool
}

func (p *colonPairs) reset() { p.list, p.known = p.list[:0], false }

// closing returns the line that closes the container which the line of c opens,
// or 0 when it opens none. Lines must be asked for in order.
func (p *colonPairs) closing(c *cursor) int {
	if !p.known {
		p.find(c.src[c.start:], c.line)
		p.known = true
	}
	for len(p.list) > 0 && p.list[0].open < c.line {
		p.list = p.list[1:]
	}
	if len(p.list) == 0 || p.list[0].open != c.line {
		return 0
	}
	return p.list[0].close
}

// find finds the containers in rest, which begins with the line of that number. A
// closing line belongs to the innermost open container with as many colons, else
// to the innermost with fewer.
func (p *colonPairs) find(rest []byte, line int) {
	var open []colonOpening
	var fence fenceState
	for ; len(rest) > 0; line++ {
		var text []byte
		text, rest, _ = bytes.Cut(rest, newline)
		text = bytes.TrimLeft(text, " >\t")
		if len(text) < 3 || text[0] != ':' && text[0] != '`' && text[0] != '~' {
			continue
		}
		text = bytes.TrimRight(text, " \t\r")
		if text[0] != ':' {
			fence.line(text)
			continue
		}
		n := run(text, ':')
		if n < 3 || fence.char != 0 {
			continue
		}
		if n < len(text) {
			if len(colonKind(text[n:])) > 0 && len(open) < maxColons {
				open = append(open, colonOpening{line, n})
			}
		} else if at := closedBy(open, n); at >= 0 {
			p.list = append(p.list, colonPair{open[at].line, line})
			open = open[:at]
		}
	}
	slices.SortFunc(p.list, func(a, b colonPair) int { return a.open - b.open })
}

// A colonOpening is the line that opens a ":::" container, with its colons.
type colonOpening struct{ line, count int }

// closedBy returns which of the open containers n colons close, or -1.
func closedBy(open []colonOpening, n int) int {
	fewer := -1
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].count == n {
			return i
		}
		if open[i].count < n && fewer < 0 {
			fewer = i
		}
	}
	return fewer
}

// A fenceState knows which fence is open, from line to line.
type fenceState struct {
	char byte // "`", "~", or 0 outside
	size int
}

// line reads a line that begins with "`" or "~".
func (f *fenceState) line(text []byte) {
	switch n, info := fenceOpening(text); {
	case n == 0:
	case f.char == 0:
		f.char, f.size = text[0], n
	case f.char == text[0] && n >= f.size && len(info) == 0:
		f.char = 0
	}
}

// maxColons is how deep ":::" containers nest. A line is asked about each of
// them, and they take no bytes of it, so the number is small.
const maxColons = 16

// colonKind returns the name of the container whose opening line ends with
// rest; it is empty when rest names none: "note title", "note[title]", "{note} title".
func colonKind(rest []byte) []byte {
	rest = bytes.TrimLeft(rest, " \t{")
	n := 0
	for n < len(rest) && (isWord(rest[n]) || rest[n] == ':' || rest[n] == '.') {
		n++
	}
	return rest[:n]
}

// alertKind returns the kind of the alert that line begins, "[!KIND]", or nil.
func alertKind(line []byte) []byte {
	if len(line) < 4 || line[0] != '[' || line[1] != '!' {
		return nil
	}
	n := 2 + wordLen(line[2:])
	if n == 2 || n == len(line) || line[n] != ']' {
		return nil
	}
	return line[2:n]
}

// alertLine takes the first line of an alert apart, "[!NOTE] title" or the like.
func alertLine(line []byte) (kind, title []byte, ok bool) {
	if kind = alertKind(line); kind == nil {
		return nil, nil, false
	}
	title = bytes.TrimRight(line[len(kind)+3:], alertSpace)
	if len(title) > 0 && (title[0] == '+' || title[0] == '-') { // Obsidian's, which folds
		title = title[1:]
	}
	words := bytes.TrimLeft(title, alertSpace)
	if len(title) > 0 && len(words) == len(title) {
		return nil, nil, false
	}
	return kind, words, true
}

// alertSpace may stand behind the kind of an alert: editors put a no-break space there.
const alertSpace = " \t\u00a0"

// alerts are the kinds of quote that GitHub shows in colour.
var alerts = [...]string{"note", "tip", "important", "warning", "caution"}

// alertClass is how a box of a kind looks: 1 + index in alerts.
func alertClass(kind []byte) uint8 {
	word := strings.ToLower(string(kind[:min(len(kind), 20)]))
	switch word {
	case "hint", "success", "check", "done", "example":
		word = "tip"
	case "attention", "alert", "question", "help", "faq":
		word = "warning"
	case "danger", "error", "bug", "failure", "fail", "missing":
		word = "caution"
	case "seealso", "abstract", "summary", "tldr":
		word = "important"
	}
	return uint8(max(slices.Index(alerts[:], word), 0) + 1)
}

// AlertName is how a box of a kind looks, as Piece.Alert has it.
func AlertName(kind string) string { return alerts[alertClass([]byte(kind))-1] }
