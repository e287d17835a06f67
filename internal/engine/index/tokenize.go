package index

import (
	"unicode"
	"unicode/utf8"
)

// How text becomes terms.
//
// A run is a longest sequence of word characters: letters, marks and digits of
// any script, and the underscore. Bytes that are not UTF-8 are no word
// characters. Every run is lower-cased rune by rune (see fold) and indexed
// whole, however long it is: "addeventlistener", "max_size", "v1".
//
// Scripts that put no spaces between words (Chinese, Japanese, Korean, Thai,
// Lao, Khmer, Burmese) form runs of their own, so "使用Pod" is two runs. Such a
// run is indexed as its overlapping pairs of characters, or as it is when it
// has one character only.
//
// An identifier is also indexed in parts: at underscores and at camel humps
// ("add", "event", "listener"; "xml", "http", "request"). Parts of one
// character say nothing and are left out.
//
// Runs joined by "-", "." or "::" are also indexed as one ("kube-proxy",
// "a.b.c", "v1.2.3"), in the form normalise gives them: that of the word
// written in one piece, so that "Node.js" meets "NodeJS" and "read-only" meets
// "readonly".
//
// The guarantee grep builds on: take any place in a text and cut there the
// longest sequence of word characters that are all of spaceless scripts, or all
// of others. In the latter case the lower-cased sequence is a term of that
// text; in the former, every two adjacent characters of it are.

// kind says how a token came about.
type kind uint8

const (
	wordToken   kind = iota // a run
	pairToken               // two adjacent characters, or a lone one, of a spaceless script
	partToken               // a part of the run reported just before
	joinedToken             // several runs joined, with their joiners
)

// Joined forms are for names. Longer chains are file paths, host names and
// tables of numbers, whose runs are enough.
const (
	maxJoinedBytes = 48
	maxJoinedRuns  = 5
)

// A tokenizer cuts text into tokens. Its buffer is reused from text to text.
type tokenizer struct {
	buf   []byte
	whole bool // report runs and pairs only
}

const (
	notWord = iota
	spaced  // belongs to a run that is indexed whole
	paired  // belongs to a run that is indexed in pairs
)

// asciiClass and asciiLower serve the common case without a call.
var asciiClass, asciiLower = func() (class, lower [256]byte) {
	for c := range 256 {
		lower[c] = byte(c)
		switch {
		case 'A' <= c && c <= 'Z':
			class[c], lower[c] = spaced, byte(c)+'a'-'A'
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '_':
			class[c] = spaced
		}
	}
	return class, lower
}()

// classOf tells word characters from others. It looks at nothing but the rune,
// so that a piece of a text is classed like the text.
func classOf(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return int(asciiClass[r])
	case 0x4e00 <= r && r <= 0x9fff, 0xac00 <= r && r <= 0xd7a3:
		return paired
	case r == utf8.RuneError || !unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl):
		return notWord
	case spaceless(r) && !unicode.In(r, unicode.Nd, unicode.Nl):
		return paired
	}
	return spaced
}

// spaceless reports whether r is in a block of a script written without
// spaces between words.
func spaceless(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r < 0x0f00, // Thai, Lao
		0x1000 <= r && r < 0x10a0,                            // Burmese
		0x1100 <= r && r < 0x1200,                            // Hangul jamo
		0x1780 <= r && r < 0x1800,                            // Khmer
		0x3005 <= r && r < 0x3008, 0x3021 <= r && r < 0x3100, // kana
		0x3130 <= r && r < 0x3190,                            // Hangul compatibility jamo
		0x31f0 <= r && r < 0x3200,                            // kana extensions
		0x3400 <= r && r < 0xa000,                            // Han
		0xa960 <= r && r < 0xa980, 0xac00 <= r && r < 0xd800, // Hangul
		0xf900 <= r && r < 0xfb00,   // Han compatibility
		0xff66 <= r && r < 0xffdd,   // half width kana and Hangul
		0x1aff0 <= r && r < 0x1b170, // kana supplements
		0x20000 <= r && r < 0x40000: // Han extensions
		return true
	}
	return false
}

// each calls emit for every token of s in order. A token's text is valid until
// emit returns.
func (t *tokenizer) each(s string, emit func(k kind, text []byte)) {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && asciiClass[c] == notWord {
			i++
			continue
		}
		i = t.next(s, i, emit)
	}
}

