package markdown

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// isSpecial reports whether s, in some case, is a word that YAML readers take
// for a truth value or nothing.
func isSpecial(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	return false
}

// plainValue reads a value that stands on one line. Inside "[...]" commas and
// brackets are not plain.
func plainValue(s string, flow bool) (any, bool) {
	if s == "" {
		return nil, false
	}
	switch c := s[0]; {
	case c == '"' || c == '\'':
		return plainQuoted(s)
	case c == '[' && !flow:
		return plainFlow(s)
	}
	if i := strings.IndexByte(s, '#'); i > 0 && s[i-1] == ' ' && !flow { // a comment
		if !printable(s[i:]) {
			return nil, false
		}
		s = strings.TrimRight(s[:i], " ")
	}
	switch {
	case isDigit(s[0]):
		return plainNumber(s)
	case s == "true" || s == "false":
		return s == "true", true
	case !startsWord(s, flow) || len(s) <= 5 && isSpecial(s) || !isScalarText(s, flow):
		return nil, false
	}
	return s, true
}

// plainQuoted reads a string in quotes, without escapes.
func plainQuoted(s string) (any, bool) {
	quote, body := s[0], s[1:]
	if body == "" || body[len(body)-1] != quote {
		return nil, false
	}
	body = body[:len(body)-1]
	if strings.IndexByte(body, quote) >= 0 || quote == '"' && strings.IndexByte(body, '\\') >= 0 || !printable(body) {
		return nil, false
	}
	return body, true
}

// startsWord reports whether s begins as only a plain word does, and no number.
func startsWord(s string, flow bool) bool {
	c, next := s[0], byte(0)
	if len(s) > 1 {
		next = s[1]
	}
	switch {
	case isLetter(c) || c >= 0x80:
		return true
	case c == '/' || c == '(' || c == '$' || c == '_':
		return true
	case len(s) == 1:
		return false
	case c == '<':
		return next != '<'
	case c == ':' || c == '-':
		return !flow && (isLetter(next) || next == c || next == '-')
	case c == '.': // no .nan or .inf
		return isLetter(next) && next|0x20 != 'n' && next|0x20 != 'i'
	}
	return false
}

// isScalarText reports whether all of s is text: no mapping, no comment, no control
// characters.
func isScalarText(s string, flow bool) bool {
	high := false
	for i := range len(s) {
		c := s[i]
		if !yamlStops[c] {
			continue
		}
		switch {
		case c >= 0x80:
			high = true
		case c == ':':
			if i+1 == len(s) || s[i+1] == ' ' || flow {
				return false
			}
		case c == '#':
			if i == 0 || s[i-1] == ' ' {
				return false
			}
		case c < ' ' || c == 0x7f || flow:
			return false
		}
	}
	return !high || printable(s)
}

// yamlStops are the bytes that are not always text in a plain value.
var yamlStops = byteSet(func(c byte) bool { return c < ' ' || c >= 0x7f || strings.IndexByte(":#,[]{}", c) >= 0 })

// plainNumber reads a value that begins with a digit: a number, a date, or a word
// such as 2FA, 1.2.3 or 8/19/2026.
func plainNumber(s string) (any, bool) {
	dots, slashes, letters := 0, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
		case c == '.':
			dots++
		case c == '/':
			slashes++
		case isLetter(c) && c|0x20 != 'e' && c|0x20 != 'x' && c|0x20 != 'o' && c|0x20 != 'b':
			letters++
		default:
			return plainDate(s)
		}
	}
	switch {
	case s[0] != '0' && letters > 0 && dots == 0, dots > 1, slashes > 0:
		return s, true
	case letters > 0 || len(s) > 15 || s[0] == '0' && len(s) > 1 && s[1] != '.':
		return nil, false
	case dots == 1:
		f, err := strconv.ParseFloat(s, 64)
		return f, err == nil
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// plainDate reads 2006-01-02 and 2006-01-02T15:04:05Z.
func plainDate(s string) (any, bool) {
	layout := time.DateOnly
	if len(s) == 20 && s[10] == 'T' && s[19] == 'Z' {
		layout = time.RFC3339
	} else if len(s) != 10 {
		return nil, false
	}
	t, err := time.Parse(layout, s)
	return t, err == nil
}

// plainFlow reads "[word, 'words']".
func plainFlow(s string) (any, bool) {
	if s[len(s)-1] != ']' {
		return nil, false
	}
	s = strings.Trim(s[1:len(s)-1], " ")
	items := []any{}
	for s != "" {
		var e string
		if q := s[0]; q == '"' || q == '\'' {
			n := strings.IndexByte(s[1:], q)
			if n < 0 {
				return nil, false
			}
			e, s = s[:n+2], strings.TrimLeft(s[n+2:], " ")
			if s != "" && s[0] != ',' {
				return nil, false
			}
			s = strings.TrimPrefix(s, ",")
		} else {
			e, s, _ = strings.Cut(s, ",")
		}
		v, ok := plainValue(strings.Trim(e, " "), true)
		if !ok {
			return nil, false
		}
		items = append(items, v)
		s = strings.TrimLeft(s, " ")
	}
	return items, true
}

// printable reports whether a YAML reader takes every character of s as it is:
// no control characters, tabs, line breaks beyond ASCII, or broken UTF-8.
func printable(s string) bool {
	ascii := true
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c < 0x7f {
			continue
		}
		switch {
		case c < ' ' || c == 0x7f:
			return false
		default:
			ascii = false
			switch next := s[i+1:]; c {
			case 0xc2:
				if next == "" || next[0] < 0xa0 {
					return false
				}
			case 0xe2:
				if strings.HasPrefix(next, "\x80\xa8") || strings.HasPrefix(next, "\x80\xa9") {
					return false
				}
			case 0xef:
				if strings.HasPrefix(next, "\xbb\xbf") || strings.HasPrefix(next, "\xbf\xbe") || strings.HasPrefix(next, "\xbf\xbf") {
					return false
				}
			}
		}
	}
	return ascii || utf8.ValidString(s)
}
