package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// fold maps a rune to the one that stands for all it equals when case does not
// matter: the lower case of the smallest rune in its unicode.SimpleFold orbit.
// So two runes that (?i) of package regexp takes for equal have the same fold
// (k, K and the Kelvin sign; s and the long s; the two small sigmas), which is
// what lets grep look a literal up in the dictionary. Runes that regexp keeps
// apart may fold together (a dotted capital I and i); that only adds texts to
// look at.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return unicode.ToLower(least)
}

func foldString(s string) string { return strings.Map(fold, s) }

// plain is what unaccent leaves of the letters from U+00DF on, and from U+1E00
// on: the letter without its accent, or a space where there is no such thing.
const (
	plainLatin = " aaaaaa ceeeeiiiidnooooo ouuuuy y a a a c c c c d d e e e e e g " +
		"g g g h h i i i i i   j kk l l l l l n n n  n o o o   r r r s s " +
		"s s t t t u u u u u u w y  z z z                   f            " +
		"  o              u     z                       a i o u u u u u  " +
		"a a   g g k o o  j    g   n a     a a e e i i o o r r u u s t   " +
		"h       a e o o o o y                            "
	plainExtra = " a b b b c d d d d d e e e e e f g h h h h h i i k k k l l l l m" +
		" m m n n n n o o o o p p r r r r s s s s s t t t t u u u u u v v" +
		" w w w w w x x y z z zhtwy       a a a a a a a a a a a a e e e e" +
		" e e e e i i o o o o o o o o o o o o u u u u u u u y y y y      "
)

// unaccent appends folded rune r to dst without accent, ligature or width, so
// that "caf\u00e9", "cafe\u0301" and "cafe" are one word. Letters of other
// scripts stay as they are.
func unaccent(dst []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(dst, byte(r))
	case r == '\u00df':
		return append(dst, "ss"...)
	case r == '\u00e6':
		return append(dst, "ae"...)
	case r == '\u0153':
		return append(dst, "oe"...)
	case r == '\u00fe':
		return append(dst, "th"...)
	case 0x300 <= r && r < 0x370: // combining accents
		return dst
	case 0xff10 <= r && r <= 0xff5a: // full width ASCII
		return append(dst, byte(fold(r-0xfee0)))
	case 0xdf <= r && r < 0xdf+rune(len(plainLatin)):
		if c := plainLatin[r-0xdf]; c != ' ' {
			return append(dst, c)
		}
	case 0x1e00 <= r && r < 0x1e00+rune(len(plainExtra)):
		if c := plainExtra[r-0x1e00]; c != ' ' {
			return append(dst, c)
		}
	}
	return utf8.AppendRune(dst, r)
}

// How terms become words.
//
// Ranking does not look for a term as it is written but for its word: the term
// without accents, ligatures and joiners, and, when that leaves nothing but the
// letters a to z, cut down to its English (Porter2) stem. "Controllers",
// "controller" and "controlling" are one word; so are "kube-proxy",
// "kube_proxy" and "kubeProxy". A joiner between two digits stays, as a dot:
// 1.25 is not 125.

// maxWordBytes is the length up to which terms are changed. What is longer is a
// hash or encoded data, and its word is the term itself.
const maxWordBytes = 64

// A stemmer turns terms into words. It keeps buffers and serves one goroutine.
type stemmer struct {
	env snowballstem.Env
	buf []byte
}

// word returns the word of a lower-cased term. The result is valid until the
// next call and may share memory with term.
func (s *stemmer) word(term []byte) []byte {
	if len(term) > maxWordBytes {
		return term
	}
	s.buf = s.buf[:0]
	letters := true
	digit := false // the rune before was a digit
	joined := false
	for i := 0; i < len(term); {
		r, n := rune(term[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(term[i:])
		}
		i += n
		if r == '-' || r == '_' || r == '.' || r == ':' {
			joined = true
			continue
		}
		isDigit := '0' <= r && r <= '9'
		if joined && digit && isDigit {
			s.buf = append(s.buf, '.')
		}
		joined, digit = false, isDigit
		from := len(s.buf)
		s.buf = unaccent(s.buf, r)
		for _, c := range s.buf[from:] {
			letters = letters && 'a' <= c && c <= 'z'
		}
	}
	switch {
	case len(s.buf) == 0:
		return term
	case letters && len(s.buf) > 2:
		s.env.SetCurrent(string(s.buf))
		english.Stem(&s.env)
		s.buf = append(s.buf[:0], s.env.Current()...)
	}
	return s.buf
}
