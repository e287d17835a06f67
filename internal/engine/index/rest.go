package index

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

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
