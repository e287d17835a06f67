package index

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// An Input is an index and the numbers in it that are deleted.
type Input struct {
	Reader  *Reader
	Deleted *Set
}

// A Searcher answers queries over several indexes as if they were one. The texts
// of the first come first: text i of the second has the number i plus the
// length of the first, and so on, deleted texts counted.
type Searcher struct {
	segments []segment
	stats    stats // of the texts that are not deleted
	order    func(num uint32) uint32
	texts    uint32 // with the deleted ones
	norms    atomic.Pointer[paramNorms]
	corpus   Corpus // what is known of all texts, when these are some of them; else nil
}

// paramNorms are the norms of the parameters asked with last, which are mostly
// those asked with next.
type paramNorms struct {
	params Params
	norms  *norms
}

// normsFor returns the norms of valid parameters.
func (s *Searcher) normsFor(p Params) *norms {
	if n := s.norms.Load(); n != nil && n.params == p {
		return n.norms
	}
	n := &paramNorms{p, newNorms(p, &s.stats)}
	s.norms.Store(n)
	return n.norms
}

type segment struct {
	*Reader
	base    uint32 // number of its first text
	deleted *Set
	dead    []uint32 // deleted, ascending
}

// NewSearcher returns a Searcher over the given indexes. Texts with equal scores
// are returned in ascending order of order(number); nil means by number.
func NewSearcher(in []Input, order func(num uint32) uint32) (*Searcher, error) {
	s := &Searcher{order: order}
	total := 0
	for _, i := range in {
		seg := segment{Reader: i.Reader, base: uint32(total), deleted: i.Deleted}
		total += i.Reader.Len()
		if total > math.MaxInt32 {
			return nil, errors.New("search: too many texts")
		}
		s.stats.texts += i.Reader.Len()
		for f, sum := range i.Reader.stats.sums {
			s.stats.sums[f] += sum
		}
		for n := range i.Deleted.All() {
			if n >= i.Reader.texts {
				return nil, fmt.Errorf("search: deleted text %d of %d", n, i.Reader.texts)
			}
			seg.dead = append(seg.dead, n)
			s.stats.texts--
			for f := range s.stats.sums {
				s.stats.sums[f] -= uint64(lengthOf[seg.lengths[f][n]])
			}
		}
		s.segments = append(s.segments, seg)
	}
	s.texts = uint32(total)
	return s, nil
}

// Len returns how many texts there are that are not deleted.
func (s *Searcher) Len() int { return s.stats.texts }

// position says where a text comes among those of equal score.
func (s *Searcher) position(num uint32) uint32 {
	if s.order == nil {
		return num
	}
	return s.order(num)
}

// word looks up the word of a term: its list in each segment, and in how many
// texts it is ranked.
func (s *Searcher) word(term []byte) ([]list, int, error) {
	var stem stemmer
	return s.stemmed(&stem, string(stem.word(term)))
}

func (s *Searcher) stemmed(stem *stemmer, word string) ([]list, int, error) {
	key := []byte(word)
	lists, df, err := s.lookup(func(r *Reader) (entry, error) {
		return r.word(key, func() bool { return string(stem.word(key)) == word })
	})
	if s.corpus != nil && err == nil {
		df, err = corpusFreq(s.corpus.Words, word)
	}
	return lists, df, err
}

// term looks up a term as it is.
func (s *Searcher) term(term []byte) ([]list, int, error) {
	lists, df, err := s.lookup(func(r *Reader) (entry, error) { return r.term(term) })
	if s.corpus != nil && err == nil {
		df, err = corpusFreq(s.corpus.Terms, string(term))
	}
	return lists, df, err
}

func (s *Searcher) lookup(find func(r *Reader) (entry, error)) ([]list, int, error) {
	lists := make([]list, len(s.segments))
	df := 0
	for i := range s.segments {
		seg := &s.segments[i]
		e, err := find(seg.Reader)
		if err != nil {
			return nil, 0, err
		}
		if e.n == 0 {
			continue
		}
		if lists[i], err = seg.list(e); err != nil {
			return nil, 0, err
		}
		dead, err := seg.deadIn(&lists[i])
		if err != nil {
			return nil, 0, err
		}
		df += e.df() - dead
	}
	return lists, max(df, 0), nil
}

// deadIn returns how many deleted texts are ranked in l. Deleted texts lie
// together, file by file, so that even of a long list few blocks are decoded.
func (seg *segment) deadIn(l *list) (int, error) {
	if len(seg.dead) == 0 || l.n == 0 {
		return 0, nil
	}
	found := 0
	if l.n < len(seg.dead) {
		var b block
		for i := range l.count {
			if err := l.decode(i, &b); err != nil {
				return 0, err
			}
			for j, num := range b.nums[:b.m] {
				if !seg.deleted.Has(num) {
					continue
				}
				n, err := b.at(j)
				if err != nil {
					return 0, err
				}
				if n != 0 {
					found++
				}
			}
		}
		return found, nil
	}
	c := cursor{list: *l, decoded: -1}
	for _, num := range seg.dead {
		counts, err := c.seek(num)
		if err != nil {
			return 0, err
		}
		if counts != 0 {
			found++
		}
	}
	return found, nil
}
