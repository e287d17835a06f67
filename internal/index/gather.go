package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// A formRef names a form of a Writer. Those of equal text and kind in different
// Writers are one.
type formRef struct {
	prefix uint64 // the first bytes of the text, which mostly decide the order
	writer uint32
	form   uint32
}

// gathered is the source of a built index: what its Writers hold.
type gathered struct {
	b       *Builder
	numbers [][]uint32
	refs    []formRef
	same    []int32 // refs[same[i]:same[i+1]] is form i
	terms   []int32 // for each term, which form it is
}

// gather brings the forms of all Writers into order and groups them by word.
func (b *Builder) gather(numbers [][]uint32) *content {
	g := &gathered{b: b, numbers: numbers}
	forms := 0
	for _, w := range b.writers {
		forms += len(w.forms)
	}
	g.refs = make([]formRef, 0, forms)
	for i, w := range b.writers {
		for j := range w.forms {
			w.flush(uint32(j))
			g.refs = append(g.refs, formRef{prefixOf(w.textOf(&w.forms[j])), uint32(i), uint32(j)})
		}
	}
	slices.SortFunc(g.refs, func(x, y formRef) int {
		if x.prefix != y.prefix {
			return cmp.Compare(x.prefix, y.prefix)
		}
		return cmp.Or(g.compare(x, y), cmp.Compare(x.writer, y.writer))
	})
	c := &content{source: g, terms: make([][]byte, 0, forms), words: make([]class, 0, forms)}
	g.same, g.terms = make([]int32, 0, forms+1), make([]int32, 0, forms)
	var stem stemmer
	numbered := make(map[string]int32, forms) // words, by index in c.words
	var word int32
	for i, r := range g.refs {
		if i > 0 && g.compare(g.refs[i-1], r) == 0 {
			continue
		}
		form := int32(len(g.same))
		g.same = append(g.same, int32(i))
		text, m := g.text(r), g.form(r)
		if i == 0 || !bytes.Equal(g.text(g.refs[i-1]), text) {
			w := stem.word(text)
			var ok bool
			if word, ok = numbered[string(w)]; !ok {
				word = int32(len(c.words))
				k := class{word: string(w)}
				c.words = append(c.words, k)
				numbered[k.word] = word
			}
		}
		k := &c.words[word]
		k.source = append(k.source, form)
		if m.kind == wordToken {
			k.terms = append(k.terms, int32(len(c.terms)))
			c.terms = append(c.terms, text)
			g.terms = append(g.terms, form)
		}
		k.alone = len(k.source) == 1 && len(k.terms) == 1
	}
	g.same = append(g.same, int32(len(g.refs)))
	slices.SortFunc(c.words, func(x, y class) int { return cmp.Compare(x.word, y.word) })
	return c
}

func (g *gathered) form(r formRef) *form  { return &g.b.writers[r.writer].forms[r.form] }
func (g *gathered) text(r formRef) []byte { return g.b.writers[r.writer].textOf(g.form(r)) }

func (g *gathered) compare(x, y formRef) int {
	return cmp.Or(bytes.Compare(g.text(x), g.text(y)), cmp.Compare(g.form(x).kind, g.form(y).kind))
}

// prefixOf returns the first eight bytes of text as a number that sorts like them.
func prefixOf(text []byte) uint64 {
	var b [8]byte
	copy(b[:], text)
	return binary.BigEndian.Uint64(b[:])
}

func (g *gathered) term(i int, s *scratch) ([]posting, error) {
	s.reset()
	g.add(g.terms[i], s)
	return s.merged(), nil
}

func (g *gathered) word(k *class, s *scratch) ([]posting, error) {
	s.reset()
	for _, form := range k.source {
		g.add(form, s)
	}
	return s.merged(), nil
}

// add adds the postings of a form to s, a run from each Writer.
func (g *gathered) add(form int32, s *scratch) {
	for _, r := range g.refs[g.same[form]:g.same[form+1]] {
		s.bytes = g.b.writers[r.writer].pool.appendTo(s.bytes[:0], &g.form(r).stream)
		numbers := g.numbers[r.writer]
		local := int32(-1)
		for data := s.bytes; len(data) > 0; {
			v, n := binary.Uvarint(data)
			data = data[n:]
			local += int32(v >> 1)
			c := counts(1)
			if v&1 == 0 {
				v, n := binary.Uvarint(data)
				data = data[n:]
				c = counts(v)
			}
			s.postings = append(s.postings, posting{numbers[local], c})
		}
		s.endRun()
	}
}

// scratch is what one goroutine gathers postings in.
type scratch struct {
	bytes    []byte
	postings []posting
	other    []posting
	ends     []int // of the ascending runs in postings
	block    block
}

func (s *scratch) reset() { s.postings, s.ends = s.postings[:0], s.ends[:0] }

func (s *scratch) endRun() { s.ends = append(s.ends, len(s.postings)) }

// merged returns the postings of all runs in one, with the counts of equal
// numbers added up.
func (s *scratch) merged() []posting {
	for len(s.ends) > 1 {
		// Merge neighbours, so that many runs cost little more than few.
		s.other = s.other[:0]
		from, n := 0, 0
		for i := 0; i < len(s.ends); i += 2 {
			mid := s.ends[i]
			end := mid
			if i+1 < len(s.ends) {
				end = s.ends[i+1]
			}
			s.other = appendMerged(s.other, s.postings[from:mid], s.postings[mid:end])
			s.ends[n] = len(s.other)
			n++
			from = end
		}
		s.ends = s.ends[:n]
		s.postings, s.other = s.other, s.postings
	}
	return s.postings
}

func appendMerged(dst, a, b []posting) []posting {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].num < b[0].num:
			dst, a = append(dst, a[0]), a[1:]
		case a[0].num > b[0].num:
			dst, b = append(dst, b[0]), b[1:]
		default:
			dst = append(dst, posting{a[0].num, a[0].plus(b[0].counts)})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(dst, a...), b...)
}
