package index

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Place is a text of one of several inputs.
type Place struct {
	Input int
	Num   uint32
}

// Merge makes one index of several, without the deleted texts, with that many
// workers (0 means one for each processor). order names all texts that are not
// deleted, in the order they shall have; nil means input by input. The result is
// what Build would make of those texts, byte for byte.
func Merge(in []Input, order []Place, workers int) ([]Part, error) {
	m := &merging{in: in}
	if err := m.number(order); err != nil {
		return nil, err
	}
	c := &content{source: m}
	m.measure(c)
	if err := m.mergeTerms(c); err != nil {
		return nil, err
	}
	if err := m.mergeWords(c); err != nil {
		return nil, err
	}
	return c.write(workers)
}

// merging is the source of a merged index.
type merging struct {
	in      []Input
	numbers [][]uint32 // new number of each text, or gone
	ascends []bool     // whether the new numbers of an input are in order
	texts   int
	refs    []ref
	terms   []int32 // refs[terms[i]:terms[i+1]] is term i
}

const gone = 1<<32 - 1

// A ref is a key in one of the inputs.
type ref struct {
	input int32
	entry entry
}

func (m *merging) number(order []Place) error {
	var live []Place
	for i, in := range m.in {
		m.numbers = append(m.numbers, slices.Repeat([]uint32{gone}, in.Reader.Len()))
		for j := range in.Reader.texts {
			if !in.Deleted.Has(j) {
				live = append(live, Place{i, j})
			}
		}
	}
	if order == nil {
		order = live
	}
	if len(order) != len(live) {
		return fmt.Errorf("merge: order of %d texts for %d", len(order), len(live))
	}
	for n, p := range order {
		if p.Input < 0 || p.Input >= len(m.in) || int(p.Num) >= len(m.numbers[p.Input]) ||
			m.in[p.Input].Deleted.Has(p.Num) || m.numbers[p.Input][p.Num] != gone {
			return fmt.Errorf("merge: text %d of input %d is deleted, unknown or named twice", p.Num, p.Input)
		}
		m.numbers[p.Input][p.Num] = uint32(n)
	}
	m.texts = len(order)
	for _, numbers := range m.numbers {
		last, ascends := uint32(0), true
		for _, n := range numbers {
			if n != gone {
				ascends = ascends && n >= last
				last = n
			}
		}
		m.ascends = append(m.ascends, ascends)
	}
	return nil
}

func (m *merging) measure(c *content) {
	c.stats.texts = m.texts
	for f := range c.lengths {
		c.lengths[f] = make([]byte, m.texts)
		for i, in := range m.in {
			for j, n := range m.numbers[i] {
				if n != gone {
					code := in.Reader.lengths[f][j]
					c.lengths[f][n] = code
					c.stats.sums[f] += uint64(lengthOf[code])
				}
			}
		}
	}
}

// mergeTerms brings the terms of all inputs together, and groups them by word.
func (m *merging) mergeTerms(c *content) error {
	scans := make([]dictScan, len(m.in))
	for i := range scans {
		scans[i] = m.in[i].Reader.terms.scan(0)
	}
	var stem stemmer
	numbered := map[string]int{}
	err := mergeScans(scans, func(key []byte, at []int) bool {
		m.terms = append(m.terms, int32(len(m.refs)))
		for _, i := range at {
			m.refs = append(m.refs, ref{int32(i), scans[i].entry})
		}
		word := stem.word(key)
		n, ok := numbered[string(word)]
		if !ok {
			n = len(c.words)
			c.words = append(c.words, class{word: string(word)})
			numbered[string(word)] = n
		}
		c.words[n].terms = append(c.words[n].terms, int32(len(c.terms)))
		c.terms = append(c.terms, key)
		return true
	})
	m.terms = append(m.terms, int32(len(m.refs)))
	c.sortWords()
	return err
}

