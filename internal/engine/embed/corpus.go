package embed

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
