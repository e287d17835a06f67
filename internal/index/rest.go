package index

import (
	"strings"
	"unicode/utf8"
)

// How the rest of a text is indexed.
//
// Rest is mostly the source that the body was made from, so that nearly all of
// its runs stand in the body too, in the same order, and are indexed already.
// To compare a run with the one that comes next in the body is much cheaper than
// to look it up. What stands between them in the source, markup and addresses,
// leaves the place in the body where it is, and what the body has in addition is
// passed over if it is short. A run that is not found this way is looked up like
// any other; only time is lost where the two have little in common.

// ahead is how many runs of the body a run is compared with.
const ahead = 3

// A follower goes through the runs of a text that are ASCII.
type follower struct {
	text  string
	at    int        // where the next run may begin
	begin [ahead]int // where the next runs begin, as far as known
	known int
}

// skip passes over the next run, if it or one of those after it is run.
func (f *follower) skip(run string) bool {
	for i := range ahead {
		if i == f.known && !f.find() {
			return false
		}
		end := f.begin[i] + len(run)
		if strings.HasPrefix(f.text[f.begin[i]:], run) && (end == len(f.text) || asciiClass[f.text[end]] == notWord && f.text[end] < utf8.RuneSelf) {
			f.at, f.known = end, copy(f.begin[:], f.begin[i+1:f.known])
			return true
		}
	}
	return false
}

// find finds where one run more begins, and reports whether there is one.
func (f *follower) find() bool {
	i := f.at
	if f.known > 0 {
		for i = f.begin[f.known-1]; i < len(f.text) && inRun(f.text[i]); i++ {
		}
	}
	for ; i < len(f.text) && !inRun(f.text[i]); i++ {
	}
	if i == len(f.text) {
		return false
	}
	f.begin[f.known] = i
	f.known++
	return true
}

// inRun reports whether a byte may be part of a run: also when it is part of a
// character that is not ASCII.
func inRun(c byte) bool { return asciiClass[c] != notWord || c >= utf8.RuneSelf }

// rest makes sure that all runs of a text are indexed, given the body, which is.
func (w *Writer) rest(num int32, body, rest string) {
	w.tok.whole = true
	visit := func(_ kind, text []byte) { w.visit(num, wordToken, text) }
	f := follower{text: body}
	for i := 0; i < len(rest); {
		if !inRun(rest[i]) {
			i++
			continue
		}
		end := i
		for end < len(rest) && asciiClass[rest[end]] != notWord {
			end++
		}
		if end > i && (end == len(rest) || rest[end] < utf8.RuneSelf) {
			if !f.skip(rest[i:end]) {
				w.tok.each(rest[i:end], visit)
			}
			i = end
			continue
		}
		for end < len(rest) && inRun(rest[end]) {
			end++
		}
		w.tok.each(rest[i:end], visit)
		i = end
	}
}
