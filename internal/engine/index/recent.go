package index

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// How words that come again and again are indexed.
//
// Nearly all words of a text are common ones, written as they were a moment ago.
// So a Writer remembers of short chains of ASCII runs, as they are in the
// text, which forms they count for: to find one again costs a comparison of three
// numbers, instead of cutting it up, lower-casing it and looking each form up.
// There is one place for each hash, and the latest chain takes it, so that what
// is remembered stays in the processor's cache whatever the texts are. What is
// not remembered goes the long way (tokenize.go), to the same result.

// A chain of recentBytes characters at most is remembered, if it counts for no
// more than recentForms: a cache line of the processor holds it then.
const (
	recentChains = 1 << 12 // a quarter of a megabyte: a larger table finds more, but slower
	recentBytes  = 24
	recentForms  = 8
)

// A chain is its characters, the first lowest, filled up with zeros.
type chain struct{ a, b, c uint64 }

// A recent is a chain and what it counts for.
type recent struct {
	chain
	forms [recentForms]uint32
	n     uint8 // forms, that of the first run first
	runs  uint8
}

// words counts the words of s for text num in field f, and returns how many
// there are.
func (w *Writer) words(num int32, f int, s string) int {
	length := 0
	var seen [recentForms]uint32
	n := 0
	emit := func(k kind, text []byte) {
		switch k {
		case wordToken, pairToken:
			length++
			k = wordToken
		}
		at := w.form(k, text)
		w.count(num, f, at)
		if n < len(seen) {
			seen[n] = at
		}
		n++
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if asciiClass[c] == notWord {
				i++
				continue
			}
			end := chainEnd(s, i)
			if end == 0 {
				i = w.tok.chain(s, i, emit)
				continue
			}
			c := pack(s, i, end-i)
			r := w.recall(c)
			if r.a == c.a && r.b == c.b && r.c == c.c {
				for _, at := range r.forms[:r.n] {
					w.count(num, f, at)
				}
				length += int(r.runs)
				i = end
				continue
			}
			n = 0
			before := length
			i = w.tok.chain(s, i, emit)
			if n <= len(seen) {
				*r = recent{c, seen, uint8(n), uint8(length - before)}
			}
			continue
		}
		ch, size := utf8.DecodeRuneInString(s[i:])
		switch classOf(ch) {
		case spaced:
			i = w.tok.chain(s, i, emit)
		case paired:
			i = w.tok.pairs(s, i, emit)
		default:
			i += size
		}
	}
	return length
}

// recall returns the place of a chain, where another may be.
func (w *Writer) recall(c chain) *recent {
	h := (c.a ^ c.b*0x9e3779b97f4a7c15 ^ c.c*0xc2b2ae3d27d4eb4f) * 0xff51afd7ed558ccd
	return &w.recent[h>>32&uint64(len(w.recent)-1)]
}

// chainEnd returns where the chain of runs that begins at s[i] ends, if it is one
// that may be remembered; else 0.
func chainEnd(s string, i int) int {
	limit := min(len(s), i+recentBytes)
	for {
		for i < limit && asciiClass[s[i]] != notWord {
			i++
		}
		if i == len(s) {
			return i
		}
		next := i + 1
		switch c := s[i]; {
		case c == '-' || c == '.':
		case c == ':' && next < len(s) && s[next] == ':':
			next++
		case c >= utf8.RuneSelf || asciiClass[c] != notWord:
			return 0
		default:
			return i
		}
		if next == len(s) || s[next] < utf8.RuneSelf && asciiClass[s[next]] == notWord {
			return i
		}
		if s[next] >= utf8.RuneSelf || next >= limit {
			return 0
		}
		i = next
	}
}

// pack returns n bytes of s from i on, the first lowest, filled up with zeros.
func pack(s string, i, n int) (c chain) {
	if i+recentBytes > len(s) {
		var b [recentBytes]byte
		copy(b[:n], s[i:])
		return chain{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])}
	}
	c.a = eight(s, i)
	switch {
	case n <= 8:
		c.a &= ^uint64(0) >> (64 - 8*n)
	case n <= 16:
		c.b = eight(s, i+8) & (^uint64(0) >> (128 - 8*n))
	default:
		c.b = eight(s, i+8)
		c.c = eight(s, i+16) & (^uint64(0) >> (192 - 8*n))
	}
	return c
}

// How the rest of a text is indexed.
//
// Rest is mostly the source that the body was made from, so that nearly all of
// its runs occur in the body too, in the same order, and are indexed already.
// To see that a stretch of it is the same as what comes next in the body is much
// cheaper than to look its runs up. What occurs in the source only, markup and
// addresses, leaves the place in the body where it is, and what the body has in
// addition is passed over if it is short. A run that is not found this way is
// looked up like any other; only time is lost where the two have little in
// common.

// ahead is how many runs of the body a run is compared with.
const ahead = 3

// A follower goes through a text from run to run. Runs are cut a little too long
// here: any character that is not ASCII is taken for part of one.
type follower struct {
	text  string
	at    int        // where the next run may begin
	begin [ahead]int // where the next runs begin, as far as known
	known int
}

// follow returns how much of s, which begins with a run, comes next in the text,
// or a little further on; 0 if the run does not. Where that ends, runs end too.
func (f *follower) follow(s string, run int) int {
	for i := range ahead {
		if i == f.known && !f.find() {
			return 0
		}
		from := f.begin[i]
		if !strings.HasPrefix(f.text[from:], s[:run]) || from+run < len(f.text) && inRun(f.text[from+run]) {
			continue
		}
		n := run + commonPrefix(s[run:], f.text[from+run:])
		for n > run && inRun(s[n-1]) {
			n-- // perhaps the run goes on in one of them
		}
		f.at, f.known = from+n, 0
		return n
	}
	return 0
}

// find finds where one run more begins, and reports whether there is one.
func (f *follower) find() bool {
	i := f.at
	if f.known > 0 {
		i = runEnd(f.text, f.begin[f.known-1])
	}
	for i < len(f.text) && !inRun(f.text[i]) {
		i++
	}
	if i == len(f.text) {
		return false
	}
	f.begin[f.known] = i
	f.known++
	return true
}

func inRun(c byte) bool { return asciiClass[c] != notWord || c >= utf8.RuneSelf }

func runEnd(s string, i int) int {
	for i < len(s) && inRun(s[i]) {
		i++
	}
	return i
}

// commonPrefix returns how many bytes a and b have in common at their beginning.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := eight(a, i) ^ eight(b, i); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// eight returns eight bytes of s, the first lowest.
func eight(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// rest makes sure that all runs of a text are indexed, given the body, which is.
func (w *Writer) rest(num int32, body, rest string) {
	w.tok.whole = true
	visit := func(_ kind, text []byte) { w.visit(num, w.form(wordToken, text)) }
	f := follower{text: body}
	for i := 0; i < len(rest); {
		if !inRun(rest[i]) {
			i++
			continue
		}
		end := runEnd(rest, i)
		if n := f.follow(rest[i:], end-i); n > 0 {
			i += n
			continue
		}
		if end-i <= recentBytes {
			c := pack(rest, i, end-i)
			if r := w.recall(c); r.chain == c {
				w.visit(num, r.forms[0])
				i = end
				continue
			}
		}
		w.tok.each(rest[i:end], visit)
		i = end
	}
}
