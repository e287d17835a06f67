// Package search answers questions. Run is the one way from a question to an answer,
// whatever the snapshot is made of: a folder, a pack, a database, several indexes.
package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/filter"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Run answers a question from a snapshot. The reranker is asked when the query says
// so; it may be nil. A StaleError means that documents behind the answer have changed:
// refresh.Do updates the index and asks again.
func Run(ctx context.Context, s snapshot.Snapshot, q answer.Query, by Reranker) (*answer.Answer, error) {
	r := &run{snapshot: s, q: q, question: q.Text, reranker: by, asked: time.Now(), limit: q.Most()}
	for _, step := range []func(context.Context) error{
		r.check, r.retrieve, r.rerankLocal, r.rerank, r.preferNew, r.load, r.judge, r.expand, r.addFolders, r.addChanged, r.addReferences, r.explainMiss,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return r.answer(ctx), nil
}

// A run is one question on its way to an answer.
type run struct {
	snapshot snapshot.Snapshot
	q        answer.Query // its text without conditions
	question string       // as it was asked
	reranker Reranker
	asked    time.Time
	limit    int // most hits
	k, n     int // candidates: how many are weighed, and how many are ranked

	v     *snapshot.View
	texts *snapshot.Reader // of v: a document is read once
	found retrieve.Result
	words *index.Titles // of the question, set by judge: it knows the words of all texts it has read
	note  string
	hits  []hit
	tried int // candidates that became hits, or showed what a hit shows
	miss  *answer.Miss

	unknown []answer.Unknown // words of the question that no document has
	chosen  map[uint32]bool  // chunks that a language model chose; nil if none was asked, or answered

	model *timedModel // that ranked the candidates; nil if none did
}

// check refuses a query that makes no sense.
func (r *run) check(context.Context) error {
	return cmp.Or(answer.CheckBudget(r.q.Budget), snapshot.CheckGlob(r.q.File), answer.CheckExpand(r.q.Expand), r.q.CheckMode())
}

// retrieve finds the candidates.
func (r *run) retrieve(ctx context.Context) error {
	var err error
	if r.v, err = r.snapshot.View(ctx, snapshot.Want{Query: &r.q}); err != nil {
		return err
	}
	if path, ok := r.v.Refs[r.q.File]; ok {
		r.q.File = path
	}
	if err = r.choose(ctx); err != nil {
		return err
	}
	r.texts = snapshot.NewReader(r.v)
	var flags []string
	if r.q.Text, flags, err = retrieve.ReadFlags(r.v, r.texts, r.q.Text); err != nil {
		return err
	}
	k, n := retrieve.PoolFor(r.limit), max(r.limit, beside)
	if r.q.Budget > 0 { // some will be passed over
		k = max(k, 2*retrieve.Pool)
		n = k
	}
	switch {
	case r.q.Rerank == answer.RerankClaude:
		k, n = max(k, 2*retrieve.Pool), max(n, rerankPool)
	case usesLocal(r.q, retrieve.Parse(r.q)):
		k, n = max(k, localPool), max(n, localPool)
	}
	if r.v.IsJoined() { // some may be duplicates
		k, n = max(k, 2*retrieve.Pool), max(n, retrieve.Pool)
	}
	r.k, r.n = k, n
	r.found, err = retrieve.Candidates(ctx, r.v, r.texts, r.q, k, n)
	r.addNote(r.found.Note)
	for _, f := range flags {
		r.addNote(f + " stands in these documents: it was searched, not excluded")
	}
	return err
}

// choose narrows the view to the documents that meet the conditions of the query, also
// those among the words of the question.
func (r *run) choose(ctx context.Context) error {
	var note string
	var err error
	r.v, r.q.Text, note, err = filter.Question(ctx, r.v, r.q.Text, r.q.Where, r.asked)
	r.addNote(note)
	return err
}

// load reads the texts of the best candidates and checks that they are what was
// indexed. Where as many are shown as the budget holds, weak ones are left out.
func (r *run) load(ctx context.Context) error {
	for next := 0; ; {
		ranked := r.found.Ranked
		if r.q.Limit == 0 && r.q.Budget > 0 {
			ranked = dropWeak(ranked)
		}
		folded, err := r.loadHits(ctx, ranked[min(next, len(ranked)):])
		if err != nil {
			return err
		}
		next = len(ranked)
		if folded == 0 || len(r.hits) >= r.limit || next < r.n || r.k > maxWidened {
			return r.texts.Err()
		}
		if err := r.widen(ctx); err != nil {
			return err
		}
	}
}

// maxWidened is how many candidates are looked at for others than copies and parts of
// what is shown.
const maxWidened = 1000

// widen finds more candidates, and appends those that are new.
func (r *run) widen(ctx context.Context) error {
	r.k, r.n = 4*r.k, 4*r.n
	more, err := retrieve.Candidates(ctx, r.v, r.texts, r.q, r.k, r.n)
	if err != nil {
		return err
	}
	have := map[uint32]bool{}
	for _, c := range r.found.Ranked {
		have[c.Num] = true
	}
	for _, c := range more.Ranked {
		if !have[c.Num] {
			r.found.Ranked = append(r.found.Ranked, c)
		}
	}
	return nil
}

// loadHits makes hits of candidates, until there are enough. It returns how many showed
// what an earlier one shows.
func (r *run) loadHits(ctx context.Context, ranked []retrieve.Ranked) (folded int, err error) {
	r.hits = slices.Grow(r.hits, min(r.limit-len(r.hits), len(ranked)))
	for _, c := range ranked {
		if len(r.hits) == r.limit {
			break
		}
		r.tried++
		if err := ctx.Err(); err != nil {
			return folded, err
		}
		h, ok, err := newHit(r.texts, c)
		if err != nil {
			return folded, err
		}
		if !ok {
			continue
		}
		ref := h.Ref
		if name := c.Segment.Name; r.v.IsJoined() && name != "" {
			ref = name + ":" + ref
		}
		if fold(r.hits, &h, ref) {
			folded++
			continue
		}
		if r.q.Explain {
			if h.Explain, err = c.Explain(r.v, r.found.Query, h.Body); err != nil {
				return folded, err
			}
		}
		r.hits = append(r.hits, h)
	}
	return folded, nil
}

// dropWeak drops the candidates that are so far behind the best that they are not
// worth their tokens.
func dropWeak(ranked []retrieve.Ranked) []retrieve.Ranked {
	for i, c := range ranked {
		if c.Final < 0.3*ranked[0].Final {
			return ranked[:i]
		}
	}
	return ranked
}

// addReferences says what each hit refers to, when that is asked for.
func (r *run) addReferences(ctx context.Context) error {
	if !r.q.References {
		return nil
	}
	hits := make([]answer.Hit, len(r.hits))
	for i := range r.hits {
		hits[i] = r.hits[i].Hit
		hits[i].Index = r.hits[i].from.Segment.Name
	}
	err := AddReferences(ctx, r.snapshot, hits)
	for i := range hits {
		r.hits[i].References = hits[i].References
	}
	return err
}

// AddReferences says of each hit what it refers to.
func AddReferences(ctx context.Context, s snapshot.Snapshot, hits []answer.Hit) error {
	at := make([]snapshot.Place, len(hits))
	for i := range hits {
		at[i] = placeOf(&hits[i])
	}
	references, err := s.References(ctx, at)
	if err != nil {
		return err
	}
	for i := range hits {
		hits[i].References = references[i]
	}
	return nil
}

// answer puts the answer together, within its budget.
func (r *run) answer(ctx context.Context) *answer.Answer {
	a := &answer.Answer{Query: r.question, Hits: make([]answer.Hit, len(r.hits)), Miss: r.miss, Unknown: r.unknown, Note: r.note, Freshness: r.v.Freshness()}
	for i, h := range r.hits {
		a.Hits[i] = h.Hit
		if r.v.IsJoined() {
			a.Hits[i].PrefixRefs(h.from.Segment.Name)
		}
	}
	for _, c := range r.found.Index.Corrections {
		if ch := (answer.Correction{From: c.From, To: c.To}); !slices.Contains(a.Searched, ch) {
			a.Searched = append(a.Searched, ch)
		}
	}
	for _, c := range r.found.Index.Also {
		a.Also = append(a.Also, answer.Correction{From: c.From, To: c.To})
	}
	a.Beyond, a.Limited = max(0, len(dropWeak(r.found.Ranked))-r.tried), r.q.Limit > 0
	a.Arrange(&r.q, func(hit int) string { return r.hits[hit].bestLine(r.words) })
	if r.q.Budget > 0 {
		a.Fit(answer.Budget{Tokens: r.q.Budget, Count: r.v.Ceiling, Leads: r.q.Leads, Words: r.words, Read: r.model.partReader(ctx)})
	}
	return a
}

// addNote appends to what is said below the hits.
func (r *run) addNote(note string) {
	if note != "" {
		r.note = strings.TrimPrefix(r.note+"; "+note, "; ")
	}
}
