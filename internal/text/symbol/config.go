package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// Keys of configuration, at every level and as they are written: "replicas",
// "app.kubernetes.io/name", "tool.uv.sources". A key with blanks in it is a
// title and one without a letter a number or a sign; neither is a name.

// addKey records key if it is a name.
func (n *nameSet) addKey(key string) {
	named := false
	for i := 0; i < len(key); i++ {
		switch lex.ClassOf(key[i]) {
		case lex.Blank, lex.Newline:
			return
		case lex.Letter:
			named = named || key[i] != '_'
		case lex.Wide:
			named = true
		}
	}
	if named {
		n.add(key)
	}
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
func jsonKeys(src string, keys *nameSet) {
	colon := func(i int) bool {
		for i < len(src) && lex.ClassOf(src[i]) <= lex.Newline {
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
			i += lex.LineLen(src[i:])
		case c == '/' && strings.HasPrefix(src[i:], "/*"):
			end := strings.Index(src[i+2:], "*/")
			if end < 0 {
				return
			}
			i += end + 4
		case lex.ClassOf(c) == lex.Letter || c == '$' || lex.ClassOf(c) == lex.Wide:
			end := max(lex.WordEnd(src, i, true), i+1)
			if colon(end) {
				keys.addKey(src[i:end])
			}
			i = end
		default:
			i++
		}
	}
}

// tomlKeys records the keys and the tables of TOML. In arrays and inline tables
// the brackets are kept on a stack, which says whether a comma is followed by a
// key.
func tomlKeys(src string, keys *nameSet) {
	var open []byte
	key := true // a key may begin here
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			key = key || len(open) == 0
			i++
		case lex.ClassOf(c) == lex.Blank:
			i++
		case c == '#':
			i += lex.LineLen(src[i:])
		case key && len(open) == 0 && c == '[':
			i = tomlTable(src, i, keys)
		case key && (isTOMLKey(c) || isQuote(c)):
			key, i = false, tomlKey(src, i, keys)
		case isQuote(c):
			i = tomlStringEnd(src, i)
		case c == '{' || c == '[':
			open = append(open, c)
			key = c == '{'
			i++
		case c == '}' || c == ']':
			open = open[:max(0, len(open)-1)]
			key = false
			i++
		default:
			key = c == ',' && len(open) > 0 && open[len(open)-1] == '{'
			i++
		}
	}
}

// tomlTable records the name of the table whose "[" is at i and returns the end
// of the line.
func tomlTable(src string, i int, keys *nameSet) int {
	line := src[i : i+lex.LineLen(src[i:])]
	table := strings.TrimLeft(line, "[ ")
	if end := strings.IndexByte(table, ']'); end >= 0 {
		keys.addKey(tomlName(strings.TrimSpace(table[:end])))
	}
	return i + len(line)
}

// tomlKey records the key that begins at i, if "=" follows, and returns where
// that is.
func tomlKey(src string, i int, keys *nameSet) int {
	end := i
	for end < len(src) {
		if isQuote(src[end]) {
			end = stringEnd(src, end)
		} else if isTOMLKey(src[end]) {
			end++
		} else {
			break
		}
	}
	rest := lex.TrimBlanks(src[end:])
	if strings.HasPrefix(rest, "=") {
		keys.addKey(tomlName(src[i:end]))
	}
	return len(src) - len(rest)
}

// tomlStringEnd returns the position behind the string whose quote is at i. One
// of three quotes that is not closed ends the text.
func tomlStringEnd(src string, i int) int {
	quotes := src[i:min(i+3, len(src))]
	if quotes != `"""` && quotes != "'''" {
		return stringEnd(src, i)
	}
	end := strings.Index(src[i+3:], quotes)
	if end < 0 {
		return len(src)
	}
	return i + end + 6
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isTOMLKey(c byte) bool {
	return lex.ClassOf(c) == lex.Letter || lex.ClassOf(c) == lex.Digit || c == '-' || c == '.' || c == '$'
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
