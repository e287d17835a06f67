package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// maxLabel is the longest label of a link reference, by the specification.
const maxLabel = 999

// definitions are the link reference definitions of a document.
type definitions struct {
	labels  names // by index in targets
	targets []span
	key     []byte // room for a label as it is compared
}

func (d *definitions) reset() {
	d.labels.reset()
	d.targets = d.targets[:0]
}

// read takes in the definitions that s[i:end] begins with and returns the offset
// after them.
func (d *definitions) read(s []byte, i, end int) int {
	for i < end {
		label, target, _, after := readDefinition(s, i, end)
		if after < 0 {
			break
		}
		d.key = appendLabelKey(d.key[:0], s[label.start:label.end])
		if len(d.key) == 0 {
			break
		}
		if _, isNew := d.labels.add(d.key, len(d.targets)); isNew {
			d.targets = append(d.targets, target)
		}
		i = after + spaces(s[after:end])
	}
	return i
}

// find returns the target that a label is defined to have.
func (d *definitions) find(label []byte) (span, bool) {
	if len(d.targets) == 0 || len(label) > maxLabel {
		return span{}, false
	}
	d.key = appendLabelKey(d.key[:0], label)
	i, ok := d.labels.find(d.key)
	if !ok {
		return span{}, false
	}
	return d.targets[i], true
}

// readDefinition reads "[label]: target "title"" at i, and returns the offset
// after its line, or -1. The title is as written, with its quotes. Footnotes are
// no definitions.
func readDefinition(s []byte, i, end int) (label, target, title span, after int) {
	if s[i] != '[' || i+1 < end && s[i+1] == '^' {
		return label, target, title, -1
	}
	close := labelEnd(s, i+1, end)
	if close < 0 || close+1 >= end || s[close+1] != ':' {
		return label, target, title, -1
	}
	label = span{int32(i + 1), int32(close)}
	i = skipOneBreak(s, close+2, end)
	target, i, ok := destination(s, i, end)
	if !ok || target.len() == 0 && s[i-1] != '>' {
		return label, target, title, -1
	}
	after = restOfLine(s, i, end)
	if j := skipOneBreak(s, i, end); j > i && j < end {
		if k := titleEnd(s, j, end); k > 0 {
			if e := restOfLine(s, k, end); e > 0 {
				title, after = span{int32(j), int32(k)}, e
			}
		}
	}
	return label, target, title, after
}

// referenceLabel returns the label of the reference whose text lies between from
// and the "]" at i, and the offset after it. It is what the brackets hold that
// follow, or the text itself unless that holds brackets.
func referenceLabel(s []byte, from, i int, nested bool) (label []byte, after int) {
	after = i + 1
	if after < len(s) && s[after] == '[' {
		close := labelEnd(s, i+2, len(s))
		if close > i+2 {
			return s[i+2 : close], close + 1
		}
		after = max(after, close+1)
	}
	if nested {
		return nil, after
	}
	return s[from:i], after
}

// labelEnd returns the offset of the bracket that ends the label at i, or -1.
func labelEnd(s []byte, i, end int) int {
	for e := min(end, i+maxLabel+1); i < e; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			return -1
		case ']':
			return i
		}
	}
	return -1
}

// skipOneBreak skips white space with at most one line ending in it.
func skipOneBreak(s []byte, i, end int) int {
	for breaks := 0; i < end; i++ {
		switch s[i] {
		case ' ', '\t', '\r':
		case '\n':
			if breaks++; breaks > 1 {
				return i
			}
		default:
			return i
		}
	}
	return i
}

// restOfLine returns the offset after the line of i when nothing but white
// space is left on it, else -1.
func restOfLine(s []byte, i, end int) int {
	for ; i < end; i++ {
		switch s[i] {
		case '\n':
			return i + 1
		case ' ', '\t', '\r':
		default:
			return -1
		}
	}
	return end
}

// destination reads the target of a link at i: "<...>" or a word in which
// parentheses balance. It returns the target and the offset after it.
func destination(s []byte, i, end int) (target span, after int, ok bool) {
	if i < end && s[i] == '<' {
		for j := i + 1; j < end; j++ {
			switch s[j] {
			case '\\':
				j++
			case '<', '\n':
				return target, i, false
			case '>':
				return span{int32(i + 1), int32(j)}, j + 1, true
			}
		}
		return target, i, false
	}
	if i+2 < end && s[i] == '{' && s[i+1] == '{' && (s[i+2] == '<' || s[i+2] == '%') {
		if n := shortcodeEnd(s[:end], i); n > 0 {
			return span{int32(i), int32(n)}, n, true
		}
	}
	j, depth := i, 0
scan:
	for ; j < end; j++ {
		c := s[j]
		if !targetStops[c] {
			continue
		}
		switch {
		case c == '\\' && j+1 < end && isPunct(s[j+1]):
			j++
		case c == '(':
			if depth++; depth > 32 {
				return target, i, false
			}
		case c == ')':
			if depth == 0 {
				break scan
			}
			depth--
		case c <= ' ' || c == 0x7f:
			break scan
		}
	}
	if depth != 0 {
		return target, i, false
	}
	j = min(j, end)
	return span{int32(i), int32(j)}, j, true
}

// targetStops are the bytes that may end a link target.
var targetStops = byteSet(func(c byte) bool { return c <= ' ' || c == 0x7f || c == '\\' || c == '(' || c == ')' })

// titleEnd returns the offset after the link title at i, or -1.
func titleEnd(s []byte, i, end int) int {
	q := s[i]
	switch q {
	case '"', '\'':
	case '(':
		q = ')'
	default:
		return -1
	}
	for i++; i < end; i++ {
		switch s[i] {
		case '\\':
			i++
		case q:
			return i + 1
		case '(':
			if q == ')' {
				return -1
			}
		}
	}
	return -1
}

// appendLabelKey appends to key, which is empty, the form in which labels are
// compared: case folded, white space collapsed. It is empty for a label of white
// space only.
func appendLabelKey(key, label []byte) []byte {
	for _, c := range label {
		switch {
		case c >= utf8.RuneSelf:
			folded := strings.ToLower(strings.ToUpper(strings.Join(strings.Fields(string(label)), " ")))
			folded = strings.ReplaceAll(folded, "ß", "ss")
			return append(key[:0], folded...)
		case isUpper(c):
			c |= 0x20
		case isSpace(c):
			if len(key) == 0 || key[len(key)-1] == ' ' {
				continue
			}
			c = ' '
		}
		key = append(key, c)
	}
	return bytes.TrimRight(key, " ")
}

// readTarget reads "(target "title")" at i. It returns the target, the title
// with its quotes, the offset after it all, or -1, and how many bytes it looked
// at that are to be paid for.
func readTarget(s []byte, i int) (target, title span, after, cost int) {
	end := len(s)
	at := skipSpace(s, i+1)
	target, j, ok := destination(s, at, end)
	cost = j - i
	if !ok {
		return target, title, -1, cost + min(end-at, maxLabel)
	}
	k := skipSpace(s, j)
	if k > j && k < end {
		if e := titleEnd(s, k, end); e < 0 {
			cost += end - k
		} else {
			title = span{int32(k), int32(e)}
			cost += e - k
			k = skipSpace(s, e)
		}
	}
	if k < end && s[k] == ')' {
		return target, title, k + 1, cost
	}
	return target, title, -1, cost
}