// mergeWords finds the lists of every word in the inputs.
func (m *merging) mergeWords(c *content) error {
	scans := make([]dictScan, len(m.in))
	for i := range scans {
		scans[i] = m.in[i].Reader.words.scan(0)
	}
	var more []class // words that have no term: parts and joined forms
	next := 0        // in c.words
	has := make([]bool, len(m.in))
	err := mergeScans(scans, func(key []byte, at []int) bool {
		for ; next < len(c.words) && c.words[next].word < string(key); next++ {
			m.addImplicit(c, &c.words[next], nil)
		}
		var k *class
		if next < len(c.words) && c.words[next].word == string(key) {
			k = &c.words[next]
			next++
		} else {
			more = append(more, class{word: string(key)})
			k = &more[len(more)-1]
		}
		clear(has)
		k.alone = len(k.terms) == 1
		for _, i := range at {
			has[i] = true
			k.alone = k.alone && scans[i].entry.alias >= 0
			k.source = append(k.source, int32(len(m.refs)))
			m.refs = append(m.refs, ref{int32(i), scans[i].entry})
		}
		m.addImplicit(c, k, has)
		return true
	})
	if err != nil {
		return err
	}
	for ; next < len(c.words); next++ {
		m.addImplicit(c, &c.words[next], nil)
	}
	c.words = append(c.words, more...)
	c.sortWords()
	return nil
}

// sortWords sorts the words, moving each once.
func (c *content) sortWords() {
	type key struct {
		prefix uint64
		at     int32
	}
	keys := make([]key, len(c.words))
	for i := range keys {
		keys[i] = key{prefixOf(c.words[i].word), int32(i)}
	}
	slices.SortFunc(keys, func(x, y key) int {
		if x.prefix != y.prefix {
			return cmp.Compare(x.prefix, y.prefix)
		}
		return strings.Compare(c.words[x.at].word, c.words[y.at].word)
	})
	for i := range keys { // each cycle of places at once
		first := c.words[i]
		for at := i; ; {
			next := int(keys[at].at)
			keys[at].at = int32(at)
			if next == i {
				c.words[at] = first
				break
			}
			c.words[at] = c.words[next]
			at = next
		}
	}
}

// addImplicit adds to k the lists of the term of its spelling, for those inputs
// that do not have the word: there the term stands for it.
func (m *merging) addImplicit(c *content, k *class, has []bool) {
	if has == nil {
		k.alone = len(k.terms) == 1
	}
	for _, t := range k.terms {
		if string(c.terms[t]) != k.word {
			continue
		}
		for r := m.terms[t]; r < m.terms[t+1]; r++ {
			if has == nil || !has[m.refs[r].input] {
				k.source = append(k.source, r)
			}
		}
	}
}

// mergeScans calls f with each key that any of the scans has, in order, and the
// numbers of the scans that have it, until f returns false.
func mergeScans(scans []dictScan, f func(key []byte, at []int) bool) error {
	live := make([]bool, len(scans))
	for i := range scans {
		live[i] = scans[i].next()
	}
	var at []int
	for {
		at = at[:0]
		for i := range scans {
			if !live[i] {
				continue
			}
			if len(at) > 0 {
				switch c := bytes.Compare(scans[i].key, scans[at[0]].key); {
				case c > 0:
					continue
				case c < 0:
					at = at[:0]
				}
			}
			at = append(at, i)
		}
		if len(at) == 0 {
			break
		}
		if !f(scans[at[0]].key, at) {
			return nil
		}
		for _, i := range at {
			last := scans[i].key
			live[i] = scans[i].next()
			if live[i] && bytes.Compare(last, scans[i].key) >= 0 {
				return damaged("dictionary order")
			}
		}
	}
	for i := range scans {
		if scans[i].err != nil {
			return scans[i].err
		}
	}
	return nil
}

func (m *merging) term(i int, s *scratch) ([]posting, error) {
	s.reset()
	for _, r := range m.refs[m.terms[i]:m.terms[i+1]] {
		if err := m.add(r, s); err != nil {
			return nil, err
		}
	}
	return s.merged(), nil
}

func (m *merging) word(k *class, s *scratch) ([]posting, error) {
	s.reset()
	for _, r := range k.source {
		if err := m.add(m.refs[r], s); err != nil {
			return nil, err
		}
	}
	return s.merged(), nil
}

// add adds the postings of a key, renumbered.
func (m *merging) add(r ref, s *scratch) error {
	l, err := m.in[r.input].Reader.list(r.entry)
	if err != nil {
		return err
	}
	from := len(s.postings)
	numbers := m.numbers[r.input]
	for i := range l.count {
		if err := l.decode(i, &s.block); err != nil {
			return err
		}
		b := &s.block
		if err := b.decodeCounts(); err != nil {
			return err
		}
		for j, num := range b.nums[:b.m] {
			if n := numbers[num]; n != gone {
				s.postings = append(s.postings, posting{n, b.counts[j]})
			}
		}
	}
	if !m.ascends[r.input] {
		slices.SortFunc(s.postings[from:], func(x, y posting) int { return cmp.Compare(x.num, y.num) })
	}
	s.endRun()
	return nil
}
