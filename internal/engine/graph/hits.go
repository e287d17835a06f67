package graph

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// A hit is something that may be a reference or an id.
type hit struct {
	at   int
	kind hitKind
}

type hitKind uint8

const (
	wordHit  hitKind = iota // the word "section" or one like it
	seeHit                  // "see 2.1"
	parenHit                // "(2.1)"
	idHit                   // an HTML attribute
	braceHit                // {#id}
	blockHit                // ^id
	ruleHit                 // r[id]
	termHit                 // a term of a definition list
	paraHit                 // §
)

// marks are what hits are found by: the text, and how far before it the thing
// begins. Words are looked for without their first letter, which may be a
// capital.
var marks = []mark{
	{"ection", 1, wordHit},
	{"hapter", 1, wordHit},
	{"ppendi", 1, wordHit},
	{"nnex", 1, wordHit},
	{"§", 0, paraHit},
	{"=", 0, idHit},
	{"{", 0, braceHit},
	{"^", 0, blockHit},
}

// numberMarks are looked for only where headings are numbered: they are of
// references without a word before the number.
var numberMarks = []mark{
	{"ee ", 1, seeHit},
	{"efer to ", 1, seeHit},
	{"(", 0, parenHit},
}

type mark struct {
	text   string
	before int
	kind   hitKind
}

// maxHits bounds the references and ids of one file.
const maxHits = 100_000

// hits returns the hits of the document in reading order.
func (p *prose) hits(numbers bool) []hit {
	src := p.d.Source
	out := markHits(nil, src)
	if numbers {
		for _, m := range numberMarks {
			out = m.hits(out, src)
		}
	}
	for i := range p.d.Blocks {
		b := &p.d.Blocks[i]
		at := b.Span.Start
		switch {
		case b.Kind == doc.Paragraph && bytes.HasPrefix(src[at:], []byte("r[")):
			for ; at < b.Span.End && bytes.HasPrefix(src[at:], []byte("r[")); at++ {
				out = append(out, hit{at, ruleHit})
				if n := bytes.IndexByte(src[at:b.Span.End], '\n'); n >= 0 {
					at += n
				} else {
					break
				}
			}
		case b.Kind == doc.Item:
			at += len(src[at:b.Span.End]) - len(bytes.TrimLeft(src[at:b.Span.End], " "))
			if bytes.HasPrefix(src[at:], []byte("- : ")) {
				out = append(out, hit{at, termHit})
			}
		}
	}
	slices.SortFunc(out, func(a, b hit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind)) })
	return out
}

func (m *mark) hits(out []hit, src []byte) []hit {
	text := []byte(m.text)
	for i := 0; len(out) < maxHits; i += len(text) {
		n := bytes.Index(src[i:], text)
		if n < 0 {
			break
		}
		i += n
		out = m.hit(out, src, i)
	}
	return out
}

// hit appends the hit of the mark at src[i], if it is plausible.
func (m *mark) hit(out []hit, src []byte, i int) []hit {
	if i >= m.before && plausible(src, i-m.before, m.kind) {
		out = append(out, hit{i - m.before, m.kind})
	}
	return out
}

// markHits appends the hits of all marks. It goes through the text once, eight bytes
// at a time, and looks closer where one of the few bytes or pairs of bytes
// that each mark has is found: "ct", "pt", "pp", "nn", "=", "{", "^" and the first of "§".
func markHits(out []hit, src []byte) []hit {
	i := 0
	for ; i+9 <= len(src) && len(out) < maxHits; i += 8 {
		x, next := binary.LittleEndian.Uint64(src[i:]), binary.LittleEndian.Uint64(src[i+1:])
		found := is(x, '=') | is(x, '{') | is(x, '^') | is(x, 0xc2) |
			is(x, 'c')&is(next, 't') | is(x, 'p')&(is(next, 't')|is(next, 'p')) | is(x, 'n')&is(next, 'n')
		for found &= each * 0x80; found != 0; found &= found - 1 {
			out = markHit(out, src, i+bits.TrailingZeros64(found)/8)
		}
	}
	for ; i < len(src) && len(out) < maxHits; i++ {
		out = markHit(out, src, i)
	}
	return out
}

const each = 0x0101010101010101

// is sets the high bit of the bytes of x that are c, and perhaps of some after such
// a one.
func is(x uint64, c byte) uint64 {
	y := x ^ each*uint64(c)
	return (y - each) &^ y
}

// markHit appends the hit of the mark that has its byte or pair at src[i], if any.
func markHit(out []hit, src []byte, i int) []hit {
	at, before := -1, 0
	switch src[i] {
	case 'c':
		at, before = 0, 1
	case 'p':
		at, before = 1, 2
		if i+1 < len(src) && src[i+1] == 'p' {
			at, before = 2, 0
		}
	case 'n':
		at = 3
	case 0xc2:
		at = 4
	case '=':
		at = 5
	case '{':
		at = 6
	case '^':
		at = 7
	}
	if at < 0 || i < before || !bytes.HasPrefix(src[i-before:], []byte(marks[at].text)) {
		return out
	}
	return marks[at].hit(out, src, i-before)
}

// plausible rules most hits out by the bytes around them.
func plausible(src []byte, at int, k hitKind) bool {
	before := byte(' ')
	if at > 0 {
		before = src[at-1]
	}
	switch k {
	case wordHit:
		return !isLetter(before) && !isDigit(before) && strings.IndexByte("sScCaA", src[at]) >= 0
	case seeHit:
		return !isLetter(before) && strings.IndexByte("sSrR", src[at]) >= 0
	case parenHit:
		return at+1 < len(src) && (isDigit(src[at+1]) || 'A' <= src[at+1] && src[at+1] <= 'Z')
	case idHit:
		s := src[max(0, at-5):at]
		return len(s) == 5 && (s[4] == 'd' && s[3] == 'i' && isSpace(s[2]) || string(s[1:]) == "name" && isSpace(s[0]))
	case braceHit:
		return bytes.HasPrefix(src[at+1:], []byte("#")) || bytes.HasPrefix(src[at+1:], []byte(": #"))
	case blockHit:
		return (isSpace(before) || before == ']') && at+1 < len(src) && isIDByte(src[at+1])
	}
	return true
}
