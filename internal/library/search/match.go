package search

import (
	"context"
	"math"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
)

// How well a hit matches.
//
// A search always finds something: of the words of any question some are somewhere. So
// each hit is judged by what is known of it: how much of the question it has, by which
// words, how rare what it lacks is, whether the words stand together, how near it is in
// meaning. A logistic regression weighs these. It was fitted to questions of the
// evaluation sets that their documents answer, and to others that they do not answer;
// docs/answers.md has its error rates, and "docent eval --foreign" measures them.

// The bounds of the three grades, as log odds.
const (
	weakBelow   = -1.0
	strongAbove = 2.0
)

// allWords is the share of a question's weight that is all of it, but for rounding. What
// has every word of a question is never weak, whatever else is known of it.
const allWords = 0.999

// A signal is something that tells a good match from a bad one.
type signal int

const (
	covered   signal = iota // share of the question's weight that the hit has, as typed or by its stem
	corrected               // share that it has by a correction
	unknown                 // share that no document has
	rarest                  // weight of the heaviest word that it lacks, of the heaviest there can be
	adjacent                // share of the question's pairs of words that it has side by side
	together                // share of the question's weight in a sentence or two of it
	likeness                // similarity of the embeddings
	title                   // how well a title answers
	score                   // its score, of the question's weight
	lead                    // its score, of that of the tenth
	named                   // how many words name something, as a logarithm
	pages                   // share of the best ten that share their page
	above                   // how much more similar it is than the tenth
	read                    // what the model in the program made of it, reading it with the question
	signals
)

// A regression turns signals into log odds.
type regression struct {
	bias    float64
	weights [signals]float64
}

// What was fitted: for names, titles and keywords, and for questions in sentences, which
// the model in the program has read or not.
var (
	byWords = regression{-5.70, [signals]float64{1.26, 1.97, -5.76, -2.03, 1.72, 0.66, 6.62, 2.14, 0.37, -0.22, 1.84, -0.80, -2.46, 0}}
	byProse = regression{-5.20, [signals]float64{3.18, 2.19, -5.54, -1.67, 1.49, 1.32, 8.97, -4.78, 0.21, 0.38, 1.18, -0.78, -2.38, 0}}
	byModel = regression{-1.09, [signals]float64{2.54, 1.27, -5.54, -0.28, 0.43, 0.94, 5.08, -4.18, 0.02, -0.17, 0.61, -0.61, 0.27, 0.28}}
)

// beside is how many of the best candidates a hit is compared with, however many are
// shown, so that its grade does not depend on that.
const beside = 10

// withoutVectors is the likeness that is assumed where there are no embeddings: that of
// a typical first hit.
const withoutVectors = 0.5

// judge grades the hits, and says which words of the question no document has.
func (r *run) judge(context.Context) error {
	words := r.found.Index.Words
	for _, w := range words {
		if w.Extra || w.Stop || w.DocFreq > 0 {
			continue
		}
		near, err := r.v.Searcher.Nearest(w.Text, 3)
		if err != nil {
			return err
		}
		r.unknown = append(r.unknown, answer.Unknown{Word: w.Text, Nearest: append([]string{}, near...)})
	}
	j := newJudge(r)
	for i := range r.hits[:min(len(r.hits), answer.MaxLimit)] { // no user sees more
		h := &r.hits[i]
		s := j.signals(h)
		h.Odds = j.by(h).odds(&s)
		if h.Match = grade(h.Odds, &s); h.Match == answer.Weak && h.from.IsTitled() {
			h.Match = answer.Partial
		}
		if r.chosen != nil {
			h.heed(r.chosen[h.from.Num])
		}
		h.ByLikeness = s[covered]+s[corrected] == 0
	}
	if len(r.hits) > 0 && r.q.Mode != answer.Semantic && !j.standsOnAnything() {
		r.hits = nil
	}
	return nil
}

