package index

import (
	"slices"
	"strings"
)

// An Also is other words for some words of a query, as a glossary has them.
type Also struct {
	From []int    // in Query.Words
	To   []string // the words of one other name, in lower case
}

// How much the other words of a glossary weigh: so little that a text with them comes
// after one that has the word itself, however often it has them (BM25 gives a word that
// is everywhere 1+K1 = 2.2 times what it gives one that is there once). A name of several
// words shares the weight.
const synonymWeight = 0.3

// maxPhrase is how many words of a query are looked up together.
const maxPhrase = 4

// maxAlso limits the other names that one query is widened by.
const maxAlso = 16

// PlainWords returns the words of a text as a query has them, without parts of
// identifiers, in order.
func PlainWords(text string) []string {
	var out []string
	for _, w := range Parse(`"` + strings.ReplaceAll(text, `"`, " ") + `"`).Words {
		if !w.Extra {
			out = append(out, w.Text)
		}
	}
	return out
}

// Widen returns q with the other names that also gives for its words and for phrases of
// them. It is asked for words in lower case, one space apart. Stop words by themselves,
// words that must be there and phrases in quotes are meant as they are.
func (q Query) Widen(also func(phrase string) []string) Query {
	var at []int // the words that may be widened
	for i, w := range q.Words {
		if !w.Extra && !w.Must && !w.Title && !w.quoted {
			at = append(at, i)
		}
	}
	cloned := false
	for from := 0; from < len(at); {
		used := 1
		for n := min(maxPhrase, len(at)-from); n > 0; n-- {
			group := at[from : from+n]
			if n == 1 && stopWords[q.Words[group[0]].Text] {
				break
			}
			names := also(q.phrase(group))
			for _, name := range names {
				if to := PlainWords(name); len(to) > 0 && len(q.Also) < maxAlso {
					q.Also = append(q.Also, Also{From: slices.Clone(group), To: to})
				}
			}
			if len(names) > 0 {
				if !cloned {
					q.Words, cloned = slices.Clone(q.Words), true
				}
				for _, i := range group {
					q.Words[i].defined = true
				}
				used = n
				break
			}
		}
		from += used
	}
	return q
}

// phrase is some words of the query.
func (q *Query) phrase(at []int) string {
	words := make([]string, len(at))
	for k, i := range at {
		words[k] = q.Words[i].Text
	}
	return strings.Join(words, " ")
}

// widen adds the other words of a glossary to the plan.
func (pl *plan) widen(s *Searcher, q *Query) error {
	for _, a := range q.Also {
		if slices.Max(a.From) >= len(pl.words) {
			return nil
		}
		rarest := 0. // of the words they stand for, if any text has one
		for _, i := range a.From {
			if df := pl.words[i].DocFreq; df > 0 {
				rarest = max(rarest, s.stats.idf(df))
			}
		}
		found := false
		for _, term := range a.To {
			if stopWords[term] && len(a.To) > 1 {
				continue
			}
			ok, err := pl.addSynonym(s, a, term, rarest)
			if err != nil {
				return err
			}
			found = found || ok
		}
		if found {
			pl.also = append(pl.also, Correction{q.phrase(a.From), strings.Join(a.To, " ")})
		}
	}
	return nil
}

// addSynonym adds one other word, unless no text has it or the query has it too.
func (pl *plan) addSynonym(s *Searcher, a Also, term string, rarest float64) (bool, error) {
	if _, asked := pl.byWord[string(pl.stem.word([]byte(term)))]; asked {
		return false, nil
	}
	_, df, err := pl.addWord(s, a.From[0], term, Word{Text: term, Extra: true, Count: 1}, 0)
	if err != nil || df == 0 {
		return false, err
	}
	l := &pl.lists[pl.byWord[string(pl.stem.word([]byte(term)))]]
	idf := s.stats.idf(df)
	switch {
	case rarest == 0: // it is known by its other name alone
		l.weight = pl.params.Fixed
	case idf > rarest: // a rare name for a common word counts as that
		l.weight = synonymWeight * rarest / idf
	default:
		l.weight = synonymWeight
	}
	l.weight /= float64(len(a.To))
	for _, i := range a.From {
		l.words |= 1 << i
		info := &pl.words[i]
		info.Also = append(info.Also, term)
		if rarest == 0 {
			info.DocFreq = max(info.DocFreq, df)
			info.Weight = max(info.Weight, l.weight*idf)
			info.Full = info.Weight
		}
	}
	return true, nil
}

// WithAlso returns words with their other names among what was searched, for those who
// ask whether a text has a word under any name.
func WithAlso(words []WordInfo) []WordInfo {
	out := slices.Clone(words)
	for i := range out {
		out[i].Searched = slices.Concat(out[i].Searched, out[i].Also)
	}
	return out
}
