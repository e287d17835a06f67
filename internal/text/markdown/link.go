package markdown

import (
	"bytes"

	"github.com/docent-md/docent/doc"
)

// wikiLink looks for "[[target#heading|text]]" at i and returns the offset
// after it, or -1. "[[a]](b)" is an ordinary link whose text has brackets, and
// "[[a]]" a reference in brackets when a is defined. The search ends at the next
// "[" or line, so it costs no more than the distance to it.
func (p *parser) wikiLink(i, end int, image bool) int {
	s := p.src
	j := i + 2
	bar := -1
	for ; j < end && j < i+maxLabel; j++ {
		switch s[j] {
		case '[', '\n':
			return -1
		case '|':
			if bar < 0 {
				bar = j
			}
		case ']':
			if j+1 >= end || s[j+1] != ']' {
				return -1
			}
			goto found
		}
	}
	return -1
found:
	if j == i+2 || isSpace(s[i+2]) || bar == i+2 || j+2 < end && s[j+2] == '(' {
		return -1
	}
	if _, ok := p.defined(s[i+2 : j]); ok {
		return -1
	}
	target := span{int32(i + 2), int32(j)}
	words := target
	if bar >= 0 {
		words.start, target.end = int32(bar+1), int32(bar)
		if s[bar-1] == '\\' { // "\|", as it is written in tables
			target.end--
		}
	}
	l := link{
		kind: doc.Wiki, image: image, words: p.trim(words), target: p.trim(target),
		span: span{int32(i), int32(j + 2)},
	}
	if image {
		l.start--
	}
	p.links = append(p.links, l)
	return j + 2
}

// angle handles the "<" at i, an address or an HTML tag, and returns the offset
// to go on from.
func (p *parser) angle(i, end int) int {
	s := p.src[:end]
	if i+1 >= end {
		return i + 1
	}
	if e, _ := autolinkEnd(s, i); e > 0 {
		p.addURL(span{int32(i), int32(e)}, span{int32(i + 1), int32(e - 1)})
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
	p.tagLink(s, i, e)
	return e
}

// addURL writes down an address, which is its own text.
func (p *parser) addURL(all, url span) {
	p.links = append(p.links, link{kind: doc.Auto, span: all, words: url.str(), target: url.str()})
}

// trim returns s without white space around it.
func (p *parser) trim(s span) str {
	for s.start < s.end && isSpace(p.src[s.start]) {
		s.start++
	}
	for s.start < s.end && isSpace(p.src[s.end-1]) {
		s.end--
	}
	return s.str()
}

// autolinkEnd returns the offset after the address "<scheme:...>" or "<a@b>" at
// i, or -1, and whether it is one for mail.
func autolinkEnd(s []byte, i int) (after int, mail bool) {
	j := i + 1
	for j < len(s) && mailBytes[s[j]] {
		j++
	}
	if j >= len(s) || j == i+1 {
		return -1, false
	}
	if s[j] == '@' {
		return mailEnd(s, j+1), true
	}
	j = i + 1
	for j < len(s) && (isLetter(s[j]) || isDigit(s[j]) || s[j] == '+' || s[j] == '.' || s[j] == '-') {
		j++
	}
	if n := j - i - 1; n < 2 || n > 32 || j >= len(s) || s[j] != ':' || !isLetter(s[i+1]) {
		return -1, false
	}
	for j++; j < len(s); j++ {
		switch c := s[j]; {
		case c == '>':
			return j + 1, false
		case c <= ' ' || c == '<' || c == 0x7f:
			return -1, false
		}
	}
	return -1, false
}

// mailBytes may stand before the "@" of an address for mail.
var mailBytes = func() (t [256]bool) {
	for i := range t {
		c := byte(i)
		t[i] = isLetter(c) || isDigit(c) || bytes.IndexByte([]byte(".!#$%&'*+/=?^_`{|}~-"), c) >= 0
	}
	return t
}()

// mailEnd returns the offset after "host>", the rest of an address for mail, or
// -1. The labels of a host have 63 bytes at most, and no "-" at their ends.
func mailEnd(s []byte, i int) int {
	for {
		from := i
		for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '-') {
			i++
		}
		if n := i - from; i >= len(s) || n == 0 || n > 63 || s[from] == '-' || s[i-1] == '-' {
			return -1
		}
		switch s[i] {
		case '>':
			return i + 1
		case '.':
			i++
		default:
			return -1
		}
	}
}

