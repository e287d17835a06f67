package index

import (
	"bytes"
	"errors"
)

// content is an index about to be written.
type content struct {
	stats   stats
	lengths [numFields][]byte
	terms   [][]byte // sorted; those without postings are left out
	words   []class  // sorted by word
	source  source
}

// A source gives the postings of terms and words, ascending. What it returns
// may lie in s. It is used by several goroutines at once.
type source interface {
	term(i int, s *scratch) ([]posting, error)
	word(k *class, s *scratch) ([]posting, error)
}

// A class is a word and what belongs to it.
type class struct {
	word   string
	terms  []int32 // its terms, ascending
	source []int32 // what the source makes of it
	alone  bool    // the list of the word is that of its only term
}

// lists are encoded postings: what one batch of terms or words comes to.
type lists struct {
	data    []byte
	entries []entry
}

// batchSize is how many terms or words a worker takes at a time, and waveSize how many
// are encoded before they are put together.
const (
	batchSize = 512
	waveSize  = 64 * batchSize
)

// A placed is an entry as long as all of them are needed.
type placed struct {
	off              int
	n, len, unranked uint32
}

func (p placed) entry(alias int) entry {
	return entry{n: int(p.n), unranked: int(p.unranked), off: p.off, len: int(p.len), alias: alias}
}

// write encodes everything. Lists follow each other in the order of their keys,
// those of terms first, however many workers there are.
func (c *content) write(workers int) ([]Part, error) {
	workers = allWorkers(workers)
	bounds := &bounder{newNorms(reference, &c.stats), &c.lengths}
	var terms, words dictWriter
	var postings []byte

	kept := make([]int32, len(c.terms)) // number of each term, -1 if left out
	entries := make([]placed, 0, len(c.terms))
	err := inWaves(len(c.terms), workers, &postings, func(i int, s *scratch, out *lists) error {
		ps, err := c.source.term(i, s)
		out.add(ps, bounds)
		return err
	}, func(i int, e entry) {
		kept[i] = -1
		if e.n > 0 {
			kept[i] = int32(terms.count)
			terms.add(c.terms[i], e)
			entries = append(entries, placed{e.off, uint32(e.n), uint32(e.len), uint32(e.unranked)})
		}
	})
	if err != nil {
		return nil, err
	}
	words.next = len(postings)
	err = inWaves(len(c.words), workers, &postings, func(i int, s *scratch, out *lists) error {
		return c.writeWord(&c.words[i], kept, entries, postings, bounds, s, out)
	}, func(i int, e entry) {
		if e.n > 0 {
			words.add([]byte(c.words[i].word), e)
		}
	})
	if err != nil {
		return nil, err
	}
	postings = append(postings, make([]byte, padding)...)
	if uint64(len(terms.text)) > 1<<32-1 || uint64(len(words.text)) > 1<<32-1 {
		return nil, errors.New("build index: too many terms for one index")
	}
	lengths := bytes.Join([][]byte{c.lengths[0], c.lengths[1], c.lengths[2]}, nil)
	return []Part{
		{partMeta, appendMeta(&c.stats, terms.count, words.count)},
		{partLengths, lengths},
		{partTerms, terms.text},
		{partTermsX, append(terms.records, terms.entries...)},
		{partWords, words.text},
		{partWordsX, append(words.records, words.entries...)},
		{partPostings, postings},
	}, nil
}

// writeWord adds the entry of a word to out: its own list, that of one of its
// terms, or nothing where the term of the same spelling will be found instead.
func (c *content) writeWord(k *class, kept []int32, entries []placed, postings []byte, bounds *bounder, s *scratch, out *lists) error {
	share := func(term int32) {
		if string(c.terms[term]) == k.word {
			out.entries = append(out.entries, entry{alias: -1})
			return
		}
		out.entries = append(out.entries, entries[kept[term]].entry(int(kept[term])))
	}
	if k.alone && kept[k.terms[0]] >= 0 {
		share(k.terms[0])
		return nil
	}
	ps, err := c.source.word(k, s)
	if err != nil {
		return err
	}
	from := len(out.data)
	out.add(ps, bounds)
	mine := out.entries[len(out.entries)-1]
	shared := int32(-1)
	for _, t := range k.terms {
		if kept[t] < 0 {
			continue
		}
		e := entries[kept[t]].entry(-1)
		if e.n != mine.n || !bytes.Equal(postings[e.off:e.off+e.len], out.data[from:]) {
			continue
		}
		if string(c.terms[t]) == k.word {
			shared = t
			break
		}
		if shared < 0 {
			shared = t
		}
	}
	if shared >= 0 {
		out.data = out.data[:from]
		out.entries = out.entries[:len(out.entries)-1]
		share(shared)
	}
	return nil
}

