package search

import (
	"context"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
)

// How well a hit matches.
//
// A search always finds something: of the words of any question some are somewhere. So
// each hit is judged by what is known of it: how much of the question it has, whether the
// words stand together, how near it is in meaning, whether it has what the question names;
// and the question by whether its words are at home in these documents (home.go). A
// logistic regression weighs these signals (signals.go). It was fitted to questions about
// some forty products, asked of their own documents and of others' (weights.go);
// docs/answers.md has the error rates, and "docent eval --foreign" measures them. What the
// model in the program made of the hits has no part in it: design/016-match-and-reranker.md.

// allWords is the share of a question's weight that is all of it, but for rounding. What
// has every word of a question is never weak, whatever else is known of it.
const allWords = 0.999

// beside is how many candidates are ranked at least, however many are shown.
const beside = 10

// judge grades the hits, and says which words of the question no document has.
func (r *run) judge(ctx context.Context) error {
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
	r.words = index.NewTitles(index.WithAlso(words))
	j := newJudge(&r.found, r.q.Text, r.words, r.v.Searcher.Len())
	for i := range r.hits[:min(len(r.hits), answer.MaxLimit)] { // no user sees more
		h := &r.hits[i]
		s, has := j.signals(h)
		h.Odds = bySignals.odds(&s)
		isSpared := s[covered] >= allWords || h.from.IsTitled()
		h.Match = j.heedStrangers(grade(h.Odds, isSpared), isSpared)
		j.tell(ctx, &s, isSpared)
		if j.guessed {
			h.Match = answer.Weak
		}
		if r.chosen != nil {
			h.heed(r.chosen[h.from.Num])
		}
		h.ByLikeness = has == 0
	}
	if len(r.hits) > 0 && r.q.Mode != answer.Semantic && !j.standsOnAnything(&r.hits[0]) {
		r.hits = nil
	}
	return nil
}

// Among a few hundred texts the other signals cannot tell what is at home there. So every hit
// is weak if that many words of the question name something and stand in no document. In
// larger corpora that would flag what people ask in words of their own.
const (
	fewTexts      = 500
	manyStrangers = 2
)

// heedStrangers corrects a grade by the words of the question that no document has: what
// lacks one of them is no strong match, whatever else it has.
func (j *judge) heedStrangers(match string, isSpared bool) string {
	switch {
	case j.strangers >= manyStrangers && !isSpared && j.texts < fewTexts:
		return answer.Weak
	case j.strangers > 0 && match == answer.Strong:
		return answer.Partial
	}
	return match
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

// grade says how well a hit matches. One that is spared is not weak.
func grade(odds float64, isSpared bool) string {
	switch {
	case odds > strongAbove:
		return answer.Strong
	case odds < weakBelow && !isSpared:
		return answer.Weak
	}
	return answer.Partial
}

// tooFar is the similarity under which a text without any word of the question has
// nothing to do with it.
const tooFar = 0.3

// standsOnAnything reports whether some hit has a word of the question, or is near it.
func (j *judge) standsOnAnything(first *hit) bool {
	return j.best > 0 || j.vectors && first.from.Similarity >= tooFar
}
