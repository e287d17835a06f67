package docent

import (
	"context"
	"slices"

	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/rank"
	"github.com/docent-md/docent/internal/engine/vector"
)

// How words and meaning are joined.
//
// Candidates are the texts that the words found and the nearPool nearest in meaning.
// Each gets a joint score (rank.Weighted, rank.Reciprocal), and titles and pages are
// weighed after that.
//
// To find the nearest hundred takes longer than all the rest, and of those that the
// words did not find hardly one is ever shown: all it has is a share of the best
// score. So where scores are weighted, what the words found is put in order first,
// for which it is enough to know how near the very nearest is. What the n-th has then
// says how near another must be to come before it (rank.Floor), and only those are
// looked for, if there can be any. The hits are the same.

// nearPool is how many of the chunks nearest in meaning are candidates. It does
// not depend on how many hits are asked for, so that their order does not either.
const nearPool = 100

// nearEnough is the share of the nearest chunk's likeness that one must have which
// has none of the question's words: in a small corpus something is always nearest.
const nearEnough = 0.6

// fused is what is known of a match that meaning had a part in.
type fused struct {
	words, likeness         float64
	wordsRank, likenessRank int
	question                string // as its meaning was looked for
}

// joined returns the n best by words and meaning of what the words found and of
// what is nearest. The matches in res become those that were put in order.
func (l *Library) joined(ctx context.Context, q Query, iq index.Query, res *index.Result, n int) ([]found, error) {
	question := plainQuestion(q.Text, res.Corrections)
	a, err := l.ask(ctx, question, l.options(q, iq).Accept)
	if err != nil {
		return nil, err
	}
	j := joiner{l: l, q: q, sought: a, n: n, strict: isStrict(iq) || len(res.Matches) == 0, question: question}
	if q.Mode != Semantic {
		j.words = res.Matches
	}
	if j.like, err = a.scores(j.words); err != nil {
		return nil, err
	}
	if j.share, j.weighted = l.weight(q); j.weighted && !q.Explain && q.Mode != Semantic {
		return j.short(res)
	}
	near, err := a.nearest(nearPool, -1)
	if err != nil {
		return nil, err
	}
	return j.long(res, near)
}

// weight returns how much likeness weighs, and whether scores are weighted at all.
func (l *Library) weight(q Query) (share float64, ok bool) {
	switch {
	case q.Mode == Semantic:
		return 1, true
	case q.Fusion == ReciprocalFusion || q.Fusion == "" && l.remote():
		return 0, false
	case l.adapted():
		return rank.Share, true
	}
	return rank.PlainShare, true
}

// A joiner has what the words found and the meaning of the question.
type joiner struct {
	l        *Library
	q        Query
	sought   *sought
	n        int
	strict   bool // only what the words found counts
	question string
	words    []index.Match
	like     []float32 // of each of words
	share    float64
	weighted bool
}

// short looks for no more of what is near than can be among the n best.
func (j *joiner) short(res *index.Result) ([]found, error) {
	most := float32(0)
	for _, x := range j.like {
		most = max(most, x)
	}
	if !j.strict {
		nearest, err := j.sought.nearest(1, most)
		if err != nil {
			return nil, err
		}
		if len(nearest) > 0 {
			most = max(most, nearest[0].Score)
		}
	}
	cs := j.candidates(nil)
	rank.Weighted(cs, j.share, float64(most))
	res.Matches = j.matches(cs)
	hits, err := j.l.arrange(j.q.Text, *res, j.n)
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
		least = rank.Floor(first, j.n, rank.DefaultParams(), j.share*best) * float64(most)
	}
	if least > float64(most) {
		return hits, nil
	}
	near, err := j.sought.nearest(nearPool, max(float32(least), nearEnough*most)-1e-6)
	if err != nil {
		return nil, err
	}
	if all := j.candidates(near); len(all) > len(cs) {
		rank.Weighted(all, j.share, float64(most))
		res.Matches = j.matches(all)
		return j.l.arrange(j.q.Text, *res, j.n)
	}
	return hits, nil
}

// long puts all candidates in order, and keeps what is known of the hits.
func (j *joiner) long(res *index.Result, near []vector.Match) ([]found, error) {
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
	res.Matches = j.matches(cs)
	hits, err := j.l.arrange(j.q.Text, *res, j.n)
	for i := range hits {
		at := slices.IndexFunc(cs, func(c rank.Fusable) bool { return c.ID == hits[i].num })
		c := &cs[at]
		hits[i].fused = &fused{c.Words, c.Likeness, c.WordsRank, c.LikenessRank, j.question}
	}
	return hits, err
}

// candidates are what the words found and those of the nearest that count beside
// it.
func (j *joiner) candidates(near []vector.Match) []rank.Fusable {
	cs := make([]rank.Fusable, len(j.words), len(j.words)+len(near))
	for i, m := range j.words {
		cs[i] = rank.Fusable{ID: m.Num, At: i, Words: m.Score.Float(), Likeness: float64(j.like[i]), WordsRank: i + 1}
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
		if j.q.Mode != Semantic && (j.strict || m.Score < nearEnough*near[0].Score) {
			continue
		}
		cs = append(cs, rank.Fusable{ID: m.ID, At: -1, Likeness: float64(m.Score), LikenessRank: i + 1})
	}
	return cs
}

// matches are the candidates with what the words know of them.
func (j *joiner) matches(cs []rank.Fusable) []index.Match {
	out := make([]index.Match, len(cs))
	for i, c := range cs {
		if c.At >= 0 {
			out[i] = j.words[c.At]
		}
		out[i].Num, out[i].Score = c.ID, index.ScoreOf(c.Score)
	}
	return out
}