func (l *lists) add(ps []posting, b *bounder) {
	e := entry{n: len(ps), off: len(l.data), alias: -1}
	if e.n > 0 {
		l.data = appendList(l.data, ps, b.bound)
	}
	e.len = len(l.data) - e.off
	for _, p := range ps {
		if p.counts == 0 {
			e.unranked++
		}
	}
	l.entries = append(l.entries, e)
}

// inWaves calls do for 0 to n-1 from several goroutines, wave by wave, in order within
// a batch. do must add one entry to out. The lists are then appended to postings, and
// each is called with their entries, placed there.
func inWaves(n, workers int, postings *[]byte, do func(i int, s *scratch, out *lists) error, each func(i int, e entry)) error {
	batches := make([]lists, min(n, waveSize)/batchSize+1)
	for first := 0; first < n; first += waveSize {
		size := min(waveSize, n-first)
		err := share(size, batchSize, workers, func() func(from, to int) error {
			s := new(scratch)
			return func(from, to int) error {
				out := &batches[from/batchSize]
				*out = lists{out.data[:0], out.entries[:0]}
				for i := from; i < to; i++ {
					if err := do(first+i, s, out); err != nil {
						return err
					}
				}
				return nil
			}
		})
		if err != nil {
			return err
		}
		i := first
		for b := range (size + batchSize - 1) / batchSize {
			base := len(*postings)
			*postings = append(*postings, batches[b].data...)
			for _, e := range batches[b].entries {
				if e.alias < 0 {
					e.off += base
				}
				each(i, e)
				i++
			}
		}
	}
	return nil
}

// A log keeps the postings of a Writer as they come, text by text, until all of
// them are there. To file each under its form at once would touch memory all
// over, for every word of every text; to put them in order at the end does so
// once for each posting, and for nothing else.
type log struct {
	pages [][]uint32
	texts []uint32 // how many postings each has
	count int      // postings
}

// A posting is form<<1 | 1 where it occurs once, in the body, and otherwise
// form<<1 and then its counts. It does not go over the end of a page.
const logPage = 1 << 14

// maxLog is the most postings of a Writer.
const maxLog = 1 << 31

func (l *log) add(form uint32, c counts) {
	last := len(l.pages) - 1
	if last < 0 || len(l.pages[last])+2 > logPage {
		l.pages = append(l.pages, make([]uint32, 0, logPage))
		last++
	}
	if c == 1 {
		l.pages[last] = append(l.pages[last], form<<1|1)
	} else {
		l.pages[last] = append(l.pages[last], form<<1, uint32(c))
	}
}

func (l *log) endText(n int) {
	l.texts = append(l.texts, uint32(n))
	l.count += n
}

// byForm returns the postings by form: those of form i are
// postings[ends[i-1]:ends[i]], with the numbers that texts are given.
func (l *log) byForm(forms int, numbers []uint32) (postings []posting, ends []uint32) {
	at := make([]uint32, forms+1) // of each form, where its next posting goes
	for _, page := range l.pages {
		for i := 0; i < len(page); i++ {
			at[page[i]>>1+1]++
			i += int(^page[i] & 1)
		}
	}
	for i := range forms {
		at[i+1] += at[i]
	}
	postings = make([]posting, l.count)
	text, left := -1, uint32(0)
	for n, page := range l.pages {
		for i := 0; i < len(page); i++ {
			for left == 0 {
				text++
				left = l.texts[text]
			}
			left--
			v, c := page[i], counts(1)
			if v&1 == 0 {
				i++
				c = counts(page[i])
			}
			to := &at[v>>1]
			postings[*to] = posting{numbers[text], c}
			*to++
		}
		l.pages[n] = nil
	}
	return postings, at[:forms]
}
