package index

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/blob"
)

// A Corpus tells a Searcher that has only some of the texts at hand what is known
// of all of them, so that it scores each as it would among all.
//
// That is how texts that are stored elsewhere are ranked: Wanted says which ones can
// answer, whoever keeps them hands over the likeliest few hundred, and a Searcher
// over these and the Corpus of all gives them the scores, bit for bit, that it
// would if it had every text. Analyse says what the keeper must know of a text.
type Corpus interface {
	// Size returns the number of texts and the sum of their lengths, as Analyse
	// gives them, by field.
	Size() (texts int, lengths [3]uint64)

	// Words and Terms return in how many texts each of some words, or terms, occur.
	Words(words []string) ([]int, error)
	Terms(terms []string) ([]int, error)

	// Vocabulary returns the terms that begin with a prefix, in any order. Terms
	// that no text has any more may be among them.
	Vocabulary(prefix string) ([]string, error)
}

// NewPartial returns a Searcher over some texts of a corpus.
func NewPartial(in []Input, c Corpus) (*Searcher, error) {
	s, err := NewSearcher(in, nil)
	if err != nil {
		return nil, err
	}
	s.corpus = c
	s.stats.texts, s.stats.sums = c.Size()
	return s, nil
}

// An Analysis is what a keeper of texts must know of one: its words by field, to
// find it by; its terms, to count them; and its lengths.
type Analysis struct {
	Title, Headings, Body []string // words, in order and with repeats
	Terms                 []string // of all fields
	Lengths               [3]int   // rounded as the index keeps them
}

// Analyse takes a text apart as Build does.
func Analyse(t Text) Analysis {
	var a Analysis
	var tok tokenizer
	var stem stemmer
	for f, s := range [...]string{t.Title, t.Headings, t.Body} {
		words := [...]*[]string{&a.Title, &a.Headings, &a.Body}[f]
		length := 0
		tok.each(s, func(k kind, text []byte) {
			if k == wordToken || k == pairToken {
				length++
				a.Terms = append(a.Terms, string(text))
			}
			*words = append(*words, string(stem.word(text)))
		})
		a.Lengths[f] = int(lengthOf[lengthCode(length)])
	}
	return a
}

// Wanted says which texts can answer a query: those with any of the words in Any
// that have one word of each group in Must, and none of those in Not.
type Wanted struct {
	Any         []WantedWord
	Must        [][]WantedWord
	Not         []string
	Corrections []Correction
}

// A WantedWord is a word to look for.
type WantedWord struct {
	Word  string   // as Analyse gives it
	Title bool     // only titles count
	Terms []string // as it was typed: texts with these are preferred
}

// Keys returns the words and terms whose counts a query is planned with, for a Corpus
// that would rather be asked once.
func (q *Query) Keys() (words, terms []string) {
	var stem stemmer
	for _, list := range [][]Word{q.Words, q.Not} {
		for _, w := range list {
			words = append(words, string(stem.word([]byte(w.Text))))
			terms = append(terms, w.Text)
		}
	}
	return words, terms
}

// Wanted plans a query without answering it.
func (s *Searcher) Wanted(q Query, p Params) (Wanted, error) {
	pl, err := s.plan(q, p)
	if err != nil {
		return Wanted{}, err
	}
	w := Wanted{Corrections: pl.fixes}
	for _, l := range pl.lists {
		x := WantedWord{Word: l.word, Title: l.title}
		for _, e := range l.exact {
			x.Terms = append(x.Terms, e.term)
		}
		w.Any = append(w.Any, x)
	}
	for _, info := range pl.words {
		if !info.Must {
			continue
		}
		var group []WantedWord
		for _, term := range info.Searched {
			group = append(group, WantedWord{Word: string(pl.stem.word([]byte(term))), Title: info.Title})
		}
		w.Must = append(w.Must, group)
	}
	for _, n := range q.Not {
		w.Not = append(w.Not, string(pl.stem.word([]byte(n.Text))))
	}
	return w, nil
}

// corpusFreq returns in how many texts of the corpus a key occurs.
func corpusFreq(ask func([]string) ([]int, error), key string) (int, error) {
	n, err := ask([]string{key})
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

// dictionaries are those of the terms of all texts that begin with a prefix.
func (s *Searcher) dictionaries(prefix string) ([]*dictionary, error) {
	if s.corpus == nil {
		out := make([]*dictionary, len(s.segments))
		for i := range s.segments {
			out[i] = &s.segments[i].terms
		}
		return out, nil
	}
	terms, err := s.corpus.Vocabulary(prefix)
	if err != nil {
		return nil, err
	}
	slices.Sort(terms)
	w := dictWriter{}
	for i, t := range terms {
		if i > 0 && t == terms[i-1] || t == "" || strings.ContainsAny(t, "\n\x00") {
			continue
		}
		w.add([]byte(t), entry{n: 1, alias: -1})
	}
	return []*dictionary{{text: blob.Memory(w.text), x: blob.Memory(append(w.records, w.entries...)), count: w.count}}, nil
}

// complete is Complete for a corpus.
func (s *Searcher) complete(prefix string, n int) ([]string, error) {
	terms, err := s.corpus.Vocabulary(prefix)
	if err != nil {
		return nil, err
	}
	terms = slices.DeleteFunc(terms, func(t string) bool {
		return len(t) > maxWordBytes || !strings.HasPrefix(t, prefix)
	})
	df, err := s.corpus.Terms(terms)
	if err != nil {
		return nil, err
	}
	best := make([]nearTerm, 0, len(terms))
	for i, t := range terms {
		if df[i] > 0 {
			best = append(best, nearTerm{term: t, df: df[i]})
		}
	}
	slices.SortFunc(best, byFrequency)
	return firstTerms(best, n), nil
}
