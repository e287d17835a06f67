package symbol

import "strings"

// Keys of configuration, at every level and as they are written: "replicas",
// "app.kubernetes.io/name", "tool.uv.sources". A key with blanks in it is a
// title and one without a letter a number or a sign; neither is a name.

// addKey records key if it is a name.
func (n *nameSet) addKey(key string) {
	named := false
	for i := 0; i < len(key); i++ {
		switch classes[key[i]] {
		case blank, newline:
			return
		case letter:
			named = named || key[i] != '_'
		case wide:
			named = true
		}
	}
	if named {
		n.add(key)
	}
}

// trimBlanks takes spaces and tabs off the beginning of s.
func trimBlanks(s string) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return s[i:]
}

// stringEnd returns the position behind the string whose quote is at i. One
// that is not closed ends before its newline.
func stringEnd(src string, i int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case quote:
			return i + 1
		case '\\':
			if quote == '"' {
				i++
			}
		case '\n':
			return i
		}
	}
	return len(src)
}

// jsonKeys records the keys of JSON, with or without comments and quotes.
func (s *scanner) jsonKeys() {
	src, keys := s.src, &s.keys
	colon := func(i int) bool {
		for i < len(src) && classes[src[i]] <= newline {
			i++
		}
		return i < len(src) && src[i] == ':'
	}
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '"' || c == '\'':
			end := stringEnd(src, i)
			if end-1 > i && src[end-1] == c && colon(end) {
				keys.addKey(src[i+1 : end-1])
			}
			i = end
		case c == '/' && strings.HasPrefix(src[i:], "//"):
			i += lineLen(src[i:])
		case c == '/' && strings.HasPrefix(src[i:], "/*"):
			end := strings.Index(src[i+2:], "*/")
			if end < 0 {
				return
			}
			i += end + 4
		case classes[c] == letter || c == '$' || classes[c] == wide:
			end := max(wordEnd(src, i, true), i+1)
			if colon(end) {
				keys.addKey(src[i:end])
			}
			i = end
		default:
			i++
		}
	}
}

// lineLen returns the length of the first line of s, without its newline.
func lineLen(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// tomlKeys records the keys and the tables of TOML. In arrays and inline tables
// the brackets are kept on a stack, which says whether a comma is followed by a
// key.
func (s *scanner) tomlKeys() {
	src, keys := s.src, &s.keys
	var open []byte
	key := true // a key may begin here
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			key = key || len(open) == 0
			i++
		case classes[c] == blank:
			i++
		case c == '#':
			i += lineLen(src[i:])
		case key && len(open) == 0 && c == '[':
			line := src[i : i+lineLen(src[i:])]
			table := strings.TrimLeft(line, "[ ")
			if end := strings.IndexByte(table, ']'); end >= 0 {
				keys.addKey(tomlName(strings.TrimSpace(table[:end])))
			}
			i += len(line)
		case key && (isTOMLKey(c) || c == '"' || c == '\''):
			end := i
			for end < len(src) && (isTOMLKey(src[end]) || src[end] == '"' || src[end] == '\'') {
				if src[end] == '"' || src[end] == '\'' {
					end = stringEnd(src, end)
					continue
				}
				end++
			}
			name := src[i:end]
			for end < len(src) && (src[end] == ' ' || src[end] == '\t') {
				end++
			}
			if end < len(src) && src[end] == '=' {
				keys.addKey(tomlName(name))
			}
			key, i = false, end
		case strings.HasPrefix(src[i:], `"""`) || strings.HasPrefix(src[i:], `'''`):
			end := strings.Index(src[i+3:], src[i:i+3])
			if end < 0 {
				return
			}
			i += end + 6
		case c == '"' || c == '\'':
			i = stringEnd(src, i)
		case c == '{' || c == '[':
			open = append(open, c)
			key = c == '{'
			i++
		case c == '}' || c == ']':
			open = open[:max(0, len(open)-1)]
			key = false
			i++
		case c == ',':
			key = len(open) > 0 && open[len(open)-1] == '{'
			i++
		default:
			key = false
			i++
		}
	}
}

func isTOMLKey(c byte) bool {
	return classes[c] == letter || classes[c] == digit || c == '-' || c == '.' || c == '$'
}

// tomlName takes the quotes off a key. Of a dotted key with quoted parts only
// what comes before them is left.
func tomlName(key string) string {
	if len(key) >= 2 && (key[0] == '"' || key[0] == '\'') && strings.IndexByte(key[1:], key[0]) == len(key)-2 {
		return key[1 : len(key)-1]
	}
	if i := strings.IndexAny(key, `"'`); i >= 0 {
		key = key[:i]
	}
	return strings.Trim(key, ".")
}
