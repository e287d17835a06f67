package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A jsonScanner finds where values of JSON begin and end. It passes over comments and
// allows a comma after the last value, as the clients do.
type jsonScanner struct{ text []byte }

// skip returns the offset of the next byte that is neither white space nor a comment.
func (s *jsonScanner) skip(at int) int {
	for at < len(s.text) {
		switch c := s.text[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case bytes.HasPrefix(s.text[at:], []byte("//")):
			n := bytes.IndexByte(s.text[at:], '\n')
			if n < 0 {
				return len(s.text)
			}
			at += n
		case bytes.HasPrefix(s.text[at:], []byte("/*")):
			n := bytes.Index(s.text[at+2:], []byte("*/"))
			if n < 0 {
				return len(s.text)
			}
			at += n + 4
		default:
			return at
		}
	}
	return at
}

// wrong is an error that says where.
func (s *jsonScanner) wrong(at int, what string) error {
	at = min(at, len(s.text))
	line := 1 + bytes.Count(s.text[:at], []byte("\n"))
	return fmt.Errorf("line %d: %s", line, what)
}

func (s *jsonScanner) has(at int, c byte) bool { return at < len(s.text) && s.text[at] == c }

// object reads the object at an offset.
func (s *jsonScanner) object(at int) (jsonObject, error) {
	if !s.has(at, '{') {
		return jsonObject{}, fmt.Errorf("%w: %w", s.wrong(at, "cannot be edited"), errNoObject)
	}
	o := jsonObject{open: at}
	at = s.skip(at + 1)
	for !s.has(at, '}') {
		m := jsonMember{key: at, comma: -1}
		end, err := s.str(at)
		if err != nil {
			return o, err
		}
		if err := json.Unmarshal(s.text[at:end], &m.name); err != nil {
			return o, s.wrong(at, "a key cannot be read")
		}
		if at = s.skip(end); !s.has(at, ':') {
			return o, s.wrong(at, "a colon is missing")
		}
		m.value = s.skip(at + 1)
		if m.valueEnd, err = s.value(m.value, 0); err != nil {
			return o, err
		}
		if at = s.skip(m.valueEnd); s.has(at, ',') {
			m.comma = at
			at = s.skip(at + 1)
		} else if !s.has(at, '}') {
			return o, s.wrong(at, "a comma or a closing brace is missing")
		}
		o.members = append(o.members, m)
	}
	o.close = at
	return o, nil
}

// maxDepth is how deep values may lie in each other.
const maxDepth = 1000

// value returns the end of the value at an offset.
func (s *jsonScanner) value(at, depth int) (int, error) {
	switch {
	case at >= len(s.text) || depth > maxDepth:
		return at, s.wrong(at, "a value is missing")
	case s.text[at] == '"':
		return s.str(at)
	case s.text[at] == '{' || s.text[at] == '[':
		return s.group(at, depth)
	}
	end := at
	for end < len(s.text) && bytes.IndexByte([]byte(" \t\r\n,]}/"), s.text[end]) < 0 {
		end++
	}
	if !json.Valid(s.text[at:end]) {
		return at, s.wrong(at, "a value cannot be read")
	}
	return end, nil
}

// group returns the end of an object or a list.
func (s *jsonScanner) group(at, depth int) (int, error) {
	isObject := s.text[at] == '{'
	last := byte(']')
	if isObject {
		last = '}'
	}
	at = s.skip(at + 1)
	for !s.has(at, last) {
		var err error
		if isObject {
			if at, err = s.str(at); err != nil {
				return at, err
			}
			if at = s.skip(at); !s.has(at, ':') {
				return at, s.wrong(at, "a colon is missing")
			}
			at = s.skip(at + 1)
		}
		if at, err = s.value(at, depth+1); err != nil {
			return at, err
		}
		if at = s.skip(at); s.has(at, ',') {
			at = s.skip(at + 1)
		} else if !s.has(at, last) {
			return at, s.wrong(at, "a comma or a closing bracket is missing")
		}
	}
	return at + 1, nil
}

// str returns the end of the string at an offset.
func (s *jsonScanner) str(at int) (int, error) {
	if !s.has(at, '"') {
		return at, s.wrong(at, "a name in quotes is missing")
	}
	for i := at + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			return i + 1, nil
		case '\n':
			return at, s.wrong(at, "a text has no closing quote")
		}
	}
	return at, s.wrong(at, "a text has no closing quote")
}
