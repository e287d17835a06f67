package retrieve

import (
	"fmt"
	"strings"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Explain gives the arithmetic behind a candidate, whose text is body.
func (r *Ranked) Explain(v *snapshot.View, q index.Query, body string) ([]string, error) {
	e, err := v.Searcher.Explain(q, r.Num, index.Options{Params: Params(v.Corpus, q)})
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(e.String()) {
		lines = append(lines, strings.TrimRight(line, "\n"))
	}
	what := "words"
	if f := r.Fused; f != nil {
		what = "both"
		lines = append(lines, fmt.Sprintf("semantic %.3f (rank %s), lexical %.3f (rank %s)", f.Similarity, orNone(f.SimilarityRank), f.Words, orNone(f.WordsRank)))
		if similar := similarTerms(r.Segment.Home, f.Question, body); similar != "" {
			lines = append(lines, "similar: "+similar)
		}
	}
	lines = append(lines, fmt.Sprintf("%s %.3f, title match %.2f, words together %.2f, page %+.3f, score %.3f", what, r.Score, r.Match, r.Near, r.Lift, r.Final))
	if r.Log {
		lines = append(lines, fmt.Sprintf("a log of changes, and the question asks for none: %.1f of it", rankParams(q).Log))
	}
	if r.Read != nil {
		lines = append(lines, fmt.Sprintf("read by the local model: %.2f, from place %d", r.Read.Score, r.Read.Before))
	}
	return lines, nil
}

// orNone is a place in a ranking, from 1; none when it is in none.
func orNone(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// similarTerms says which words of a question and of a text do most to make them
// similar; "" where the vectors come from an endpoint, which does not tell.
func similarTerms(v *snapshot.View, question, text string) string {
	by, err := v.Embedder()
	t, ok := by.(interface {
		Explain(question, text string, n int) []embed.Tie
	})
	if err != nil || !ok {
		return ""
	}
	var out []string
	for _, tie := range t.Explain(question, text, 4) {
		out = append(out, fmt.Sprintf("%s ~ %s %+.3f", tie.Query, tie.Text, tie.Share))
	}
	return strings.Join(out, ", ")
}
