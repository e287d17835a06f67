package markdown

import (
	"bytes"

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

// A linkFinder finds the links of one text after another.
type linkFinder struct {
	*record
	ticks    tickRuns
	brackets []bracket
	dead     int // brackets below this one can no longer open a link
}

// textLinks finds the links in the text between i and end.
func (p *linkFinder) textLinks(i, end int) {
	s := p.text[:end]
	p.brackets, p.dead = p.brackets[:0], 0
	p.ticks.reset()
	escaped := -1
	for len(p.links) < MaxLinks {
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
			var url span
			if url, i = bareURL(s, i); url.end > 0 {
				p.links = append(p.links, addressLink(url, url))
			}
		case '[':
			i = p.openBracket(s, i, i > 0 && s[i-1] == '!' && escaped != i)
		case ']':
			i = p.closeBracket(i, end)
		}
	}
}

// openBracket handles the "[" at i and returns the offset to go on from. "[[a]]"
// is a wiki link, or a reference in brackets when a is defined.
func (p *linkFinder) openBracket(s []byte, i int, image bool) int {
	if i+1 < len(s) && s[i+1] == '[' {
		if l := wikiLink(s, i); l.end > 0 {
			if _, ok := p.defs.find(s[i+2 : l.end-2]); !ok {
				after := int(l.end)
				if l.image = image; image {
					l.start--
				}
				p.links = append(p.links, l)
				return after
			}
		}
	}
	if n := len(p.brackets); n > 0 {
		p.brackets[n-1].nested = true
	}
	if len(p.brackets) < maxBrackets {
		p.brackets = append(p.brackets, bracket{pos: i, links: len(p.links), image: image})
	}
	return i + 1
}

// closeBracket handles the "]" at i and returns the offset to go on from.
func (p *linkFinder) closeBracket(i, end int) int {
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
	if i+1 < end && p.text[i+1] == '(' {
		var target span
		if target, after = p.inlineTarget(i+1, end); after > 0 {
			l.kind, l.target = doc.Inline, target.str()
		}
	}
	if after < 0 && len(p.defs.targets) > 0 {
		var label []byte
		label, after = referenceLabel(p.text[:end], open.pos+1, i, open.nested)
		target, ok := p.defs.find(label)
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
func (p *linkFinder) inlineTarget(i, end int) (span, int) {
	if p.budget <= 0 {
		return span{}, -1
	}
	target, _, after, cost := readTarget(p.text[:end], i)
	p.spend(cost)
	return target, after
}

// dropBare forgets the addresses written down since there were n links.
func (p *linkFinder) dropBare(n int) {
	if len(p.links) == n {
		return
	}
	keep := p.links[:n]
	for _, l := range p.links[n:] {
		if l.kind != doc.Auto || p.text[l.start] == '<' {
			keep = append(keep, l)
		}
	}
	p.links = keep
}

// angle handles the "<" at i, an address or an HTML tag, and returns the offset
// to go on from.
func (p *linkFinder) angle(i, end int) int {
	s := p.text[:end]
	if i+1 >= end {
		return i + 1
	}
	if e, _ := autolinkEnd(s, i); e > 0 {
		p.links = append(p.links, addressLink(span{int32(i), int32(e)}, span{int32(i + 1), int32(e - 1)}))
		return e
	}
	if p.budget <= 0 {
		return i + 1
	}
	e := markupEnd(s, i)
	if e < 0 {
		p.spend(-e)
		return i + 1
	}
	p.addTag(s, i, e)
	return e
}

// htmlLinks finds the links in an HTML block. Scripts and comments have none.
func (p *linkFinder) htmlLinks(i, end int) {
	s := p.text[:end]
	for i < end && p.budget > 0 && len(p.links) < MaxLinks {
		n := bytes.IndexByte(s[i:], '<')
		if n < 0 {
			return
		}
		i += n
		e := markupEnd(s, i)
		if e < 0 {
			p.spend(-e)
			i++
			continue
		}
		if raw := rawElement(s, i, e); raw > 0 {
			i = raw
			continue
		}
		p.addTag(s, i, e)
		i = e
	}
}

// macro looks at the call that begins at i, writes it down when it is a macro
// with arguments, and returns the offset after it.
func (p *linkFinder) macro(i, end int) int {
	s := p.text[:end]
	e := callEnd(s, i)
	if e < 0 {
		return i + 2
	}
	at := skipSpace(s, i+2)
	if at >= e-2 || !isLetter(s[at]) {
		return i + 3 // the captions of shortcodes may hold links
	}
	body := s[at : e-2]
	for isSpace(body[len(body)-1]) {
		body = body[:len(body)-1]
	}
	from, to := macroArgs(body)
	if from == to {
		return e
	}
	p.links = append(p.links, link{
		kind: doc.Macro, words: p.argWords(at+from, at+to),
		target: str{int32(at), int32(len(body))},
		span:   span{int32(i), int32(e)},
	})
	return e
}

// argWords returns the words of the macro arguments between from and to. The
// usual single argument is cut from the file.
func (p *linkFinder) argWords(from, to int) str {
	args := p.text[from:to]
	if n := len(args); n > 2 && args[0] == '"' && args[1] != '#' && bytes.IndexByte(args[1:], '"') == n-2 {
		return span{int32(from + 1), int32(to - 1)}.str()
	}
	n := len(p.made)
	p.made = appendArgs(p.made, args)
	return p.madeFrom(n)
}

// addTag writes down the link of the tag s[i:e], if it is one.
func (p *linkFinder) addTag(s []byte, i, e int) {
	if l, cost, ok := tagLink(s, i, e); ok {
		p.spend(cost)
		p.links = append(p.links, l)
	}
}
