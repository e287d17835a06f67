package markdown

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/docent-md/docent/doc"
)

// The inline pass goes through the text of each block once, from one byte that
// may matter to the next, and writes down links. Brackets are kept on a stack,
// as the CommonMark specification describes it (appendix, "phase 2"); emphasis
// does not matter to links and is not looked at.

// maxBrackets is how many open brackets are remembered.
const maxBrackets = 4096

// A bracket is a "[" that may open a link.
type bracket struct {
	pos    int
	links  int  // how many links there were before it
	image  bool // "![": an image, which may stand in a link and hold links
	nested bool // a bracket followed it, so its text is no label
}

// linkBytes are the bytes that links, or things that hide links, begin with.
var linkBytes = func() (t [256]bool) {
	for _, c := range []byte("\\`<[]:{") {
		t[c] = true
	}
	return t
}()

// nextLinkByte returns the offset of the first of linkBytes from i on. It looks
// at sixteen bytes at a time. All link bytes but the backtick have bits 3 and 4
// set and bit 7 clear, as have few others in prose; where there is no such byte
// and no backtick they are passed over.
func nextLinkByte(s []byte, i int) int {
	for ; i >= 0 && i <= len(s)-16; i += 16 {
		b := s[i : i+16 : i+16]
		x, y := maybeLinks(binary.LittleEndian.Uint64(b)), maybeLinks(binary.LittleEndian.Uint64(b[8:]))
		if x|y == 0 {
			continue
		}
		for ; x != 0; x &= x - 1 {
			if j := bits.TrailingZeros64(x) >> 3; linkBytes[b[j&15]] {
				return i + j
			}
		}
		for ; y != 0; y &= y - 1 {
			if j := 8 + bits.TrailingZeros64(y)>>3; linkBytes[b[j&15]] {
				return i + j
			}
		}
	}
	for i < len(s) && !linkBytes[s[i]] {
		i++
	}
	return i
}

// maybeLinks has bit 7 set in each byte where x may hold a link byte.
func maybeLinks(x uint64) uint64 {
	const ones = 0x0101010101010101
	tick := x ^ '`'*ones // zero where a backtick is
	return (x<<3&(x<<4)&^x | (tick-ones)&^tick) & (0x80 * ones)
}

// inline finds the links of the document and the titles of its headings.
func (p *parser) inline() {
	head, sec := 0, 0
	for i := range p.blocks {
		b := &p.blocks[i]
		switch b.kind {
		case doc.HeadingBlock:
		case doc.Paragraph, doc.Table, doc.HTML, doc.Admonition:
			if len(p.links) >= maxLinks {
				continue
			}
		default:
			continue
		}
		for sec+1 < len(p.sections) && p.sections[sec+1].start <= b.start {
			sec++
		}
		p.linksFrom = len(p.links)
		switch b.kind {
		case doc.HTML:
			if !b.comment {
				p.htmlLinks(int(b.start), int(b.end))
				p.finishLinks(b, sec)
			}
		case doc.HeadingBlock:
			h := &p.headings[head]
			head++
			p.explicitID(h)
			p.textLinks(int(h.words.start), int(h.words.end))
			p.finishLinks(b, sec)
			h.title = p.headingTitle(h.words)
		case doc.Admonition:
			// Its first line is its title.
			p.textLinks(int(b.start), int(b.start)+lineLen(p.src[b.start:b.end]))
			p.finishLinks(b, sec)
		default:
			p.textLinks(int(b.start), int(b.end))
			p.finishLinks(b, sec)
		}
	}
}

// textLinks finds the links in the text between i and end.
func (p *parser) textLinks(i, end int) {
	s := p.src[:end]
	p.brackets, p.dead = p.brackets[:0], 0
	p.ticks.reset()
	escaped := -1
	for len(p.links) < maxLinks {
		if i = nextLinkByte(s, i); i >= len(s) {
			return
		}
		switch s[i] {
		case '\\':
			i += 2
			escaped = i
		case '`':
			_, i = p.ticks.span(s, i)
		case '<':
			i = p.angle(i, end)
		case '{':
			if i+1 < len(s) && s[i+1] == '{' {
				i = p.macro(i, end)
			} else {
				i++
			}
		case ':':
			i = p.bareURL(i, end)
		case '[':
			image := i > 0 && s[i-1] == '!' && escaped != i
			if i+1 < len(s) && s[i+1] == '[' {
				if e := p.wikiLink(i, end, image); e > 0 {
					i = e
					continue
				}
			}
			if n := len(p.brackets); n > 0 {
				p.brackets[n-1].nested = true
			}
			if len(p.brackets) < maxBrackets {
				p.brackets = append(p.brackets, bracket{pos: i, links: len(p.links), image: image})
			}
			i++
		case ']':
			i = p.closeBracket(i, end)
		}
	}
}