// next reports the tokens of what begins at s[i], and returns where it ends.
func (t *tokenizer) next(s string, i int, emit func(k kind, text []byte)) int {
	if s[i] < utf8.RuneSelf {
		return t.chain(s, i, emit)
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	switch classOf(r) {
	case spaced:
		return t.chain(s, i, emit)
	case paired:
		return t.pairs(s, i, emit)
	}
	return i + n
}

// chain reports the run that begins at s[i], the runs joined to it, their parts
// and the joined form. It returns where the last run ends.
func (t *tokenizer) chain(s string, i int, emit func(kind, []byte)) int {
	t.buf = t.buf[:0]
	for runs := 1; ; runs++ {
		from, end, humps := len(t.buf), i, false
		end, humps = t.run(s, i)
		emit(wordToken, t.buf[from:])
		if humps && !t.whole {
			t.parts(s[i:end], t.buf[from:], emit)
		}
		next := end + joiner(s[end:])
		if next == end || t.whole {
			if runs > 1 && runs <= maxJoinedRuns && len(t.buf) <= maxJoinedBytes {
				emit(joinedToken, t.buf)
			}
			return end
		}
		if runs >= maxJoinedRuns || len(t.buf) > maxJoinedBytes {
			// Too long for a name: what follows is reported run by run.
			t.buf, runs = t.buf[:0], maxJoinedRuns
		} else {
			t.buf = append(t.buf, s[end])
		}
		i = next
	}
}

// joiner returns the length of the joiner s begins with, if a run follows it.
func joiner(s string) int {
	n := 1
	switch {
	case len(s) < 2:
		return 0
	case s[0] == '-' || s[0] == '.':
	case s[0] == ':' && s[1] == ':':
		n = 2
	default:
		return 0
	}
	if len(s) > n && s[n] < utf8.RuneSelf {
		if asciiClass[s[n]] == notWord {
			return 0
		}
		return n
	}
	if r, _ := utf8.DecodeRuneInString(s[n:]); classOf(r) != spaced {
		return 0
	}
	return n
}

// run appends the lower-cased run that begins at s[i] to t.buf. It returns where
// the run ends and whether it may have parts.
func (t *tokenizer) run(s string, i int) (end int, humps bool) {
	start := i
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if asciiClass[c] == notWord {
				break
			}
			if l := asciiLower[c]; l != c {
				humps = humps || i > start
				c = l
			} else if c == '_' {
				humps = true
			}
			t.buf = append(t.buf, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if classOf(r) != spaced {
			break
		}
		f := fold(r)
		humps = humps || f != r && i > start
		t.buf = utf8.AppendRune(t.buf, f)
		i += n
	}
	return i, humps
}

// parts reports the parts of an identifier, given as written and lower-cased.
func (t *tokenizer) parts(raw string, lower []byte, emit func(kind, []byte)) {
	var before rune  // the rune before r, 0 at the start of a part
	from, at := 0, 0 // in lower: where the part begins, where r is
	letters := false // the part has a letter
	for i, r := range raw {
		size, isUpper, isLetter := 1, 'A' <= r && r <= 'Z', 'a' <= r|0x20 && r|0x20 <= 'z'
		if r >= utf8.RuneSelf {
			size, isUpper, isLetter = utf8.RuneLen(fold(r)), unicode.IsUpper(r), unicode.IsLetter(r)
		}
		if r == '_' {
			reportPart(lower, from, at, emit)
			before, from, letters = 0, at+size, false
		} else {
			if isUpper && before != 0 && letters && (!unicode.IsUpper(before) || twoLower(raw[i+utf8.RuneLen(r):])) {
				reportPart(lower, from, at, emit)
				from, letters = at, false
			}
			before, letters = r, letters || isLetter
		}
		at += size
	}
	reportPart(lower, from, at, emit)
}

func reportPart(lower []byte, from, to int, emit func(kind, []byte)) {
	if part := lower[from:to]; len(part) < len(lower) && len(part) > 1 && (len(part) > utf8.UTFMax || utf8.RuneCount(part) > 1) {
		emit(partToken, part)
	}
}

// twoLower reports whether s begins with two lower case letters. A capital that
// follows a capital begins a part only then: "HTMLElement" is "html" and
// "element", but "URLs" and "IPv6" are one.
func twoLower(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	q, _ := utf8.DecodeRuneInString(s[n:])
	return unicode.IsLower(r) && unicode.IsLower(q)
}

// pairs reports the overlapping pairs of the run of spaceless script that begins
// at s[i], and returns where it ends.
func (t *tokenizer) pairs(s string, i int, emit func(kind, []byte)) int {
	t.buf = t.buf[:0]
	before := 0 // bytes of the character before
	count := 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if classOf(r) != paired {
			break
		}
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-before:]...)
		from := len(t.buf)
		t.buf = utf8.AppendRune(t.buf, fold(r))
		before = len(t.buf) - from
		if count++; count > 1 {
			emit(pairToken, t.buf)
		}
		i += n
	}
	if count == 1 {
		emit(pairToken, t.buf)
	}
	return i
}
