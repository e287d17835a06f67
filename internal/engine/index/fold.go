package index

import (
	"strings"
	"unicode"
	"unicode/utf8"
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

// foldString folds every rune of s.
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