// heed corrects the grade of a hit by what a language model said that read it.
func (h *hit) heed(chosen bool) {
	switch {
	case !chosen:
		h.Match, h.Unchosen = answer.Weak, true
	case h.Match == answer.Weak:
		h.Match = answer.Partial
	}
}

// A judge knows what the signals of all hits of a question need.
type judge struct {
	r        *run
	near     *index.Proximity
	total    float64 // weight of the question
	most     float64 // that a word can have
	names    float64
	sharing  float64 // of the best ten, those that share their page
	tenth    float64 // score
	tenthSim float64 // similarity
	best     float64 // the most covered of any hit so far
}

func newJudge(r *run) *judge {
	j := &judge{r: r, most: r.v.Searcher.Rarest()}
	r.words = index.NewTitles(index.WithAlso(r.found.Index.Words))
	j.near = index.NewProximity(r.words, r.q.Text)
	for _, w := range r.found.Index.Words {
		if w.Extra {
			continue
		}
		j.total += w.Full
		if !w.Stop && !w.Light {
			j.names++
		}
	}
	ten := r.found.Ranked[:min(len(r.found.Ranked), beside)]
	onPage := map[uint64]int{}
	for _, c := range ten {
		onPage[c.Page]++
	}
	for _, c := range ten {
		if onPage[c.Page] > 1 {
			j.sharing += 1 / float64(len(ten))
		}
		j.tenth, j.tenthSim = c.Final, c.Similarity
	}
	return j
}

// by is what weighs the signals of a hit.
func (j *judge) by(h *hit) *regression {
	switch {
	case !j.r.found.Query.Prose:
		return &byWords
	case h.from.Read == nil:
		return &byProse
	}
	return &byModel
}

// signals measures a hit.
func (j *judge) signals(h *hit) (s [signals]float64) {
	near := j.near.Read(strings.Join(h.Headings, " "), h.Body)
	for i, w := range j.r.found.Index.Words {
		if w.Extra || j.total == 0 {
			continue
		}
		share := w.Full / j.total
		switch {
		case w.DocFreq == 0:
			s[unknown] += share
			s[rarest] = max(s[rarest], w.Full/j.most)
		case near.Words>>i&1 == 0:
			s[rarest] = max(s[rarest], w.Full/j.most)
		case w.Searched[0] != w.Text:
			s[corrected] += share
		default:
			s[covered] += share
		}
	}
	j.best = max(j.best, s[covered]+s[corrected])
	s[adjacent], s[together] = near.Adjacent, near.Together
	s[title] = h.from.Match
	if s[likeness], s[above] = h.from.Similarity, h.from.Similarity-j.tenthSim; !j.r.found.Vectors {
		s[likeness], s[above] = withoutVectors, 0
	}
	if j.total > 0 {
		s[score] = h.from.Score / j.total
	}
	if j.tenth > 0 {
		s[lead] = min(h.from.Final/j.tenth, 4)
	}
	if h.from.Read != nil {
		s[read] = h.from.Read.Score
	}
	s[named], s[pages] = math.Log(1+j.names), j.sharing
	return s
}

func (r *regression) odds(s *[signals]float64) float64 {
	odds := r.bias
	for i, x := range s {
		odds += r.weights[i] * x
	}
	return odds
}

// grade says how well a hit with some signals matches.
func grade(odds float64, s *[signals]float64) string {
	switch {
	case odds > strongAbove:
		return answer.Strong
	case odds < weakBelow && s[covered] < allWords:
		return answer.Weak
	}
	return answer.Partial
}

// tooFar is the similarity under which a text without any word of the question has
// nothing to do with it.
const tooFar = 0.3

// standsOnAnything reports whether some hit has a word of the question, or is near it.
func (j *judge) standsOnAnything() bool {
	return j.best > 0 || j.r.found.Vectors && j.r.hits[0].from.Similarity >= tooFar
}
