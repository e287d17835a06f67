package retrieve

import (
	"context"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/rank"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// How lexical and semantic search are fused.
//
// Candidates are the lexical matches and the NearPool nearest chunks by embedding. Each
// gets a fused score (rank.Weighted, rank.Reciprocal), and titles and pages are weighed
// after that.
//
// Finding the nearest hundred takes longer than all the rest, and hardly one of those
// without a lexical match is ever shown: all it has is a share of the best score. So
// where scores are weighted, the lexical matches are ranked first, for which only the
// similarity of the very nearest chunk is needed. The score of the n-th then gives the
// similarity that another chunk needs to come before it (rank.Floor), and only such
// chunks are looked for. The hits are the same (fusePruned, fuseAll).

// NearPool is how many of the chunks nearest by embedding are candidates. It does not
// depend on how many hits are asked for, so that their order does not either.
const NearPool = 100

// nearEnough is the share of the nearest chunk's similarity that a chunk without any of
// the question's words must have: in a small corpus something is always nearest.
const nearEnough = 0.6

// Fused is what lexical and semantic search say of a candidate.
type Fused struct {
	Words, Similarity         float64 // scores
	WordsRank, SimilarityRank int     // places in the two rankings, from 1; 0 for none
	Question                  string  // as it was embedded
}

// fuse returns the n best of the lexical matches and the nearest chunks, by both
// rankings. The matches in res become those that were weighed.
func fuse(ctx context.Context, v *snapshot.View, q answer.Query, iq index.Query, res *index.Result, n int) ([]Ranked, error) {
	question := PlainQuestion(q.Text, res.Corrections)
	a, err := newVectorQuery(ctx, v, question, queryOptions(v, q, iq).Accept)
	if err != nil {
		return nil, err
	}
	j := fuser{v: v, q: q, iq: iq, query: a, n: n, strict: IsStrict(iq) || len(res.Matches) == 0, question: question}
	if q.Mode != answer.Semantic {
		j.words = res.Matches
	}
	if j.similarity, err = a.scores(j.words); err != nil {
		return nil, err
	}
	if j.share, j.weighted = weight(v, q, iq); j.weighted && !q.Explain && q.Mode != answer.Semantic {
		return j.fusePruned(res)
	}
	near, err := a.nearest(NearPool, -1)
	if err != nil {
		return nil, err
	}
	return j.fuseAll(res, near)
}

// weight returns how much similarity weighs, and whether scores are weighted at all.
func weight(v *snapshot.View, q answer.Query, iq index.Query) (share float64, ok bool) {
	switch {
	case q.Mode == answer.Semantic:
		return 1, true
	case q.Fusion == answer.ReciprocalFusion || q.Fusion == "" && isRemote(v):
		return 0, false
	}
	share = rank.PlainShare
	if isAdapted(v) {
		share = rank.Share
	}
	if iq.Prose {
		share += rank.ProseShare
	}
	return share, true
}

// A fuser has the lexical matches and the vector of the question.
type fuser struct {
	v          *snapshot.View
	q          answer.Query
	iq         index.Query
	query      *vectorQuery
	n          int
	strict     bool // only lexical matches count
	question   string
	words      []index.Match
	similarity []float32 // of each of words
	share      float64
	weighted   bool
}

// fusePruned looks for no more near chunks than can be among the n best.
func (j *fuser) fusePruned(res *index.Result) ([]Ranked, error) {
	most := float32(0)
	for _, x := range j.similarity {
		most = max(most, x)
	}
	if !j.strict {
		nearest, err := j.query.nearest(1, most)
		if err != nil {
			return nil, err
		}
		if len(nearest) > 0 {
			most = max(most, nearest[0].Score)
		}
	}
	cs := j.candidates(nil)
	rank.Weighted(cs, j.share, float64(most))
	hits, err := j.weigh(res, cs)
	if err != nil || j.strict {
		return hits, err
	}
	least := 0.
	if j.share < closeEnough*(1-j.share) { // so that the titles of what has no words are not looked at
		first := make([]rank.Candidate, len(hits))
		for i := range hits {
			first[i] = hits[i].Candidate
		}
		best := j.words[0].Score.Float()
		least = rank.Floor(first, j.n, rankParams(j.iq), j.share*best) * float64(most)
	}
	if least > float64(most) {
		return hits, nil
	}
	near, err := j.query.nearest(NearPool, max(float32(least), nearEnough*most)-1e-6)
	if err != nil {
		return nil, err
	}
	if all := j.candidates(near); len(all) > len(cs) {
		rank.Weighted(all, j.share, float64(most))
		return j.weigh(res, all)
	}
	return hits, nil
}

// fuseAll weighs all candidates, and says of each what both rankings had.
func (j *fuser) fuseAll(res *index.Result, near []vector.Match) ([]Ranked, error) {
	cs := j.candidates(near)
	if j.weighted {
		most := 0.
		for _, c := range cs {
			most = max(most, c.Likeness)
		}
		rank.Weighted(cs, j.share, most)
	} else {
		rank.Reciprocal(cs)
	}
	hits, err := j.weigh(res, cs)
	for i := range hits {
		c := &cs[hits[i].At]
		hits[i].Fused = &Fused{c.Words, c.Likeness, c.WordsRank, c.LikenessRank, j.question}
	}
	return hits, err
}

// weigh ranks fused candidates by their titles and pages too.
func (j *fuser) weigh(res *index.Result, cs []rank.Fusable) ([]Ranked, error) {
	res.Matches = j.matches(cs)
	hits, err := weighAll(j.v, j.iq, j.q.Text, *res, j.n)
	for i := range hits {
		hits[i].Similarity = cs[hits[i].At].Likeness
	}
	return hits, err
}

// candidates are the lexical matches, and those of the nearest that are near enough.
func (j *fuser) candidates(near []vector.Match) []rank.Fusable {
	cs := make([]rank.Fusable, len(j.words), len(j.words)+len(near))
	for i, m := range j.words {
		cs[i] = rank.Fusable{ID: m.Num, At: i, Words: m.Score.Float(), Likeness: float64(j.similarity[i]), WordsRank: i + 1}
	}
	if len(near) == 0 {
		return cs
	}
	at := make(map[uint32]int, len(j.words))
	for i, m := range j.words {
		at[m.Num] = i
	}
	for i, m := range near {
		if have, ok := at[m.ID]; ok {
			cs[have].LikenessRank = i + 1
			continue
		}
		if j.q.Mode != answer.Semantic && (j.strict || m.Score < nearEnough*near[0].Score) {
			continue
		}
		cs = append(cs, rank.Fusable{ID: m.ID, At: -1, Likeness: float64(m.Score), LikenessRank: i + 1})
	}
	return cs
}

// matches are the candidates as matches of the index.
func (j *fuser) matches(cs []rank.Fusable) []index.Match {
	out := make([]index.Match, len(cs))
	for i, c := range cs {
		if c.At >= 0 {
			out[i] = j.words[c.At]
		}
		out[i].Num, out[i].Score = c.ID, index.ScoreOf(c.Score)
	}
	return out
}
