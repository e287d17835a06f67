package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

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
