package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
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
	b     *Builder
	lists []formLists // of the Writers
	refs  []formRef
	same  []int32 // refs[same[i]:same[i+1]] is form i
	terms []int32 // for each term, which form it is
}

// formLists are the postings of one Writer; see log.byForm.
type formLists struct {
	postings []posting
	ends     []uint32
}

func (l *formLists) of(form uint32) []posting {
	from := uint32(0)
	if form > 0 {
		from = l.ends[form-1]
	}
	return l.postings[from:l.ends[form]]
}

// gather brings the forms of all Writers into order and groups them by word. A word
// that has one form, spelled like it, is left out: the term will be found instead.
func (b *Builder) gather(numbers [][]uint32, workers int) *content {
	g := &gathered{b: b, lists: make([]formLists, len(b.writers))}
	g.sort(numbers)
	c := &content{source: g, terms: make([][]byte, 0, len(g.same)-1)}
	termOf := make([]int32, len(g.same)-1) // for each form, which term it is, or -1
	g.terms = make([]int32, 0, len(termOf))
	for i := range termOf {
		termOf[i] = -1
		if r := g.refs[g.same[i]]; g.form(r).kind == wordToken {
			termOf[i] = int32(len(c.terms))
			c.terms = append(c.terms, g.text(r))
			g.terms = append(g.terms, int32(i))
		}
	}
	words := g.words(workers)
	forms := byWord(words)
	for len(forms) > 0 {
		word, n := words[forms[0]], 1
		for n < len(forms) && words[forms[n]] == word {
			n++
		}
		if t := termOf[forms[0]]; n > 1 || t < 0 || string(c.terms[t]) != word {
			k := class{word: strings.Clone(word), source: slices.Clone(forms[:n]), alone: n == 1 && t >= 0}
			for _, form := range forms[:n] {
				if t := termOf[form]; t >= 0 {
					k.terms = append(k.terms, t)
				}
			}
			c.words = append(c.words, k)
		}
		forms = forms[n:]
	}
	return c
}

// byWord returns the forms, by number, in the order of their words.
func byWord(words []string) []int32 {
	type key struct {
		prefix uint64
		form   int32
	}
	keys := make([]key, len(words))
	for i, w := range words {
		keys[i] = key{prefixOf(w), int32(i)}
	}
	slices.SortFunc(keys, func(x, y key) int {
		if x.prefix != y.prefix {
			return cmp.Compare(x.prefix, y.prefix)
		}
		return cmp.Or(strings.Compare(words[x.form], words[y.form]), cmp.Compare(x.form, y.form))
	})
	out := make([]int32, len(keys))
	for i, k := range keys {
		out[i] = k.form
	}
	return out
}

// sort brings the postings of the Writers, and their forms, into order.
func (g *gathered) sort(numbers [][]uint32) {
	refs := make([][]formRef, len(g.b.writers))
	var wait sync.WaitGroup
	for i, w := range g.b.writers {
		wait.Go(func() {
			w.slots, w.recent, w.tallies = nil, nil, nil // which only adding needs
			g.lists[i].postings, g.lists[i].ends = w.log.byForm(len(w.forms), numbers[i])
			refs[i] = make([]formRef, len(w.forms))
			for j := range w.forms {
				refs[i][j] = formRef{prefixOf(w.textOf(&w.forms[j])), uint32(i), uint32(j)}
			}
			slices.SortFunc(refs[i], g.compare)
		})
	}
	wait.Wait()
	for ; len(refs) > 1; refs = refs[2:] {
		refs = append(refs, g.mergeRefs(refs[0], refs[1]))
	}
	if len(refs) == 1 {
		g.refs = refs[0]
	}
	g.same = make([]int32, 0, len(g.refs)+1)
	for i := range g.refs {
		if i == 0 || g.compare(g.refs[i-1], g.refs[i]) != 0 {
			g.same = append(g.same, int32(i))
		}
	}
	g.same = append(g.same, int32(len(g.refs)))
}

func (g *gathered) mergeRefs(a, b []formRef) []formRef {
	out := make([]formRef, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if g.compare(a[0], b[0]) <= 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func (g *gathered) words(workers int) []string {
	out := make([]string, len(g.same)-1)
	_ = share(len(out), batchSize, workers, func() func(from, to int) error { // which cannot fail
		var stem stemmer
		var text []byte
		var ends [batchSize]int
		return func(from, to int) error {
			batch := out[from:to]
			text = text[:0]
			for i := range batch {
				text = append(text, stem.word(g.text(g.refs[g.same[from+i]]))...)
				ends[i] = len(text)
			}
			all, at := string(text), 0
			for i := range batch {
				batch[i], at = all[at:ends[i]], ends[i]
			}
			return nil
		}
	})
	return out
}

func (g *gathered) form(r formRef) *form  { return &g.b.writers[r.writer].forms[r.form] }
func (g *gathered) text(r formRef) []byte { return g.b.writers[r.writer].textOf(g.form(r)) }

// compare is 0 for what is one form.
func (g *gathered) compare(x, y formRef) int {
	if x.prefix != y.prefix {
		return cmp.Compare(x.prefix, y.prefix)
	}
	return cmp.Or(bytes.Compare(g.text(x), g.text(y)), cmp.Compare(g.form(x).kind, g.form(y).kind))
}

// prefixOf returns the first eight bytes of text as a number that sorts like them.
func prefixOf[T string | []byte](text T) uint64 {
	var b [8]byte
	copy(b[:], text)
	return binary.BigEndian.Uint64(b[:])
}

func (g *gathered) term(i int, s *scratch) ([]posting, error) {
	return g.merge(g.terms[i:i+1], s), nil
}

func (g *gathered) word(k *class, s *scratch) ([]posting, error) {
	return g.merge(k.source, s), nil
}

// merge returns the postings of some forms in one list.
func (g *gathered) merge(forms []int32, s *scratch) []posting {
	s.reset()
	var one []posting
	for _, form := range forms {
		for _, r := range g.refs[g.same[form]:g.same[form+1]] {
			one = g.lists[r.writer].of(r.form)
			if len(forms) > 1 || g.same[form+1]-g.same[form] > 1 {
				s.postings = append(s.postings, one...)
				s.endRun()
			}
		}
	}
	if len(s.ends) == 0 {
		return one
	}
	return s.merged()
}

// scratch is what one goroutine gathers postings in.
type scratch struct {
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
