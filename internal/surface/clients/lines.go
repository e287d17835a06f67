package clients

import (
	"bytes"
	"fmt"
	"strings"
)

// Editing TOML and YAML line by line: only one table or mapping of ours is put in,
// replaced or cut out, and every other line stays.

// putTOML puts a table into a file: in the place of the one of that name, or at the end.
func putTOML(text []byte, name string, entry object) ([]byte, error) {
	if bytes.Contains(text, []byte(name+" =")) || bytes.Contains(text, []byte(name+".")) && !bytes.Contains(text, []byte("["+name+".")) {
		return nil, fmt.Errorf("%s is written in a form that cannot be edited: remove it first", name)
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "[%s]\n", name)
	writeTOML(b, entry)
	return putLines(text, b.String(), tomlTable(text, name)), nil
}

// cutTOML cuts a table out, and those in it.
func cutTOML(text []byte, name string) []byte { return cutLines(text, tomlTable(text, name)) }

// A lineSpan is some lines of a text, by offsets; from is -1 if there are none.
type lineSpan struct{ from, to int }

// tomlTable finds a table and those in it. Blank lines and comments at its end belong to
// what follows.
func tomlTable(text []byte, name string) lineSpan {
	span, at, inside := lineSpan{-1, -1}, 0, false
	for line := range bytes.Lines(text) {
		head := strings.TrimSpace(string(line))
		if strings.HasPrefix(head, "[") {
			head, _, _ = strings.Cut(head, "#")
			head = strings.Trim(strings.ReplaceAll(strings.TrimSpace(head), `"`, ""), "[] ")
			inside = head == name || strings.HasPrefix(head, name+".")
			if inside && span.from < 0 {
				span.from = at
			}
		}
		at += len(line)
		if inside && head != "" && !strings.HasPrefix(head, "#") {
			span.to = at
		}
	}
	return span
}

// putLines replaces some lines, or appends them after a blank line.
func putLines(text []byte, lines string, span lineSpan) []byte {
	if bytes.Contains(text, []byte("\r\n")) {
		lines = strings.ReplaceAll(lines, "\n", "\r\n")
	}
	if span.from >= 0 {
		return bytes.Join([][]byte{text[:span.from], text[span.to:]}, []byte(lines))
	}
	sep := ""
	switch {
	case len(text) == 0:
	case !bytes.HasSuffix(text, []byte("\n")):
		sep = "\n\n"
	default:
		sep = "\n"
	}
	return append(bytes.Clone(text), sep+lines...)
}

// cutLines removes some lines, and the blank line before them if they were the last.
func cutLines(text []byte, span lineSpan) []byte {
	if span.from < 0 {
		return text
	}
	head := text[:span.from]
	if span.to == len(text) {
		if cut := bytes.TrimRight(head, "\r\n"); len(cut) < len(head) {
			end := bytes.IndexByte(head[len(cut):], '\n') + len(cut) + 1
			head = head[:end]
		}
	}
	return bytes.Join([][]byte{head, text[span.to:]}, nil)
}

// putYAML puts a mapping into the one at a key of the top level, which is made where it is
// missing.
func putYAML(text []byte, key, name string, entry object) ([]byte, error) {
	span, section, indent, err := yamlMapping(text, key, name)
	if err != nil {
		return nil, err
	}
	b := &strings.Builder{}
	if section < 0 {
		b.WriteString(key + ":\n")
	}
	b.WriteString(indent + name + ":\n")
	writeYAML(b, entry, indent+"  ")
	switch {
	case span.from >= 0:
		return putLines(text, b.String(), span), nil
	case section < 0:
		return putLines(text, b.String(), lineSpan{-1, -1}), nil
	}
	if !bytes.HasSuffix(text[:section], []byte("\n")) {
		return putLines(append(bytes.Clone(text), '\n'), b.String(), lineSpan{section + 1, section + 1}), nil
	}
	return putLines(text, b.String(), lineSpan{section, section}), nil
}

// cutYAML cuts a mapping out of the one at a key.
func cutYAML(text []byte, key, name string) []byte {
	span, _, _, err := yamlMapping(text, key, name)
	if err != nil || span.from < 0 {
		return text
	}
	return bytes.Join([][]byte{text[:span.from], text[span.to:]}, nil)
}

// yamlMapping finds a mapping below a key of the top level, where that key's lines end
// (-1 if it is missing), and how mappings below it are indented.
func yamlMapping(text []byte, key, name string) (span lineSpan, section int, indent string, err error) {
	span, section, indent = lineSpan{-1, -1}, -1, "  "
	at, inKey, inName, first := 0, false, false, true
	for line := range bytes.Lines(text) {
		body := strings.TrimRight(string(line), " \t\r\n")
		trimmed := strings.TrimLeft(body, " ")
		width := len(body) - len(trimmed)
		at += len(line)
		switch {
		case trimmed == "" || trimmed[0] == '#':
			continue
		case width == 0:
			inName = false
			inKey = strings.HasPrefix(body, key+":")
			if inKey {
				rest := strings.TrimSpace(strings.TrimPrefix(body, key+":"))
				if rest != "" && rest[0] != '#' {
					return span, section, indent, fmt.Errorf("%q is written on one line, which cannot be edited: write it on several", key)
				}
				section = at
			}
		case inKey:
			if first {
				indent, first = body[:width], false
			}
			section = at
			if width == len(indent) {
				if inName = strings.HasPrefix(trimmed, name+":"); inName {
					span.from = at - len(line)
				}
			}
			if inName {
				span.to = at
			}
		}
	}
	return span, section, indent, nil
}
