package browse

import (
	"slices"
	"strings"
	"unicode"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/grep"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A miss names maxMissWords words of the pattern at most, and maxNearWords words that
// come nearest to each.
const (
	maxMissWords = 5
	maxNearWords = 3
)

// explainNoMatch says why no line matches: how many files were searched, and which words
// of the pattern stand nowhere.
func explainNoMatch(v *snapshot.View, p *grep.Pattern, words grep.Words, glob string, wanted func(string) bool) (*answer.GrepMiss, error) {
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	miss := &answer.GrepMiss{Indexed: len(files), Unknown: []answer.Unknown{}, Words: len(words)}
	paths := make([]string, len(files))
	for i, k := range files {
		paths[i] = k.Path
		if wanted(k.Path) {
			miss.Files++
		}
	}
	if glob != "" {
		miss.Unmatched = place.Unmatched(glob, paths)
	}
	for _, w := range wordsOf(p.Need()) {
		set, some, err := v.Searcher.MayContain(index.Literal{Text: w})
		if err != nil {
			return nil, err
		}
		if !some || set.Len() > 0 {
			continue
		}
		near, err := v.Searcher.Nearest(w, maxNearWords)
		if err != nil {
			return nil, err
		}
		if near == nil {
			near = []string{}
		}
		miss.Unknown = append(miss.Unknown, answer.Unknown{Word: w, Nearest: near})
	}
	return miss, nil
}

// wordsOf are the words that a line must contain, as far as a pattern tells.
func wordsOf(n grep.Need) []string {
	var out []string
	var add func(grep.Need)
	add = func(n grep.Need) {
		for w := range strings.FieldsFuncSeq(n.Literal.Text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if len(out) < maxMissWords && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
		for _, s := range n.Sub {
			add(s)
		}
	}
	add(n)
	return out
}