// tagLink writes down the link of the tag s[i:e], <a href> or <img src>.
func (p *parser) tagLink(s []byte, i, e int) {
	n := tagName(s[i+1 : e])
	switch {
	case n == 1 && s[i+1]|0x20 == 'a':
		if href := tagValue(s[:e], i+1+n, "href"); href.end > 0 {
			// Its text goes on to the end tag, which is near or not looked for.
			inner, after := span{int32(e), int32(e)}, e
			near := s[e:min(len(s), e+maxLabel)]
			if k := bytes.Index(near, []byte("</a>")); k >= 0 {
				inner.end, after = int32(e+k), e+k+4
			}
			p.spend(len(near))
			p.links = append(p.links, link{
				target: href.str(), inner: inner, span: span{int32(i), int32(after)},
			})
		}
	case n == 3 && lower(s[i+1:i+4]) == "img":
		if src := tagValue(s[:e], i+1+n, "src"); src.end > 0 {
			alt := tagValue(s[:e], i+1+n, "alt")
			p.links = append(p.links, link{
				image: true, words: p.trim(alt), target: src.str(), span: span{int32(i), int32(e)},
			})
		}
	}
}

// tagValue returns the value of the attribute called name in the tag that s
// ends with, whose attributes begin at i.
func tagValue(s []byte, i int, name string) span {
	for {
		i = skipSpace(s, i)
		if i >= len(s) || !isLetter(s[i]) && s[i] != '_' && s[i] != ':' {
			return span{}
		}
		end, value, after := attribute(s, i)
		if after < 0 {
			return span{}
		}
		if value > 0 && lower(s[i:end]) == name {
			if q := s[value-1]; q == '"' || q == '\'' {
				return span{int32(value), int32(after - 1)}
			}
			return span{int32(value), int32(after)}
		}
		i = after
	}
}

// htmlLinks finds the links in an HTML block. Scripts and comments have none.
func (p *parser) htmlLinks(i, end int) {
	s := p.src[:end]
	for i < end && p.budget > 0 && len(p.links) < maxLinks {
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
		p.tagLink(s, i, e)
		i = e
	}
}

// rawElement returns the offset after the script or style element whose tag is
// s[i:e], or -1 when it is none.
func rawElement(s []byte, i, e int) int {
	name := lower(s[i+1 : i+1+tagName(s[i+1:e])])
	if name != "script" && name != "style" {
		return -1
	}
	for rest := e; ; {
		n := bytes.Index(s[rest:], []byte("</"))
		if n < 0 {
			return len(s)
		}
		rest += n + 2
		if lower(s[rest:rest+tagName(s[rest:])]) == name {
			if n := bytes.IndexByte(s[rest:], '>'); n >= 0 {
				return rest + n + 1
			}
			return len(s)
		}
	}
}

// bareURL looks for an http address around the ":" at i, as GitHub does, and
// returns the offset to go on from.
func (p *parser) bareURL(i, end int) int {
	s := p.src[:end]
	if i+3 >= end || s[i+1] != '/' || s[i+2] != '/' {
		return i + 1
	}
	start := i - 4
	if i >= 5 && s[i-1]|0x20 == 's' {
		start = i - 5
	}
	if start < 0 || lower(s[start:start+4]) != "http" {
		return i + 1
	}
	if start > 0 {
		switch c := s[start-1]; c {
		case ' ', '\t', '\n', '\r', '*', '_', '~', '(', '[', '|', '>', '"', '\'', ',', ':', ';':
		default:
			if c < 0x80 {
				return i + 1
			}
		}
	}
	e := i + 3
	for e < end && s[e] > ' ' && s[e] != '<' && s[e] != '`' && s[e] != '|' && s[e] != '"' && s[e] != ']' && s[e] != '{' {
		e++
	}
	e = trimURL(s, i+3, e)
	if e == i+3 || !isLetter(s[i+3]) && !isDigit(s[i+3]) && s[i+3] < 0x80 {
		return i + 1
	}
	url := span{int32(start), int32(e)}
	p.addURL(url, url)
	return e
}

// trimURL takes punctuation that ends a sentence rather than an address, and
// parentheses that were not opened in it, off the end e.
func trimURL(s []byte, i, e int) int {
	unopened := bytes.Count(s[i:e], []byte{')'}) - bytes.Count(s[i:e], []byte{'('})
	for e > i {
		switch s[e-1] {
		case '?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', '\\', '}', '>':
		case ')':
			if unopened <= 0 {
				return e
			}
			unopened--
		default:
			return e
		}
		e--
	}
	return e
}
