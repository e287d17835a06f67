package docent

import (
	"context"
	"fmt"
	"strings"

	"github.com/docent-md/docent/internal/engine/index"
)

// miss says why nothing was found: which words stand nowhere here, and which
// that do come nearest. A filter that left nothing over is said to have.
func (l *Library) miss(a *Answer, res index.Result) error {
	m := &Miss{Files: l.fileCount()}
	a.Miss = m
	switch {
	case len(res.Words) == 0:
		m.Reason = "the query holds no words: ask with at least one"
	case m.Files == 0:
		m.Reason = "the corpus holds no documents"
	}
	known := 0
	for _, w := range res.Words {
		if w.Extra {
			continue
		}
		if w.DocFreq > 0 {
			known++
			continue
		}
		near, err := l.search.Nearest(w.Text, 3)
		if err != nil {
			return err
		}
		m.Unknown = append(m.Unknown, Unknown{Word: w.Text, Nearest: near})
	}
	if m.Reason == "" && known > 0 {
		m.Reason = "its words are known here, but not where path:, title:, -word, quotes or the choice of files let them count"
	}
	return nil
}

// maxPartial is how many hits a miss names that are none.
const maxPartial = 3

// look finds what the words of the question would, without operators and in all
// files, when those kept anything from being found.
func (m *Miss) look(ctx context.Context, q Query, iq index.Query, search func(context.Context, Query) (*Answer, error)) error {
	if !isStrict(iq) && len(iq.Paths) == 0 && q.File == "" {
		return nil
	}
	var words []string
	for _, w := range iq.Words {
		if !w.Extra {
			words = append(words, w.Text)
		}
	}
	if len(words) == 0 {
		return nil
	}
	a, err := search(ctx, Query{Text: strings.Join(words, " "), Limit: maxPartial, Mode: Lexical})
	if err != nil || a == nil {
		return err
	}
	for i := range a.Hits {
		m.Partial = append(m.Partial, a.Hits[i].leftOut())
	}
	return nil
}

// explain gives the arithmetic behind a hit.
func (l *Library) explain(h found, q index.Query, body string) ([]string, error) {
	e, err := l.search.Explain(q, h.num, index.Options{Params: l.params()})
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(e.String()) {
		lines = append(lines, strings.TrimRight(line, "\n"))
	}
	what := "words"
	if f := h.fused; f != nil {
		what = "both"
		lines = append(lines, fmt.Sprintf("meaning %.3f (place %s), words %.3f (place %s)", f.likeness, orNone(f.likenessRank), f.words, orNone(f.wordsRank)))
		if ties := l.ties(f.question, body); ties != "" {
			lines = append(lines, "alike: "+ties)
		}
	}
	lines = append(lines, fmt.Sprintf("%s %.3f, title match %.2f, page %+.3f, score %.3f", what, h.Score, h.Match, h.Lift, h.Final))
	return lines, nil
}

// orNone is a place in a list, from 1; none when it is in none.
func orNone(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}
