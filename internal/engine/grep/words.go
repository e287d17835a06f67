package grep

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxWords is how many words a pattern may have for Words to take it apart. A longer
// one is a sentence, which is looked for as it stands.
const maxWords = 16

// Words are the words of a pattern. They match a line that holds all of them, in any
// order, each at the beginning of a word: "reset" matches in "resets", not in "preset".
type Words []*Pattern

// ParseWords takes a pattern apart. It returns nil unless the pattern is plain text of
// several words and Options.Fixed is off: then there is one way to read it.
func ParseWords(pattern string, o Options) (Words, error) {
	if o.Fixed || !isPlain(pattern) {
		return nil, nil
	}
	words := strings.Fields(pattern)
	slices.SortFunc(words, func(a, b string) int { // the rarest first, as far as lengths tell
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	words = slices.Compact(words)
	if len(words) < 2 || len(words) > maxWords {
		return nil, nil
	}
	out := make(Words, len(words))
	for i, w := range words {
		if first, _ := utf8.DecodeRuneInString(w); !o.Word && isWord(first) && len(w) < MaxExpression/2 {
			w = `\b{start-half}` + w
		}
		p, err := Compile(w, o)
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

// Need returns what every matching line contains.
func (w Words) Need() Need {
	n := Need{Op: NeedAll}
	for _, p := range w {
		n.Sub = append(n.Sub, p.Need())
	}
	return n
}

// Lines is Pattern.Lines for lines that hold all words.
func (w Words) Lines(ctx context.Context, text []byte, yield func(Line) bool) error {
	return w[0].Lines(ctx, text, func(l Line) bool {
		for _, p := range w[1:] {
			if !p.Match(text[l.Start:l.End]) {
				return true
			}
		}
		return yield(l)
	})
}

// Match reports whether a line matches.
func (p *Pattern) Match(line []byte) bool {
	found := false
	_ = p.Lines(context.Background(), line, func(Line) bool { // only a context could fail
		found = true
		return false
	})
	return found
}
