package markdown

import "strings"

// plainYAML reads the YAML that front matter is made of: maps and lists by
// indentation, lists of words in brackets, folded and literal text, and values
// on one line, which are text, quoted text, numbers, true, false or nothing.
//
// It reports false on everything else (anchors, tags, escapes, dates, maps in
// braces, text that goes on on the next line), which is then left to a full
// reader. It must never give another value than that reader: when in doubt, it
// declines.
func plainYAML(text string) (map[string]any, bool) {
	if text != "" && text[len(text)-1] != '\n' {
		return nil, false // front matter ends with a line
	}
	r := yamlReader{rest: text}
	r.next()
	meta := map[string]any{}
	if !r.done {
		var ok bool
		if meta, ok = r.mapping(0, 0); !ok {
			return nil, false
		}
	}
	if !r.done || r.bad {
		return nil, false
	}
	return meta, true
}

// A yamlReader goes through the lines of front matter, blank lines and comments
// left out.
type yamlReader struct {
	rest   string
	line   string // the current line, without indentation and trailing spaces
	indent int    // its indentation
	done   bool   // there is no line left
	bad    bool   // a comment has what no YAML may have
	nodes  int    // keys and items so far
}

// next moves to the next line that says something.
func (r *yamlReader) next() {
	for {
		if len(r.rest) == 0 {
			r.done, r.line, r.indent = true, "", 0
			return
		}
		line := r.rest
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, r.rest = line[:i], line[i+1:]
		} else {
			r.rest = ""
		}
		n := 0
		for n < len(line) && line[n] == ' ' {
			n++
		}
		e := len(line)
		for e > n && (line[e-1] == ' ' || line[e-1] == '\r') {
			e--
		}
		if line = line[n:e]; line == "" {
			continue
		}
		if line[0] == '#' {
			r.bad = r.bad || !printable(line)
			continue
		}
		r.line, r.indent = line, n
		return
	}
}

// maxYAMLDepth is how deep plain front matter nests.
const maxYAMLDepth = 8

// more counts a key or item, and reports whether there may be so many.
func (r *yamlReader) more() bool {
	r.nodes++
	return r.nodes <= maxMetaNodes
}

// mapping reads the map whose keys stand at the given indentation, from the
// current line on.
func (r *yamlReader) mapping(indent, depth int) (map[string]any, bool) {
	if depth > maxYAMLDepth {
		return nil, false
	}
	m := make(map[string]any)
	for !r.done && r.indent == indent {
		if isItem(r.line) {
			break
		}
		key, value, ok := plainKey(r.line)
		if !ok || !r.more() {
			return nil, false
		}
		if _, dup := m[key]; dup {
			return nil, false
		}
		v, ok := r.value(value, indent, depth, true)
		if !ok {
			return nil, false
		}
		m[key] = v
	}
	if !r.done && r.indent > indent {
		return nil, false
	}
	return m, true
}

// value reads the value of a key or list item at the given indentation, whose
// line ends with s, and moves past it.
func (r *yamlReader) value(s string, indent, depth int, key bool) (any, bool) {
	if s != "" && (s[0] == '>' || s[0] == '|') {
		return r.block(s, indent)
	}
	if s != "" {
		v, ok := plainValue(s, false)
		r.next()
		if !ok || !r.done && r.indent > indent {
			return nil, false // the value goes on
		}
		return v, true
	}
	if !key {
		return nil, false
	}
	r.next()
	switch {
	case r.done || r.indent < indent:
		return nil, true
	case isItem(r.line):
		return r.list(r.indent, depth+1)
	case r.indent > indent:
		return r.mapping(r.indent, depth+1)
	}
	return nil, true
}

func isItem(line string) bool { return line[0] == '-' && (len(line) == 1 || line[1] == ' ') }

// list reads the list whose items stand at the given indentation.
func (r *yamlReader) list(indent, depth int) (any, bool) {
	if depth > maxYAMLDepth {
		return nil, false
	}
	items := []any{}
	for !r.done && r.indent == indent && isItem(r.line) {
		n := 1
		for n < len(r.line) && r.line[n] == ' ' {
			n++
		}
		s := r.line[n:]
		if s == "" || isItem(s) || !r.more() {
			return nil, false
		}
		var v any
		var ok bool
		if _, _, isKey := plainKey(s); isKey {
			r.line, r.indent = s, indent+n
			v, ok = r.mapping(indent+n, depth+1)
		} else {
			v, ok = r.value(s, indent, depth, false)
		}
		if !ok {
			return nil, false
		}
		items = append(items, v)
	}
	if !r.done && r.indent > indent {
		return nil, false
	}
	return items, true
}

// block reads folded (">") or literal ("|") text after the header s. Its lines
// must be indented alike, without blank lines between them.
func (r *yamlReader) block(s string, indent int) (any, bool) {
	sep := "\n"
	if s[0] == '>' {
		sep = " "
	}
	strip := s[1:] == "-"
	if !strip && len(s) > 1 {
		return nil, false
	}
	var lines []string
	inner := -1
	for blank := false; len(r.rest) > 0; {
		line, rest, _ := strings.Cut(r.rest, "\n")
		line = strings.TrimSuffix(line, "\r")
		n := len(line) - len(strings.TrimLeft(line, " "))
		if line == "" {
			blank, r.rest = true, rest
			continue
		}
		if n == len(line) {
			return nil, false
		}
		if n <= indent {
			break
		}
		if inner < 0 {
			inner = n
		}
		if blank || n != inner || line[n] == '\t' || line[len(line)-1] == ' ' || !printable(line) {
			return nil, false
		}
		lines = append(lines, line[n:])
		r.rest = rest
	}
	r.next()
	if len(lines) == 0 || !r.done && r.indent > indent {
		return nil, false
	}
	v := strings.Join(lines, sep)
	if !strip {
		v += "\n"
	}
	return v, true
}

// plainKey cuts "key: value" in two.
func plainKey(line string) (key, value string, ok bool) {
	n := 0
	for ; n < len(line); n++ {
		c := line[n]
		if c == ':' && (n+1 == len(line) || line[n+1] == ' ') {
			break
		}
		if !isWord(c) && c != '.' && c != ':' && c != '/' && c != ' ' {
			return "", "", false
		}
	}
	if n == 0 || n == len(line) || line[n-1] == ' ' || !isLetter(line[0]) && line[0] != '_' {
		return "", "", false
	}
	key = line[:n]
	if n <= 5 && isSpecial(key) {
		return "", "", false // not text to every YAML reader
	}
	for n++; n < len(line) && line[n] == ' '; {
		n++
	}
	value = line[n:]
	if value != "" && value[0] == '#' {
		return "", "", false
	}
	return key, value, true
}
