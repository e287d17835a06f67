package index

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/docent-md/docent/internal/fault"
)

// Build indexes the texts 0 to n-1 with that many workers (0 means one for each
// processor). text is called once for each number, by several goroutines at
// once if there are several workers. The result does not depend on their number.
func Build(n int, text func(i int) Text, workers int) ([]Part, error) {
	workers = allWorkers(workers)
	var b Builder
	err := share(n, 64, workers, func() func(from, to int) error {
		w := b.Writer()
		return func(from, to int) error {
			for i := from; i < to; i++ {
				if err := w.Add(uint64(i), text(i)); err != nil {
					return err
				}
			}
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	return b.Finish(workers)
}

// A Builder builds an index from texts as they come, with as many Writers as
// there are goroutines to feed them. The zero value is ready for use.
//
// Texts are added under keys of the caller's choosing, for instance the number
// of a file and of a text in it. The text with the least key becomes number 0,
// and so on: which Writer took it makes no difference.
type Builder struct {
	writers []*Writer
}

// Writer returns a new Writer. It must not be called while Writers are in use.
func (b *Builder) Writer() *Writer {
	w := &Writer{seed: maphash.MakeSeed(), slots: make([]slot, 1<<12), recent: make([]recent, recentChains)}
	b.writers = append(b.writers, w)
	return w
}

// A Writer takes texts for a Builder. It serves one goroutine.
type Writer struct {
	tok     tokenizer
	seed    maphash.Seed
	slots   []slot // hash table
	recent  []recent
	forms   []form
	tallies []tally // of the forms
	text    []byte  // of all forms
	log     log
	met     []uint32 // forms of the text being added
	group   int32    // see Begin; 0 before the first
	room    int      // how many forms more the group may have
	keys    []uint64 // of the texts added, ascending
	lengths [numFields][]byte
}

// A slot leads to a form. It is empty when form is 0.
type slot struct {
	hash uint32
	form uint32 // 1 + index in forms
}

// A form is something that occurs in a text: a term, or a part or joined form
// that counts for words only.
type form struct {
	kind     kind // wordToken for terms
	off, len uint32
}

// A tally counts a form in the text that is being added.
type tally struct {
	last   int32 // the text, as an index in keys
	group  int32 // the last group that has it
	counts counts
}

// one is one occurrence in each field; full is the most a field can hold.
var (
	one  = [numFields]counts{1 << 24, 1 << 16, 1}
	full = [numFields]counts{0xff << 24, 0xff << 16, 0xffff}
)

// Add adds a text. Keys must ascend from call to call.
func (w *Writer) Add(key uint64, t Text) error {
	if n := len(w.keys); n > 0 && w.keys[n-1] >= key {
		return fmt.Errorf("index text %d: keys must ascend", key)
	}
	// A run of n characters has at most n forms.
	size := len(t.Title) + len(t.Headings) + len(t.Body) + len(t.Rest)
	if uint64(w.log.count)+uint64(size) > maxLog || len(w.keys) >= 1<<30 {
		return errors.New("index text: too much text for one index")
	}
	num := int32(len(w.keys))
	w.keys = append(w.keys, key)
	for f, s := range [...]string{t.Title, t.Headings, t.Body} {
		w.tok.whole = false
		w.lengths[f] = append(w.lengths[f], lengthCode(w.words(num, f, s)))
	}
	w.rest(num, t.Body, t.Rest)
	for _, form := range w.met {
		w.log.add(form, w.tallies[form].counts)
	}
	w.log.endText(len(w.met))
	w.met = w.met[:0]
	return nil
}

// count adds one occurrence of a form in field f of text num.
func (w *Writer) count(num int32, f int, form uint32) {
	m := w.visit(num, form)
	if m.counts&full[f] != full[f] {
		m.counts += one[f]
	}
}

// visit returns the tally of a form, counting for text num.
func (w *Writer) visit(num int32, form uint32) *tally {
	m := &w.tallies[form]
	if m.last == num {
		return m
	}
	if m.group != w.group {
		if w.isFull() && string(w.textOf(&w.forms[form])) != unlisted {
			return w.visit(num, w.form(wordToken, []byte(unlisted)))
		}
		w.room--
	}
	w.met = append(w.met, form)
	*m = tally{last: num, group: w.group}
	return m
}

// form returns the number of a form, which it makes if there is none.
func (w *Writer) form(k kind, text []byte) uint32 {
	hash := uint32(maphash.Bytes(w.seed, text)) ^ uint32(k)*0x9e3779b9
	mask := uint32(len(w.slots) - 1)
	i := hash & mask
	for ; w.slots[i].form != 0; i = (i + 1) & mask {
		if w.slots[i].hash != hash {
			continue
		}
		if m := &w.forms[w.slots[i].form-1]; m.kind == k && bytes.Equal(w.textOf(m), text) {
			return w.slots[i].form - 1
		}
	}
	if w.isFull() && string(text) != unlisted {
		return w.form(wordToken, []byte(unlisted))
	}
	m := form{kind: k, off: uint32(len(w.text)), len: uint32(len(text))}
	w.text = append(w.text, text...)
	w.forms = append(w.forms, m)
	w.tallies = append(w.tallies, tally{last: -1})
	w.slots[i] = slot{hash, uint32(len(w.forms))}
	if len(w.forms)*2 > len(w.slots) {
		w.grow()
	}
	return uint32(len(w.forms) - 1)
}

func (w *Writer) grow() {
	old := w.slots
	w.slots = make([]slot, 2*len(old))
	mask := uint32(len(w.slots) - 1)
	for _, s := range old {
		if s.form == 0 {
			continue
		}
		i := s.hash & mask
		for w.slots[i].form != 0 {
			i = (i + 1) & mask
		}
		w.slots[i] = s
	}
}

func (w *Writer) textOf(m *form) []byte { return w.text[m.off : m.off+m.len : m.off+m.len] }

// Finish builds the index with that many workers (0 means one for each
// processor). The Builder must not be used afterwards.
func (b *Builder) Finish(workers int) ([]Part, error) {
	workers = allWorkers(workers)
	numbers, err := b.number()
	if err != nil {
		return nil, err
	}
	c := b.gather(numbers, workers)
	c.lengths, c.stats = b.allLengths(numbers)
	return c.write(workers)
}

// number gives every text its number: for each Writer, by index in its keys.
func (b *Builder) number() ([][]uint32, error) {
	type keyed struct {
		key         uint64
		writer, num int
	}
	var all []keyed
	numbers := make([][]uint32, len(b.writers))
	for i, w := range b.writers {
		numbers[i] = make([]uint32, len(w.keys))
		for j, k := range w.keys {
			all = append(all, keyed{k, i, j})
		}
	}
	slices.SortFunc(all, func(x, y keyed) int { return cmp.Compare(x.key, y.key) })
	for n, k := range all {
		if n > 0 && all[n-1].key == k.key {
			return nil, fmt.Errorf("build index: key %d was added twice", k.key)
		}
		numbers[k.writer][k.num] = uint32(n)
	}
	return numbers, nil
}

func (b *Builder) allLengths(numbers [][]uint32) (lengths [numFields][]byte, s stats) {
	for _, n := range numbers {
		s.texts += len(n)
	}
	for f := range lengths {
		lengths[f] = make([]byte, s.texts)
		for i, w := range b.writers {
			for j, code := range w.lengths[f] {
				lengths[f][numbers[i][j]] = code
				s.sums[f] += uint64(lengthOf[code])
			}
		}
	}
	return lengths, s
}

// allWorkers is how many goroutines that many workers are: 0 means one for each
// processor.
func allWorkers(workers int) int { return cmp.Or(max(workers, 0), runtime.GOMAXPROCS(0)) }

// share has 0 to n-1 done in stretches of that size by several goroutines. Each has
// a function of its own, which start makes before any of them runs, and stops at its
// first error.
func share(n, size, workers int, start func() func(from, to int) error) error {
	all := make([]func(from, to int) error, workers)
	for w := range all {
		all[w] = start()
	}
	errs := make([]error, workers)
	var next atomic.Int64
	var wait fault.Group // they read segments that are mapped
	for w, do := range all {
		wait.Go(func() {
			for errs[w] == nil {
				from := int(next.Add(int64(size))) - size
				if from >= n {
					return
				}
				errs[w] = do(from, min(from+size, n))
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
