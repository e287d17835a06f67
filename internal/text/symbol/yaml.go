package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// yamlReader finds the keys of YAML line by line. Values that span lines (block
// scalars, quoted strings, collections in brackets) hold lines that are not
// keys; each ends at the latest where a line is not indented further than the
// key it belongs to.
type yamlReader struct {
	keys   *nameSet
	column int  // of the last key
	scalar bool // in a block scalar
	quote  byte // in a string
	depth  int  // in so many brackets
}

// yamlKeys records the keys of YAML, with or without templates in it.
func yamlKeys(src string, keys *nameSet) {
	y := yamlReader{keys: keys}
	for len(src) > 0 {
		n := lex.LineLen(src)
		end := n
		for end > 0 && lex.ClassOf(src[end-1]) == lex.Blank {
			end--
		}
		y.line(src[:end])
		src = src[min(n+1, len(src)):]
	}
}

func (y *yamlReader) line(line string) {
	rest := lex.TrimBlanks(line)
	if rest == "" {
		return
	}
	column := len(line) - len(rest)
	if column > y.column || rest[0] == '}' || rest[0] == ']' {
		if y.scalar {
			return
		}
		if y.quote != 0 || y.depth > 0 {
			y.value(rest)
			return
		}
	}
	y.scalar, y.quote, y.depth = false, 0, 0
	for strings.HasPrefix(rest, "- ") {
		trimmed := lex.TrimBlanks(rest[2:])
		if trimmed[0] == '|' || trimmed[0] == '>' {
			y.column, y.scalar = column, true
			return
		}
		column += len(rest) - len(trimmed)
		rest = trimmed
	}
	key, value, ok := cutKey(rest)
	if !ok {
		if rest[0] == '[' || rest[0] == '{' && !strings.HasPrefix(rest, "{{") {
			y.column = column
			y.value(rest)
		}
		return
	}
	y.column = column
	y.keys.addKey(key)
	value = lex.TrimBlanks(value)
	for value != "" && (value[0] == '&' || value[0] == '!') { // an anchor or a tag
		i := strings.IndexByte(value, ' ')
		if i < 0 {
			return
		}
		value = lex.TrimBlanks(value[i:])
	}
	if value == "" {
		return
	}
	switch value[0] {
	case '|', '>':
		y.scalar = true
	case '"', '\'', '[', '{':
		if !strings.HasPrefix(value, "{{") {
			y.value(value)
		}
	}
}

// cutKey splits "key: value". Only a colon before a blank or the end of the line
// makes a key.
func cutKey(line string) (key, value string, ok bool) {
	switch line[0] {
	case '#', '{', '[', '%', '@', '`', '|', '>', '?', '&', '*', '!':
		return "", "", false
	case '"', '\'':
		end := stringEnd(line, 0)
		rest := lex.TrimBlanks(line[end:])
		if end < 3 || line[end-1] != line[0] || !strings.HasPrefix(rest, ":") || len(rest) > 1 && rest[1] != ' ' {
			return "", "", false
		}
		return line[1 : end-1], rest[1:], true
	}
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ':':
			if i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t' {
				return strings.TrimRight(line[:i], " "), line[i+1:], i > 0
			}
		case '#':
			if line[i-1] == ' ' {
				return "", "", false
			}
		}
	}
	return "", "", false
}

// value goes through a string or a collection in brackets, of which line is all
// or a part, and records the keys in it.
func (y *yamlReader) value(line string) {
	word := 0 // where what may be a key begins
	for i := 0; i < len(line); i++ {
		c := line[i]
		if y.quote != 0 {
			if c == '\\' && y.quote == '"' {
				i++
			} else if c == y.quote {
				y.quote = 0
			}
			continue
		}
		switch c {
		case '"', '\'':
			if i == word || y.depth == 0 {
				y.quote = c
			}
		case '{', '[':
			y.depth++
			word = i + 1
		case '}', ']':
			y.depth = max(0, y.depth-1)
			word = i + 1
		case ',':
			word = i + 1
		case ' ', '\t':
			if word == i {
				word = i + 1
			}
		case '#':
			if i > 0 && line[i-1] == ' ' {
				return
			}
		case ':':
			if y.depth > 0 && (i+1 == len(line) || strings.IndexByte(" \t\"'[{", line[i+1]) >= 0 || i > 0 && line[i-1] == '"') {
				y.keys.addKey(strings.Trim(line[word:i], `"'`))
				word = i + 1
			}
		}
	}
}
