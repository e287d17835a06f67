package grep

import "unicode/utf8"

// each calls visit for every place in text where the literal occurs, from left
// to right, until visit returns false. It is the way of Knuth, Morris and Pratt,
// which never looks at a character twice: slower than a cursor in all texts but
// those that make a cursor tired.
func (f *finder) each(text []byte, visit func(start, end int) bool) {
	// back[n] is how much of the literal still fits after n characters of it
	// fitted and the next did not.
	back := make([]int, len(f.runes)+1)
	for i, n := 1, 0; i < len(f.runes); i++ {
		for n > 0 && f.runes[i] != f.runes[n] {
			n = back[n]
		}
		if f.runes[i] == f.runes[n] {
			n++
		}
		back[i+1] = n
	}
	places := make([]int, len(f.runes)) // where the last characters began
	n := 0
	for i, count := 0, 0; i < len(text); count++ {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			if r, width = utf8.DecodeRune(text[i:]); width == 1 {
				r = -1
			}
		}
		if f.fold {
			r = foldRune(r)
		}
		for n > 0 && (n == len(f.runes) || f.runes[n] != r) {
			n = back[n]
		}
		if f.runes[n] == r {
			n++
		}
		places[count%len(places)] = i
		i += width
		if n == len(f.runes) && !visit(places[(count+1)%len(places)], i) {
			return
		}
	}
}
