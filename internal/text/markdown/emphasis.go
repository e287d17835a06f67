package markdown

import (
	"unicode"
	"unicode/utf8"
)

// flanking reports whether the run of n characters at i can open and close emphasis.
func flanking(s []byte, i, n int) (left, right bool) {
	before, after := ' ', ' '
	if i > 0 {
		before, _ = utf8.DecodeLastRune(s[max(0, i-4):i])
	}
	if i+n < len(s) {
		after, _ = utf8.DecodeRune(s[i+n : min(len(s), i+n+4)])
	}
	left = !unicode.IsSpace(after) && (!punct(after) || unicode.IsSpace(before) || punct(before))
	right = !unicode.IsSpace(before) && (!punct(before) || unicode.IsSpace(after) || punct(after))
	if s[i] == '_' {
		left, right = left && (!right || punct(before)), right && (!left || punct(after))
	}
	return left, right
}

func punct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// A delim is a run of emphasis characters in text being made plain.
type delim struct {
	at, n       int // where it stands, and how many are left
	size        int // how many there were
	c           byte
	open, close bool
}

// maxDelims is how many runs of one text are paired. Titles and the texts of
// links are short; the cost of pairing grows with the square.
const maxDelims = 64

// dropEmphasis pairs the runs by the rules of CommonMark and takes those that
// pair off dst, of which only the part from base on is looked at.
func dropEmphasis(dst []byte, base int, ds []delim) []byte {
	if len(ds) < 2 {
		return dst
	}
	used := false
	for i := range ds {
		c := &ds[i]
		for j := i - 1; c.close && c.n > 0 && j >= 0; j-- {
			o := &ds[j]
			if !o.open || o.c != c.c || o.n == 0 {
				continue
			}
			if (o.close || c.open) && (o.size+c.size)%3 == 0 && (o.size%3 != 0 || c.size%3 != 0) && c.c != '~' {
				continue
			}
			k := min(o.n, c.n)
			o.n, c.n = o.n-k, c.n-k
			used = true
			for k := j + 1; k < i; k++ {
				ds[k].open = false // what is between can no longer pair
			}
			j++
		}
	}
	if !used {
		return dst
	}
	out := dst[:base]
	from := base
	for _, d := range ds {
		out = append(out, dst[from:d.at+d.n]...)
		from = d.at + d.size
	}
	return append(out, dst[from:]...)
}
