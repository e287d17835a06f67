package retrieve

import (
	"context"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// How "quoted phrases" are found.
//
// The index has no positions: whether words follow each other is found by reading the
// texts, the best first. Two common words may be apart in hundreds of texts and adjacent
// in the next, so more and more are read, until enough have the phrase or none is left.
// No text is missed, and a phrase that no text has costs as much as a grep for it.

// phrased finds the n best candidates that hold all phrases of the question.
func (r *Result) phrased(ctx context.Context, v *snapshot.View, reader *snapshot.Reader, q answer.Query, n int) error {
	for k := 2 * Pool; ; k *= 8 {
		if err := r.best(ctx, v, q, k, k); err != nil {
			return err
		}
		looked := len(r.Ranked)
		var holding []Ranked
		for _, c := range r.Ranked {
			if err := ctx.Err(); err != nil {
				return err
			}
			body, ok, err := c.Body(reader)
			if err != nil {
				return err
			}
			if ok && hasPhrases(body, r.Query.Phrases) {
				holding = append(holding, c)
			}
			if len(holding) == n {
				break
			}
		}
		r.Ranked = holding
		if len(holding) == n || looked < k {
			return reader.Err()
		}
	}
}

// leastLine is how many words a question has that may be a line of a text.
const leastLine = 4

// mayBeLine reports whether a question may be a line of a log of changes: it is long
// enough, says nothing else of what is looked for, and logs were found, but no title.
func (r *Result) mayBeLine() bool {
	iq := &r.Query
	if len(iq.Words) < leastLine || len(iq.Phrases) > 0 || len(iq.Paths) > 0 || IsStrict(*iq) {
		return false
	}
	logs := false
	for i := range r.Ranked {
		if r.Ranked[i].IsTitled() {
			return false
		}
		logs = logs || isLog(r.Ranked[i].File.Path)
	}
	return logs
}

// linePool is how many texts with all words of the question are looked at for a line that
// is the question.
const linePool = 20

// lineFirst puts texts first that have a line which is the question, word for word. Only
// logs of changes are read: elsewhere such a line is most often a link to the answer.
func (r *Result) lineFirst(v *snapshot.View, reader *snapshot.Reader, q answer.Query, n int) error {
	exact := index.Parse(`"` + strings.ReplaceAll(q.Text, `"`, " ") + `"`).Exact()
	found, _, err := Lexical(v, q, exact, linePool, linePool)
	if err != nil {
		return err
	}
	var first []Ranked
	have := map[uint32]bool{}
	for _, c := range found {
		if !isLog(c.File.Path) {
			continue
		}
		body, ok, err := c.Body(reader)
		if err != nil {
			return err
		}
		if ok && hasLine(body, q.Text) {
			c.Final += r.top()
			first = append(first, c)
			have[c.Num] = true
		}
	}
	for _, c := range r.Ranked {
		if !have[c.Num] {
			first = append(first, c)
		}
	}
	r.Ranked = first[:min(len(first), n)]
	return nil
}

// hasLine reports whether a line of a text begins with the question.
func hasLine(text, question string) bool {
	want := words.Slug(question) + " "
	for line := range strings.Lines(text) {
		if strings.HasPrefix(words.Slug(line)+" ", want) {
			return true
		}
	}
	return false
}

// top is the score of the best candidate.
func (r *Result) top() float64 {
	if len(r.Ranked) == 0 {
		return 0
	}
	return r.Ranked[0].Final
}

// hasPhrases reports whether text holds every phrase, whatever its case and spacing.
func hasPhrases(text string, phrases []string) bool {
	flat := " " + words.Slug(text) + " "
	for _, p := range phrases {
		if !strings.Contains(flat, " "+words.Slug(p)+" ") {
			return false
		}
	}
	return true
}
