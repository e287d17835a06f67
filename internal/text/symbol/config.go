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
