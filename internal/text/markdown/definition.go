package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
)

// maxLabel is the longest label of a link reference, by the specification.
const maxLabel = 999

// definitions takes the link reference definitions off the beginning of the
// open paragraph. They become a block of their own; what follows them stays in
// the paragraph. It reports whether nothing does, and then closes the leaf.
func (p *parser) definitions() bool {
	l := &p.leaf
	at, end := l.text, l.mark.byte
	for at < end {
		n := p.definition(at, end)
		if n < 0 {
			break
		}
		at = n
		for at < end && (p.src[at] == ' ' || p.src[at] == '\t') {
			at++
		}
	}
	if at == l.text {
		return false
	}
	b := &p.blocks[l.block]
	b.kind = doc.Definition
	if at >= end {
		p.endBlock(l.block, l.mark)
		p.reach(l.mark)
		l.kind = noLeaf
		return true
	}
	start := bytes.LastIndexByte(p.src[:at], '\n') + 1
	line := int(b.first) + bytes.Count(p.src[b.start:start], newline)
	rest := block{
		kind: doc.Paragraph, parent: b.parent,
		span:  span{int32(start), int32(l.mark.byte)},
		first: int32(line), last: int32(l.mark.line),
	}
	p.endBlock(l.block, mark{start, line - 1})
	p.blocks = append(p.blocks, rest)
	l.block, l.text = len(p.blocks)-1, at
	l.last = max(l.last, at)
	return false
}

// definition takes in the definition at i and returns the offset after its
// line, or -1.
func (p *parser) definition(i, end int) int {
	label, target, _, after := readDefinition(p.src, i, end)
	if after < 0 {
		return -1
	}
	key := p.labelKey(p.src[label.start:label.end])
	if len(key) == 0 {
		return -1
	}
	if _, isNew := p.defs.add(key, len(p.targets)); isNew {
		p.targets = append(p.targets, target)
	}
	return after
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
var targetStops = func() (t [256]bool) {
	for c := range t {
		t[c] = c <= ' ' || c == 0x7f || c == '\\' || c == '(' || c == ')'
	}
	return t
}()

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

// labelKey returns the form in which labels are compared: case folded, white
// space collapsed. It is empty for a label of white space only, and valid until
// the next call.
func (p *parser) labelKey(label []byte) []byte {
	p.label = appendLabelKey(p.label[:0], label)
	return p.label
}

// appendLabelKey appends that form of a label to key, which is empty.
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

// defined returns the target that a label is defined to have.
func (p *parser) defined(label []byte) (span, bool) {
	if len(p.targets) == 0 || len(label) > maxLabel {
		return span{}, false
	}
	i, ok := p.defs.find(p.labelKey(label))
	if !ok {
		return span{}, false
	}
	return p.targets[i], true
}
