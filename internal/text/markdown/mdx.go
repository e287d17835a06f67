package markdown

import "bytes"

// MDX is Markdown with JavaScript in it. A file is MDX when its name says so,
// or, as Docusaurus has it, from the first import line on. Imports, exports and
// lines made of tags are components: no text, but what stands between such
// lines is Markdown, which CommonMark's HTML blocks would swallow.

// isImport reports whether line is "import x from 'y'" or "import 'y'".
func isImport(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("import "))
	if !ok {
		return false
	}
	rest = bytes.TrimRight(rest, " \t;")
	if len(rest) < 3 {
		return false
	}
	q := rest[len(rest)-1]
	if q != '"' && q != '\'' {
		return false
	}
	open := bytes.LastIndexByte(rest[:len(rest)-1], q)
	if open < 0 {
		return false
	}
	before := bytes.TrimRight(rest[:open], " \t")
	return len(before) == 0 || bytes.HasSuffix(before, []byte("from"))
}

func isExport(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("export "))
	if !ok {
		return false
	}
	n := tagName(rest)
	switch string(rest[:n]) {
	case "const", "let", "var", "function", "default", "async", "class":
		return true
	}
	return len(rest) > 0 && (rest[0] == '{' || rest[0] == '*')
}

// jsxState follows tags, or an import or export, from line to line.
type jsxState struct {
	esm   bool // JavaScript, not tags
	inTag bool
	text  bool // something stood outside the tags
	blank bool // the last line was blank
	quote byte
	depth int // open braces
}

// crossesBlank reports whether a blank line is inside the component. An open
// quote is not trusted that far.
func (s *jsxState) crossesBlank() bool { return s.depth > 0 && s.quote == 0 }

// endsComponent reports whether line, after a blank one, shows that a brace was
// left open by mistake: no JavaScript begins with a heading or a fence.
func endsComponent(line []byte) bool {
	n := run(line, '#')
	return n > 0 && n <= 6 && n < len(line) && line[n] == ' ' || bytes.HasPrefix(line, []byte("```"))
}

// scan reads a line and reports whether the component is complete with it.
func (s *jsxState) scan(line []byte) bool {
	for i, c := range line {
		switch {
		case s.quote != 0:
			if c == s.quote && line[i-min(i, 1)] != '\\' {
				s.quote = 0
			}
		case (s.inTag || s.esm) && s.code(c), s.esm:
		case c == '<' && !s.inTag:
			s.inTag = true
		case c == '>' && s.inTag && s.depth == 0:
			s.inTag = false
		case !s.inTag && c != ' ' && c != '\t':
			s.text = true
		}
	}
	if s.quote == '"' || s.quote == '\'' {
		s.quote = 0
	}
	if s.esm {
		// An import or export goes on to a blank line unless a brace is open.
		return false
	}
	return !s.inTag
}

// code follows quotes and brackets, and reports whether c is one.
func (s *jsxState) code(c byte) bool {
	switch c {
	case '"', '\'', '`':
		s.quote = c
	case '{', '(':
		s.depth++
	case '}', ')':
		s.depth = max(0, s.depth-1)
	default:
		return false
	}
	return true
}
