package retrieve

import (
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Pool is how many candidates the index hands over for ranking, where ten hits
// are asked for. With a thousand, none of the evaluation sets scores higher by more
// than 0.003, and most score the same.
const Pool = 30

// PoolFor is the pool for a number of hits: fewer hits need fewer candidates. The sets
// score the same at five hits with 25 candidates as with 30.
func PoolFor(limit int) int { return max(Pool-10+max(limit, 5), 2*limit) }

// Lexical returns the n best of k candidates of a lexical search.
func Lexical(v *snapshot.View, q answer.Query, iq index.Query, k, n int) ([]Ranked, index.Result, error) {
	opts := queryOptions(v, q, iq)
	opts.Few, opts.Near = max(2*n, fewest), closeEnough
	res, err := v.Searcher.Top(iq, k, opts)
	if err != nil {
		return nil, res, err
	}
	hits, err := weighAll(v, iq, q.Text, res, n)
	return hits, res, err
}

// queryOptions says how the index is asked.
func queryOptions(v *snapshot.View, q answer.Query, iq index.Query) index.Options {
	globs := iq.Paths
	if q.File != "" {
		globs = append(globs, q.File)
	}
	o := index.Options{Params: Params(v.Corpus, iq)}
	if len(globs) > 0 || v.IsChosen() {
		o.Accept = accept(v, globs)
	}
	return o
}

// proseTitles is what words in titles and headings weigh in a question in a sentence,
// of what they weigh otherwise: of its many words some are always in some title.
const proseTitles = 0.6

// Params are the index's, with the weights of the config.
func Params(c *corpus.Corpus, iq index.Query) index.Params {
	p := index.DefaultParams()
	b := c.Config.Boost
	if iq.Prose {
		b.Title, b.Headings = proseTitles*b.Title, proseTitles*b.Headings
	}
	p.Title.Weight, p.Head.Weight, p.Body.Weight = b.Title, b.Headings, b.Body
	return p
}

// accept tells whether a text's file is in the view and matches all globs.
func accept(v *snapshot.View, globs []string) func(uint32) bool {
	known := map[uint64]bool{}
	return func(num uint32) bool {
		s, row := v.Locate(num)
		file, err := s.Table.FileOf(row)
		if err != nil {
			return false
		}
		k := s.Page(file)
		if ok, seen := known[k]; seen {
			return ok
		}
		p, err := s.Table.Path(file)
		known[k] = err == nil && v.Has(s.Number, file) && snapshot.MatchPath(globs, p)
		return known[k]
	}
}
