package content

import (
	"html"
	"strings"
)

// A tag is one of HTML or of a component of MDX, as it is written in a document.
type tag struct {
	name  string // in lower case
	end   bool   // </name>
	empty bool   // <name/>
	attrs string // as written
}

// maxAttrs bounds the attributes of a tag, which are read again for each that is asked for.
const maxAttrs = 4096

// rawElements hold no text that a reader would see: it ends with their end tag.
var rawElements = map[string]bool{
	"script": true, "style": true, "template": true, "iframe": true, "noscript": true, "textarea": true, "title": true,
	"svg": true, "math": true, "object": true, "select": true, "video": true, "audio": true, "canvas": true, "xmp": true,
	"noembed": true, "noframes": true, "head": true,
}

// eachTag calls text and markup for what s is made of, in order. Comments,
// declarations, instructions, and elements that hold no text are left out; so is what
// begins like a tag and does not end.
func eachTag(s string, text func(string), markup func(tag)) {
	for s != "" {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			text(s)
			return
		}
		if open > 0 {
			text(s[:open])
			s = s[open:]
		}
		t, after := readTag(s)
		switch {
		case after == 0: // a "<" alone
			text("<")
			s = s[1:]
			continue
		case after < 0:
			return
		}
		s = s[after:]
		if t.name == "" {
			continue
		}
		if rawElements[t.name] && !t.end && !t.empty {
			_, rest, ok := cutFold(s, "</"+t.name)
			if !ok {
				return
			}
			_, s, _ = strings.Cut(rest, ">")
			continue
		}
		markup(t)
	}
}

// readTag reads the markup at the beginning of s, and returns where it ends: 0 if it is
// none, -1 if it does not end. A comment or the like has no name.
func readTag(s string) (t tag, after int) {
	for _, b := range [...][2]string{{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}} {
		if strings.HasPrefix(s, b[0]) {
			n := strings.Index(s[len(b[0]):], b[1])
			if strings.HasPrefix(s, "<!-->") {
				return t, len("<!-->")
			}
			if n < 0 {
				return t, -1
			}
			return t, len(b[0]) + n + len(b[1])
		}
	}
	i := 1
	if t.end = strings.HasPrefix(s, "</"); t.end {
		i = 2
	}
	from := i
	for i < len(s) && isNameByte(s[i], i == from) {
		i++
	}
	if i == from {
		if strings.HasPrefix(s, "<>") || strings.HasPrefix(s, "</>") { // a fragment of JSX
			return t, i + 1
		}
		return t, 0
	}
	t.name = strings.ToLower(s[from:i])
	from = i
	for i < len(s) && s[i] != '>' {
		switch s[i] {
		case '"', '\'':
			n := strings.IndexByte(s[i+1:], s[i])
			if n < 0 {
				return t, -1
			}
			i += n + 2
		case '{':
			n := braces(s[i:])
			if n < 0 {
				return t, -1
			}
			i += n
		default:
			i++
		}
	}
	if i >= len(s) {
		return t, -1
	}
	if t.attrs = s[from:i]; len(t.attrs) > maxAttrs {
		t.attrs = ""
	}
	t.empty = strings.HasSuffix(t.attrs, "/")
	return t, i + 1
}

func isNameByte(c byte, first bool) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && (c == '-' || c == '.' || c == ':' || c >= '0' && c <= '9')
}

// braces returns how long the expression of JSX is that s begins with, or -1.
func braces(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// value returns the value of an attribute; ok says whether it is there. An expression
// of JSX has none.
func (t tag) value(name string) (v string, ok bool) {
	s := t.attrs
	for {
		s = strings.TrimLeft(s, " \t\r\n/")
		if s == "" {
			return "", false
		}
		n := strings.IndexAny(s, " \t\r\n/=\"'{")
		if n < 0 {
			return "", strings.EqualFold(s, name)
		}
		if n == 0 { // what belongs to no attribute
			if s[0] == '{' && braces(s) > 0 {
				s = s[braces(s):]
			} else {
				s = s[1:]
			}
			continue
		}
		key := s[:n]
		s = strings.TrimLeft(s[n:], " \t\r\n")
		v = ""
		if strings.HasPrefix(s, "=") {
			v, s = attrValue(strings.TrimLeft(s[1:], " \t\r\n"))
		}
		if strings.EqualFold(key, name) {
			return html.UnescapeString(v), true
		}
	}
}

// attrValue reads a value, in quotes or not, and returns what follows it.
func attrValue(s string) (v, rest string) {
	switch {
	case s == "":
		return "", ""
	case s[0] == '"' || s[0] == '\'':
		v, rest, _ = strings.Cut(s[1:], s[:1])
		return v, rest
	case s[0] == '{':
		n := max(braces(s), 1)
		return "", s[n:]
	}
	n := strings.IndexAny(s, " \t\r\n")
	if n < 0 {
		return s, ""
	}
	return s[:n], s[n:]
}

// cutFold is strings.Cut for an ASCII separator in any case.
func cutFold(s, sep string) (before, after string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}
