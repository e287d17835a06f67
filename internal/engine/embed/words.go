package embed

// How text becomes words.
//
// A word is a run of letters and digits, in lower case; an apostrophe within it
// is left out ("don't" is "dont"). Names are kept whole and taken apart:
//
//	parseHTTPHeader    parsehttpheader, parse, http, header
//	max_chunk-size     maxchunksize, max, chunk, size
//	std::vector.push   std.vector.push, std, vector, push
//
// The whole is written without "_" and "-", so that a name is the same word in
// every case style. Runs are joined by one "-" or "." or "::" or any number of
// "_" between two letters or digits.
//
// Chinese, Japanese and Korean text, which has no spaces, gives its pairs of
// neighbouring characters.
//
// A word over 64 bytes is none: it is a key, a hash or an attack. A whole name
// over 64 bytes gives its parts only. Every byte is looked at a bounded number of
// times, and at any time a hundred bytes of the text are in memory.

import (
	"unicode"
	"unicode/utf8"
)

// maxWord is the longest word, in bytes.
const maxWord = 64

// The classes of ASCII characters.
const (
	other = iota
	lower
	upper
	digit
	under // "_"
	joint // "-" and "."
	colon
	quote
	pairs // of a script written without spaces
)

var classes = func() (c [utf8.RuneSelf]uint8) {
	for b := range c {
		switch {
		case b >= 'a' && b <= 'z':
			c[b] = lower
		case b >= 'A' && b <= 'Z':
			c[b] = upper
		case b >= '0' && b <= '9':
			c[b] = digit
		}
	}
	c['_'], c['-'], c['.'], c[':'], c['\''] = under, joint, joint, colon, quote
	return c
}()

// A splitter collects one name at a time. The zero value is ready for use.
type splitter struct {
	buf     []byte // the whole name so far, in lower case
	from    int    // where the part being read begins in it
	capital int    // the place of its last capital
	drop    bool   // the part being read is too long
	long    bool   // the whole is too long
	parts   int    // finished parts that were words
	ends    []span // them, as long as the whole is not too long
}

type span struct{ from, to int }

// split calls add for every word of s. The bytes are the splitter's: add must not
// keep them.
func (w *splitter) split(s string, add func(word []byte)) {
	if w.buf == nil {
		w.buf = make([]byte, 0, 2*maxWord)
	}
	w.reset()
	last := uint8(other) // the class of the letter before, in this name
	tooLong := 0         // where a run of letters ends that is longer than a word may be: it is looked at once
	for i := 0; i < len(s); {
		r, size, c := rune(s[i]), 1, uint8(other)
		if r < utf8.RuneSelf {
			c = classes[r]
		} else {
			r, size = utf8.DecodeRuneInString(s[i:])
			c = class(r)
		}
		switch c {
		case lower, digit:
			// Of a row of capitals the last one begins the next part.
			if c == lower && last == upper && w.capital > w.from && !w.drop {
				w.part(w.capital, add)
			}
			n := 0
			if i >= tooLong {
				if n = asciiRun(s[i:]); len(w.buf)-w.from+n > maxWord {
					tooLong, n = i+n, 0
				}
			}
			if n > 0 {
				w.buf, size = append(w.buf, s[i:i+n]...), n
			} else {
				w.buf = utf8.AppendRune(w.room(), unicode.ToLower(r))
			}
		case upper:
			if last == lower || last == digit {
				w.part(len(w.buf), add)
			}
			buf := w.room()
			w.capital = len(buf)
			w.buf = utf8.AppendRune(buf, unicode.ToLower(r))
		case quote:
			c = last // it is passed over
		case pairs:
			w.finish(add)
			size = w.pairs(s[i:], add)
			c = other
		default:
			if n := joins(s, i, c, last); n > 0 {
				size = n
				w.part(len(w.buf), add)
				if r != '_' && r != '-' {
					w.buf = append(w.room(), '.')
					w.from = len(w.buf)
				}
			} else {
				w.finish(add)
			}
			c = other
		}
		last = c
		i += size
	}
	w.finish(add)
}

// asciiRun is how many small letters and digits of ASCII s begins with.
func asciiRun(s string) int {
	for i := range len(s) {
		if b := s[i]; b >= utf8.RuneSelf || classes[b] != lower && classes[b] != digit {
			return i
		}
	}
	return len(s)
}

// joins tells how many bytes from s[i] on, which is of class c and follows one of
// class last, join two parts of a name.
func joins(s string, i int, c, last uint8) int {
	if last == other {
		return 0
	}
	n := 0
	switch c {
	case under:
		for i+n < len(s) && s[i+n] == '_' && n < maxWord {
			n++
		}
	case joint:
		n = 1
	case colon:
		if i+1 < len(s) && s[i+1] == ':' {
			n = 2
		}
	}
	if n == 0 || i+n == len(s) {
		return 0
	}
	if next := s[i+n]; next < utf8.RuneSelf && (classes[next] < lower || classes[next] > digit) {
		return 0
	}
	return n
}

func (w *splitter) reset() {
	w.buf, w.ends = w.buf[:0], w.ends[:0]
	w.from, w.parts, w.drop, w.long = 0, 0, false, false
}

// room returns where the next letter goes. When the part is too long the letter
// is written over the last one.
func (w *splitter) room() []byte {
	if len(w.buf)-w.from > maxWord {
		w.drop = true
		return w.buf[:w.from+maxWord]
	}
	return w.buf
}

// part ends a part at an offset of the buffer; what follows begins the next.
func (w *splitter) part(end int, add func([]byte)) {
	n := end - w.from
	if n > 0 && n <= maxWord && !w.drop {
		w.parts++
		if w.long {
			add(w.buf[w.from:end])
		} else {
			w.ends = append(w.ends, span{w.from, end})
		}
	} else if n > 0 {
		w.long = true
	}
	w.drop = false
	if len(w.buf) > maxWord { // the whole is too long: keep only what was not told yet
		w.long = true
		w.flush(add)
		w.buf = w.buf[:copy(w.buf, w.buf[end:])]
		end = 0
	}
	w.from = end
}

// flush tells the parts that are waiting for the whole.
func (w *splitter) flush(add func([]byte)) {
	for _, p := range w.ends {
		add(w.buf[p.from:p.to])
	}
	w.ends = w.ends[:0]
}

func (w *splitter) finish(add func([]byte)) {
	if len(w.buf) == 0 && !w.long {
		return
	}
	if w.from == 0 && w.parts == 0 && !w.long && !w.drop && len(w.buf) <= maxWord { // most words
		add(w.buf)
		w.buf = w.buf[:0]
		return
	}
	w.part(len(w.buf), add)
	if w.parts > 1 && !w.long {
		add(w.buf)
	}
	w.flush(add)
	w.reset()
}

// pairs tells the pairs of neighbours of the unspaced letters s begins with, or
// the one there is, and returns how many bytes those are.
func (w *splitter) pairs(s string, add func([]byte)) int {
	prev, at := 0, 0 // where the letter before begins, and this one
	for n := 0; ; n++ {
		r, size := utf8.DecodeRuneInString(s[at:])
		if size == 0 || class(r) != pairs {
			if n == 1 {
				add(append(w.buf[:0], s[:at]...))
			}
			return at
		}
		if n > 0 {
			add(append(w.buf[:0], s[prev:at+size]...))
		}
		prev, at = at, at+size
	}
}

// class is the class of a character beyond ASCII.
func class(r rune) uint8 {
	switch {
	case r == '’':
		return quote
	case r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return pairs
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return lower
	case unicode.IsNumber(r):
		return digit
	}
	return other
}
