package retrieve

import (
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/rank"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// How the best candidates are read.
//
// The index knows how often a text has a word, not where. For a question in a sentence
// it pays to look: a text that has its words next to each other, or within a sentence
// or two, answers it more often than one that has them here and there. So the texts of
// the best are read and ranked again. Names and keywords go without: they are found as
// they are, and reading takes longer than all the rest.

// readPool is how many of the best candidates are read.
const readPool = 40

// How much each kind of nearness counts.
const (
	adjacentShare = 0.6
	togetherShare = 1 - adjacentShare
)

// isRead reports whether the candidates of a question are read.
func isRead(iq index.Query) bool { return iq.Prose || len(iq.Phrases) > 0 }

// readBest ranks the best candidates once more by what their texts say.
func (r *Result) readBest(reader *snapshot.Reader, text string) error {
	n := min(len(r.Ranked), readPool)
	near := index.NewProximity(index.NewTitles(r.Index.Words), text)
	cs := make([]rank.Candidate, len(r.Ranked))
	for i := range r.Ranked {
		c := &r.Ranked[i]
		cs[i] = c.Candidate
		cs[i].At = i
		if i >= n {
			continue
		}
		body, ok, err := c.Body(reader)
		if err != nil {
			return err
		}
		if ok {
			x := near.Read(c.Section.Title, body)
			cs[i].Near = float64(adjacentShare*x.Adjacent) + float64(togetherShare*x.Together)
		}
	}
	rank.Order(cs, rankParams(r.Query))
	ranked := make([]Ranked, len(cs))
	for i, c := range cs {
		ranked[i] = r.Ranked[c.At]
		c.At = ranked[i].At
		ranked[i].Candidate = c
	}
	r.Ranked = ranked
	return reader.Err()
}

// rankParams are those of package rank for a question.
func rankParams(iq index.Query) rank.Params {
	if iq.Prose {
		return rank.ProseParams()
	}
	return rank.DefaultParams()
}