// closeBracket handles the "]" at i and returns the offset to go on from.
func (p *parser) closeBracket(i, end int) int {
	n := len(p.brackets) - 1
	if n < 0 {
		return i + 1
	}
	open := p.brackets[n]
	alive := open.image || n >= p.dead
	p.brackets = p.brackets[:n]
	p.dead = min(p.dead, n)
	if !alive {
		return i + 1
	}
	l := link{inner: span{int32(open.pos + 1), int32(i)}, image: open.image}
	after := -1
	if i+1 < end && p.src[i+1] == '(' {
		var target span
		if target, after = p.inlineTarget(i+1, end); after > 0 {
			l.kind, l.target = doc.Inline, target.str()
		}
	}
	if after < 0 && len(p.targets) > 0 {
		label := l.inner
		after = i + 1
		labelled := !open.nested
		if i+1 < end && p.src[i+1] == '[' {
			if close := labelEnd(p.src, i+2, end); close > i+2 {
				label, labelled, after = span{int32(i + 2), int32(close)}, true, close+1
			} else if close == i+2 {
				after = close + 1
			}
		}
		if !labelled {
			return i + 1
		}
		target, ok := p.defined(p.src[label.start:label.end])
		if !ok {
			return i + 1
		}
		l.kind, l.target = doc.Reference, target.str()
	}
	if after < 0 {
		return i + 1
	}
	l.span = span{int32(open.pos), int32(after)}
	if open.image {
		l.start--
	} else {
		// Links do not nest: brackets around this one open no link, and what
		// looked like an address in its text is its text.
		p.dead = n
		p.dropBare(open.links)
	}
	p.links = append(p.links, l)
	return after
}

// inlineTarget reads "(target "title")" at i and returns the target and the
// offset after it, or -1.
func (p *parser) inlineTarget(i, end int) (span, int) {
	if p.budget <= 0 {
		return span{}, -1
	}
	target, _, after, cost := readTarget(p.src[:end], i)
	p.spend(cost)
	return target, after
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

// dropBare forgets the addresses written down since there were n links.
func (p *parser) dropBare(n int) {
	if len(p.links) == n {
		return
	}
	keep := p.links[:n]
	for _, l := range p.links[n:] {
		if l.kind != doc.Auto || p.src[l.start] == '<' {
			keep = append(keep, l)
		}
	}
	p.links = keep
}

// finishLinks puts the links of block b in reading order and gives them their
// text, line and section. Links are written down where they end, so one that
// holds another comes after it; texts are taken from the last to the first, so
// that the inner text is known when the outer is put together.
func (p *parser) finishLinks(b *block, sec int) {
	links := p.links[p.linksFrom:]
	if len(links) == 0 {
		return
	}
	for i := 1; i < len(links); i++ {
		if links[i].start < links[i-1].start {
			slices.SortFunc(links, func(a, b link) int { return int(a.start - b.start) })
			break
		}
	}
	for i := len(links) - 1; i >= 0; i-- {
		if l := &links[i]; l.inner.end > 0 {
			l.words = p.plainText(l.inner, links[i+1:])
		}
	}
	at, line := b.start, b.first
	for i := range links {
		l := &links[i]
		line += int32(bytes.Count(p.src[at:l.start], newline))
		at = l.start
		l.line, l.section = line, int32(sec)
	}
}

var newline = []byte{'\n'}

// tickRuns finds the ends of code spans. When a run of backticks has no partner
// the rest of the text has been read; where each length was last seen is kept,
// so that it is read once only. Runs over maxTicks open nothing.
type tickRuns struct {
	known bool // last is complete
	dirty bool // last holds something
	last  [maxTicks + 1]int
}

// reset makes t ready for another text.
func (t *tickRuns) reset() {
	if t.dirty {
		*t = tickRuns{}
	}
}

const maxTicks = 80

// span returns the content of the code span that begins at i and the offset
// after it; when the backticks open none, an empty content and the offset after
// them.
func (t *tickRuns) span(s []byte, i int) (content span, after int) {
	n := run(s[i:], '`')
	from := i + n
	if n > maxTicks || t.known && t.last[n] <= i {
		return content, from
	}
	for j := from; j < len(s); {
		k := bytes.IndexByte(s[j:], '`')
		if k < 0 {
			break
		}
		j += k
		m := run(s[j:], '`')
		if m == n {
			return span{int32(from), int32(j)}, j + m
		}
		if m <= maxTicks && !t.known {
			t.last[m], t.dirty = j, true
		}
		j += m
	}
	t.known, t.dirty = true, true
	return content, from
}
