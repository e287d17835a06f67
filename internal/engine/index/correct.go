package index

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-md/docent/internal/portable"
)

// What is looked for instead of a word that no text has: a word that differs
// from it by a slip or two of the keyboard or, where the word may not be
// finished, one that begins with it.

const (
	// A word of minFixed letters may differ in one place, one of minFixedTwice
	// in two. Shorter ones are not touched: too many words are near.
	minFixed      = 4
	minFixedTwice = 8
	maxFixed      = 40

	slip = 10 // how much each slip takes from the rating

	minPrefix      = 3
	maxCompletions = 3
)

type nearTerm struct {
	term   string
	df     int // of its word
	rating float64
	slips  int // by which it differs
}

func firstTerms(best []nearTerm, n int) []string {
	var out []string
	for _, b := range best[:min(n, len(best))] {
		out = append(out, b.term)
	}
	return out
}

// replace returns what to look for instead of w.
func (s *Searcher) replace(w Word, unfinished bool) ([]string, error) {
	if w.kind == pairToken {
		if utf8.RuneCountInString(w.Text) == 1 {
			// The pairs that begin with a character are the texts that have it,
			// but for those where it comes last.
			return s.Complete(w.Text, maxCompletions)
		}
		return nil, nil
	}
	best, err := s.nearest(w.Text, false)
	if err != nil {
		return nil, err
	}
	if unfinished && utf8.RuneCountInString(w.Text) >= minPrefix {
		ends, err := s.Complete(w.Text, maxCompletions)
		if err != nil {
			return nil, err
		}
		if len(ends) > 0 {
			_, df, err := s.word([]byte(ends[0]))
			if err != nil {
				return nil, err
			}
			if len(best) == 0 || df > best[0].df {
				return ends, nil
			}
		}
	}
	if len(best) == 0 || best[0].slips > 1 {
		if parts, err := s.split(w.Text); err != nil || len(parts) > 0 {
			return parts, err
		}
	}
	return firstTerms(best, 1), nil
}

// minHalf is the least letters of a half of a word that is written in two.
const minHalf = 3

// split returns the two known words that a word is written in one of, "name" and
// "servers" for "nameservers": the pair whose rarer word is the most common.
func (s *Searcher) split(word string) ([]string, error) {
	var best []string
	most := 0
	for i := range word {
		a, b := word[:i], word[i:]
		if utf8.RuneCountInString(a) < minHalf || utf8.RuneCountInString(b) < minHalf {
			continue
		}
		_, first, err := s.term([]byte(a))
		if err != nil {
			return nil, err
		}
		if first <= most {
			continue
		}
		_, second, err := s.term([]byte(b))
		if err != nil {
			return nil, err
		}
		if n := min(first, second); n > most {
			best, most = []string{a, b}, n
		}
	}
	return best, nil
}

// Nearest returns up to n known words near word, the likeliest first.
func (s *Searcher) Nearest(word string, n int) ([]string, error) {
	best, err := s.nearest(foldString(word), true)
	return firstTerms(best, n), err
}

// nearest returns the known terms near word, the likeliest first. Unless many are
// wanted, those that cannot be the first may be missing.
func (s *Searcher) nearest(word string, many bool) ([]nearTerm, error) {
	letters := utf8.RuneCountInString(word)
	if letters < minFixed || letters > maxFixed || strings.ContainsFunc(word, unicode.IsNumber) {
		return nil, nil
	}
	most := 1
	if letters >= minFixedTwice {
		most = 2
	}
	first, size := utf8.DecodeRuneInString(word)
	found := map[string]int{}
	// Most slips leave the first letter alone, and a word one slip away that
	// begins with it is always preferred, so that the others need not be found.
	nearest := most + 1
	type pass struct {
		most  int
		whole bool // any first letter
	}
	passes := []pass{{most, false}, {most, true}}
	if most > 1 && !many {
		passes = []pass{{1, false}, passes[0], passes[1]}
	}
	for _, p := range passes {
		if nearest == 1 {
			break
		}
		prefix := word[:size]
		if p.whole {
			prefix = ""
		}
		all, err := s.dictionaries(prefix)
		if err != nil {
			return nil, err
		}
		for _, d := range all {
			from, to := 0, d.groups()
			if !p.whole {
				var err error
				if from, to, err = d.groupsOf([]byte(word[:size])); err != nil {
					return nil, err
				}
			}
			err := newFuzzy(word, p.most).scan(d, from, to, func(term []byte, distance int) {
				if c, _ := utf8.DecodeRune(term); p.whole || c == first {
					found[string(term)] = distance
				}
			})
			if err != nil {
				return nil, err
			}
		}
		for term, distance := range found {
			_, df, err := s.term([]byte(term))
			if err != nil {
				return nil, err
			}
			if df == 0 {
				delete(found, term) // it is left of deleted texts only
				continue
			}
			nearest = min(nearest, distance)
		}
	}
	var all []nearTerm
	for term, distance := range found {
		_, df, err := s.word([]byte(term))
		if err != nil {
			return nil, err
		}
		// Of the forms of a word the common one is meant: "decorater" is "decorator".
		_, typed, err := s.term([]byte(term))
		if err != nil {
			return nil, err
		}
		// One slip is far likelier than two, whatever the words.
		r := nearTerm{term, df, portable.Log(float64(typed)) - float64(slip*float64(distance)), distance}
		if c, _ := utf8.DecodeRuneInString(term); c != first {
			r.rating -= 5
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(x, y nearTerm) int {
		return cmp.Or(cmp.Compare(y.rating, x.rating), cmp.Compare(x.term, y.term))
	})
	return all, nil
}

// Complete returns up to n known words that begin with prefix, the most frequent
// first.
func (s *Searcher) Complete(prefix string, n int) ([]string, error) {
	if s.corpus != nil {
		return s.complete(foldString(prefix), n)
	}
	key := []byte(foldString(prefix))
	df := map[string]int{} // with deleted texts
	for i := range s.segments {
		d := &s.segments[i].terms
		from, _, err := d.search(key)
		if err != nil {
			return nil, err
		}
		sc := d.scan(from / groupSize * groupSize)
		for sc.next() {
			if bytes.HasPrefix(sc.key, key) {
				if len(sc.key) <= maxWordBytes {
					df[string(sc.key)] += sc.entry.df()
				}
			} else if bytes.Compare(sc.key, key) > 0 {
				break
			}
		}
		if sc.err != nil {
			return nil, sc.err
		}
	}
	terms := slices.SortedFunc(maps.Keys(df), func(x, y string) int {
		return cmp.Or(cmp.Compare(df[y], df[x]), cmp.Compare(x, y))
	})
	// Without deleted texts a term can only have fewer, so that those after the
	// n-th best need not be looked at.
	var best []nearTerm
	for _, t := range terms {
		if len(best) >= n && df[t] < best[n-1].df {
			break
		}
		_, exact, err := s.term([]byte(t))
		if err != nil {
			return nil, err
		}
		if exact == 0 {
			continue
		}
		best = append(best, nearTerm{term: t, df: exact})
		slices.SortFunc(best, byFrequency)
		best = best[:min(len(best), n)]
	}
	return firstTerms(best, n), nil
}

func byFrequency(x, y nearTerm) int {
	return cmp.Or(cmp.Compare(y.df, x.df), cmp.Compare(x.term, y.term))
}
