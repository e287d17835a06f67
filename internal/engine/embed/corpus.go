package embed

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A corpus is training text as numbered words: of every text its words, each
// once, and how often they came. Texts count by their first 256 words; chunks are
// hardly longer, and what a section is about is said early.

const trainWords = 256

// A bag is the words of a text.
type bag struct{ from, to uint32 }

// An example is a triplet of bags.
type example struct {
	query, positive bag
	negatives       []bag
	section         uint64
	source          uint32
}

type corpus struct {
	number   func(word []byte) uint32 // of a word
	ids      []uint32                 // the words of all bags
	tf       []uint8                  // how often each came
	examples []example

	last    string // the answer that came last
	lastBag bag

	split splitter
	at    []uint32 // of each word, its place in the bag in the making, plus 1
	words int      // left of the text being read
	from  uint32   // where its bag begins
	put   func([]byte)
}

func newCorpus(number func([]byte) uint32) *corpus {
	c := &corpus{number: number}
	c.put = c.word
	return c
}

// add takes in a triplet. One without words on either side is left out.
func (c *corpus) add(t *Triplet, source uint32) {
	e := example{query: c.bag(t.Query), section: t.section, source: source}
	// What is mined asks for the same text several times in a row.
	if t.Positive != c.last {
		c.last, c.lastBag = t.Positive, c.bag(t.Positive)
	}
	e.positive = c.lastBag
	if e.query.from == e.query.to || e.positive.from == e.positive.to {
		return
	}
	if e.section == 0 {
		e.section = hash([]byte(t.Positive))
	}
	for _, n := range t.Negatives {
		if b := c.bag(n); b.from < b.to {
			e.negatives = append(e.negatives, b)
		}
	}
	c.examples = append(c.examples, e)
}

func (c *corpus) bag(text string) bag {
	c.from, c.words = uint32(len(c.ids)), trainWords
	c.split.split(cut(text, maxText), c.put)
	for _, id := range c.ids[c.from:] {
		c.at[id] = 0
	}
	return bag{c.from, uint32(len(c.ids))}
}

func (c *corpus) word(word []byte) {
	if c.words == 0 {
		return
	}
	c.words--
	id := c.number(word)
	for int(id) >= len(c.at) {
		c.at = append(c.at, make([]uint32, max(1024, len(c.at)))...)
	}
	if at := c.at[id]; at > 0 {
		c.tf[at-1] = min(c.tf[at-1], 254) + 1
		return
	}
	c.ids = append(c.ids, id)
	c.tf = append(c.tf, 1)
	c.at[id] = uint32(len(c.ids))
}

// compact renumbers the words that occur, from 0 in the order of their numbers,
// and returns those numbers.
func (c *corpus) compact() []int {
	for _, id := range c.ids {
		c.at[id] = 1
	}
	var numbers []int
	for id, used := range c.at {
		if used > 0 {
			c.at[id] = uint32(len(numbers))
			numbers = append(numbers, id)
		}
	}
	for i, id := range c.ids {
		c.ids[i] = c.at[id]
	}
	c.at = nil
	return numbers
}

const maxLine = 4 << 20

// A LineError tells what is wrong with a line.
type LineError struct {
	Line int // counted from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// ReadTriplets reads triplets, one JSON object a line:
//
//	{"query": "...", "positive": "...", "negatives": ["...", ...]}
//
// Negatives may be missing, and so may everything on a line: empty ones are
// skipped. A line that is no triplet is left out and returned in bad, or with
// strict is an error. The error of reading itself is always one.
func ReadTriplets(r io.Reader, strict bool) (out []Triplet, bad []*LineError, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, long, err := readLine(in)
		if err != nil && err != io.EOF {
			return out, bad, fmt.Errorf("read triplets: line %d: %w", n, err)
		}
		var t Triplet
		var wrong error
		switch {
		case long:
			wrong = fmt.Errorf("longer than %d bytes", maxLine)
		case len(line) > 0:
			t, wrong = parseTriplet(line)
		}
		switch {
		case wrong == nil && len(line) > 0:
			out = append(out, t)
		case wrong != nil && strict:
			return out, bad, fmt.Errorf("read triplets: %w", &LineError{n, wrong})
		case wrong != nil:
			bad = append(bad, &LineError{n, wrong})
		}
		if err == io.EOF {
			return out, bad, nil
		}
	}
}

// readLine returns the next line without the space around it. Of one that is too
// long nothing is kept.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, long = nil, true
		} else if !long {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSpace(line), long, err
		}
	}
}

func parseTriplet(line []byte) (Triplet, error) {
	var t Triplet
	if !utf8.Valid(line) {
		return t, errors.New("not UTF-8")
	}
	if err := json.Unmarshal(line, &t); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // in words, not in types of Go
			if wrong.Field == "" {
				return t, fmt.Errorf("not an object but %s", withArticle(wrong.Value))
			}
			return t, fmt.Errorf("%q is %s", wrong.Field, withArticle(wrong.Value))
		}
		return t, err
	}
	switch {
	case blank(t.Query):
		return t, errors.New(`no "query"`)
	case blank(t.Positive):
		return t, errors.New(`no "positive"`)
	}
	for i, n := range t.Negatives {
		if blank(n) {
			return t, fmt.Errorf("negative %d is empty", i+1)
		}
	}
	return t, nil
}

// withArticle puts "a" or "an" before what JSON calls a value.
func withArticle(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

func blank(s string) bool { return len(bytes.TrimSpace([]byte(s))) == 0 }

// WriteTriplets writes what ReadTriplets reads.
func WriteTriplets(w io.Writer, triplets []Triplet) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for i := range triplets {
		if err := out.Encode(&triplets[i]); err != nil {
			return fmt.Errorf("write triplets: %w", err)
		}
	}
	return nil
}
