package clients

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Editing JSON as people keep it, with comments and commas after the last value: a
// member of one object is put in, replaced or cut out, and every other byte stays.

// putJSON puts a member into the object at some keys, which is made where it is missing.
func putJSON(text []byte, keys []string, name string, entry object) ([]byte, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))) == 0 {
		whole := object{{name, entry}}
		for i := len(keys) - 1; i >= 0; i-- {
			whole = object{{keys[i], whole}}
		}
		b := &strings.Builder{}
		writeJSON(b, whole, "", "  ")
		return []byte(b.String() + "\n"), nil
	}
	e, err := openJSON(text)
	if err != nil {
		return nil, err
	}
	at := e.root
	for i, key := range keys {
		m, found := at.member(key)
		if !found {
			inner := object{{name, entry}}
			for k := len(keys) - 1; k > i; k-- {
				inner = object{{keys[k], inner}}
			}
			return e.insert(at, key, inner), nil
		}
		if at, err = e.object(m.value); err != nil {
			return nil, fmt.Errorf("%q: %w", key, err)
		}
	}
	at = e.serversIn(at)
	if m, found := at.member(name); found {
		return e.splice(m.value, m.valueEnd, e.render(entry, e.indentOf(m.key))), nil
	}
	return e.insert(at, name, entry), nil
}

// cutJSON cuts a member out of the object at some keys.
func cutJSON(text []byte, keys []string, name string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	e, err := openJSON(text)
	if err != nil {
		return nil, err
	}
	at := e.root
	for _, key := range keys {
		m, found := at.member(key)
		if !found {
			return text, nil
		}
		if at, err = e.object(m.value); err != nil {
			return text, nil
		}
	}
	at = e.serversIn(at)
	for i, m := range at.members {
		if m.name == name {
			return e.cut(at, i), nil
		}
	}
	return text, nil
}

// A jsonEdit is a text being edited.
type jsonEdit struct {
	text []byte
	root jsonObject
	unit string // of indentation
	end  string // of a line
}

// A jsonObject is an object of the text, by the offsets of its braces.
type jsonObject struct {
	open, close int
	members     []jsonMember
}

// A jsonMember is one of its members, by offsets.
type jsonMember struct {
	name            string
	key             int // where its key begins
	value, valueEnd int
	comma           int // after it; -1 if there is none
}

func (o *jsonObject) member(name string) (jsonMember, bool) {
	for _, m := range o.members {
		if m.name == name {
			return m, true
		}
	}
	return jsonMember{}, false
}

func openJSON(text []byte) (*jsonEdit, error) {
	e := &jsonEdit{text: text, unit: "  ", end: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		e.end = "\r\n"
	}
	s := jsonScanner{text: text}
	at := s.skip(len(text) - len(bytes.TrimPrefix(text, []byte("\ufeff"))))
	root, err := e.object(at)
	if err != nil {
		return nil, err
	}
	if rest := s.skip(root.close + 1); rest != len(text) {
		return nil, s.wrong(rest, "something follows the object")
	}
	e.root = root
	if len(root.members) > 0 {
		outer := e.lineIndent(root.open)
		if unit, ok := strings.CutPrefix(e.indentOf(root.members[0].key), outer); ok && unit != "" {
			e.unit = unit
		}
	}
	return e, nil
}

// object reads the object that begins at an offset.
func (e *jsonEdit) object(at int) (jsonObject, error) {
	s := jsonScanner{text: e.text}
	return s.object(at)
}

// serversIn returns the object "servers" in an object that has one: the second version
// of a client's form may keep them there.
func (e *jsonEdit) serversIn(at jsonObject) jsonObject {
	m, found := at.member("servers")
	if !found {
		return at
	}
	inner, err := e.object(m.value)
	if _, isServer := inner.member("type"); err != nil || isServer {
		return at
	}
	if _, isServer := inner.member("command"); isServer {
		return at
	}
	return inner
}

// indentOf is the white space before an offset, if nothing else is on its line.
func (e *jsonEdit) indentOf(at int) string {
	line := bytes.LastIndexByte(e.text[:at], '\n') + 1
	if len(bytes.TrimLeft(e.text[line:at], " \t")) > 0 {
		return ""
	}
	return string(e.text[line:at])
}

func (e *jsonEdit) render(v any, indent string) string {
	b := &strings.Builder{}
	writeJSON(b, v, indent, e.unit)
	return strings.ReplaceAll(b.String(), "\n", e.end)
}

// splice replaces a part of the text.
func (e *jsonEdit) splice(from, to int, by string) []byte {
	return bytes.Join([][]byte{e.text[:from], e.text[to:]}, []byte(by))
}

// insert puts a member at the end of an object, after its comments.
func (e *jsonEdit) insert(in jsonObject, name string, v any) []byte {
	outer := e.lineIndent(in.open)
	indent := outer + e.unit
	if n := len(in.members); n > 0 {
		if own := e.indentOf(in.members[n-1].key); own != "" {
			indent = own
		}
	}
	last := in.close
	for last > in.open+1 && strings.IndexByte(" \t\r\n", e.text[last-1]) >= 0 {
		last--
	}
	out := &bytes.Buffer{}
	if n := len(in.members); n > 0 && in.members[n-1].comma < 0 {
		out.Write(e.text[:in.members[n-1].valueEnd])
		out.WriteString(",")
		out.Write(e.text[in.members[n-1].valueEnd:last])
	} else {
		out.Write(e.text[:last])
	}
	out.WriteString(e.end + indent + quoteJSON(name) + ": " + e.render(v, indent))
	if n := len(in.members); n > 0 && in.members[n-1].comma >= 0 { // as the file has it
		out.WriteString(",")
	}
	if rest := e.text[last:in.close]; bytes.IndexByte(rest, '\n') >= 0 {
		out.Write(rest)
	} else {
		out.WriteString(e.end + outer)
	}
	out.Write(e.text[in.close:])
	return out.Bytes()
}

// lineIndent is the white space with which the line of an offset begins.
func (e *jsonEdit) lineIndent(at int) string {
	line := bytes.LastIndexByte(e.text[:at], '\n') + 1
	rest := e.text[line:at]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}

// cut removes the ith member, with its line if it has one of its own, and the comma that
// is then one too many.
func (e *jsonEdit) cut(in jsonObject, i int) []byte {
	m := in.members[i]
	from, to := m.key-len(e.indentOf(m.key)), m.valueEnd
	before := -1 // a comma to drop
	switch {
	case m.comma >= 0 && len(bytes.TrimSpace(e.text[to:m.comma])) == 0:
		to = m.comma + 1
	case i > 0 && m.comma < 0:
		before = in.members[i-1].comma
	}
	if line := bytes.LastIndexByte(e.text[:m.key], '\n') + 1; line == from {
		if rest := bytes.TrimLeft(e.text[to:], " \t\r"); len(rest) > 0 && rest[0] == '\n' {
			to = len(e.text) - len(rest) + 1
		}
	}
	if before < 0 {
		return e.splice(from, to, "")
	}
	return bytes.Join([][]byte{e.text[:before], e.text[before+1 : from], e.text[to:]}, nil)
}

var errNoObject = errors.New("is not an object")
