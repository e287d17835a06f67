package graph

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A cursor reads a record. After an error it gives zeros.
type cursor struct {
	r   *Reader
	b   []byte
	err error
}

func (c *cursor) uint() int {
	v, n := binary.Uvarint(c.b)
	if n <= 0 || v > math.MaxInt32 {
		c.fail()
		return 0
	}
	c.b = c.b[n:]
	return int(v)
}

func (c *cursor) int() int {
	v, n := binary.Varint(c.b)
	if n <= 0 || v > math.MaxInt32 || v < math.MinInt32 {
		c.fail()
		return 0
	}
	c.b = c.b[n:]
	return int(v)
}

// count reads a number of things, each of at least one byte.
func (c *cursor) count() int {
	n := c.uint()
	if n > len(c.b) {
		c.fail()
		return 0
	}
	return n
}

func (c *cursor) fail() {
	if c.err == nil {
		c.err = fmt.Errorf("%w: a record is damaged", ErrFormat)
	}
	c.b = nil
}

func (c *cursor) str(i int) (s string) {
	if c.err == nil {
		s, c.err = c.r.str(i)
	}
	return s
}

// names reads the names, with which a record begins.
func (c *cursor) names() []Name {
	var out []Name
	for range c.count() {
		v := c.uint()
		out = append(out, Name{c.str(v >> 1), v&1 != 0})
	}
	return out
}

// anchors reads the anchors, which follow the names.
func (c *cursor) anchors(skip bool) []Anchor {
	var out []Anchor
	for range c.count() {
		if skip {
			c.uint()
			c.uint()
			continue
		}
		out = append(out, Anchor{c.str(c.uint()), c.uint()})
	}
	return out
}

func (c *cursor) skipNames() {
	for range c.count() {
		c.uint()
	}
}

// A linkCursor reads the links of a record one by one, looking strings up only
// for those that are wanted.
type linkCursor struct {
	cursor
	left          int
	section, line int
	long          map[int]string // strings that were read, by number; see longString
}

// longString is from how many bytes on a string of one file is read once. A definition of
// a few bytes can give a kilobyte to each of 50,000 links.
const longString = 64

// str reads a string. Links that have a long one share it.
func (c *linkCursor) str(i int) string {
	if s, ok := c.long[i]; ok {
		return s
	}
	s := c.cursor.str(i)
	if len(s) >= longString {
		if c.long == nil {
			c.long = map[int]string{}
		}
		c.long[i] = s
	}
	return s
}

// next reads a link; without its strings, unless they are wanted.
func (c *linkCursor) next(want bool) Link {
	c.left--
	if len(c.b) == 0 {
		c.fail()
		return Link{}
	}
	flags := c.b[0]
	c.b = c.b[1:]
	c.section += c.int()
	c.line += c.int()
	l := Link{
		Kind: Kind(flags & kindBits), Image: flags&imageFlag != 0, cut: flags&cutFlag != 0,
		Section: c.section, Line: c.line,
	}
	target, text := c.uint(), 0
	if flags&textFlag != 0 {
		text = c.uint()
	}
	if !want || c.err != nil {
		return l
	}
	l.Target = c.str(target)
	if flags&textFlag == 0 {
		l.Text = impliedText(l.Kind, l.Target)
	} else {
		l.Text = c.str(text)
	}
	return l
}
