package grep

import (
	"slices"
	"sort"
	"unicode/utf8"
)

// A program is an expression compiled for matching: a graph of instructions that
// is walked in all directions at once, so that the time is linear in the text.
//
// Instructions do not compare characters. All characters that no instruction
// tells apart form one letter, and a text is read as a sequence of letters; an
// expression like \d{4}-\d{2} knows three letters (a digit, a hyphen, others)
// however large Unicode is. That keeps the tables of the automaton small without
// compiling classes down to bytes, where \w alone is hundreds of instructions.
type program struct {
	code  []inst
	start int
	looks look // all that the code has

	// Letters. That of character r is letterOf[i], where from[i] is the last
	// boundary not above r; low has the answers for one and two bytes of UTF-8.
	ascii    [utf8.RuneSelf]letter
	low      [0x800]letter
	from     []rune
	letterOf []letter
	letters  int      // how many there are
	word     []bool   // by letter: it is a word character
	takes    [][]bool // by class, by letter: the class contains it
}

// A letter is a set of characters the program does not tell apart.
type letter = uint16

// Letters that every program has. They are in no class and are no word.
const (
	endOfLine letter = iota
	notUTF8
	firstLetter
)

type inst struct {
	op   instOp
	arg  uint16 // class of instRune, look of instLook
	x, y uint16 // where to go next; y only of instSplit, which prefers x
}

type instOp uint8

const (
	instMatch instOp = iota
	instRune
	instLook
	instSplit
)

// compile returns the program of n, which must not be larger than MaxProgram.
func compile(n *node) *program {
	c := compiler{classes: map[string]uint16{}}
	match := c.emit(inst{op: instMatch})
	start := c.node(n, match)
	p := &program{code: c.code, start: int(start), looks: c.looks}
	p.makeLetters(c.list)
	return p
}

type compiler struct {
	code    []inst
	looks   look
	classes map[string]uint16
	list    []class
}

func (c *compiler) emit(i inst) uint16 {
	c.code = append(c.code, i)
	return uint16(len(c.code) - 1)
}

// node adds the code of n, which goes on to next, and returns where it begins.
// Code is made from the end to the beginning, so that next is always known.
func (c *compiler) node(n *node, next uint16) uint16 {
	switch n.op {
	case opRune:
		var set []span
		for _, r := range orbit(n.r) {
			if n.fold || r == n.r {
				set = append(set, span{r, r})
			}
		}
		return c.emit(inst{op: instRune, arg: c.class(classOf(set...)), x: next})
	case opClass:
		return c.emit(inst{op: instRune, arg: c.class(n.class), x: next})
	case opLook:
		c.looks |= n.look
		return c.emit(inst{op: instLook, arg: uint16(n.look), x: next})
	case opConcat:
		for _, sub := range slices.Backward(n.sub) {
			next = c.node(sub, next)
		}
	case opAlternate:
		last := len(n.sub) - 1
		at := c.node(n.sub[last], next)
		for _, sub := range slices.Backward(n.sub[:last]) {
			at = c.split(true, c.node(sub, next), at)
		}
		return at
	case opRepeat:
		return c.repeat(n, next)
	}
	return next
}

func (c *compiler) repeat(n *node, next uint16) uint16 {
	body := n.sub[0]
	copies := n.min
	if n.max < 0 {
		// The last copy is the loop: it is entered behind the split if there
		// must be one, else through it.
		loop := c.emit(inst{op: instSplit})
		start := c.node(body, loop)
		c.code[loop].x, c.code[loop].y = start, next
		if !n.greedy {
			c.code[loop].x, c.code[loop].y = next, start
		}
		next = loop
		if copies > 0 {
			next = start
			copies--
		}
	} else {
		after := next
		for range n.max - n.min {
			next = c.split(n.greedy, c.node(body, next), after)
		}
	}
	for range copies {
		next = c.node(body, next)
	}
	return next
}

func (c *compiler) split(preferX bool, x, y uint16) uint16 {
	if !preferX {
		x, y = y, x
	}
	return c.emit(inst{op: instSplit, x: x, y: y})
}

func (c *compiler) class(set class) uint16 {
	key := make([]byte, 0, 8*len(set))
	for _, s := range set {
		key = append(key, byte(s.lo>>16), byte(s.lo>>8), byte(s.lo), byte(s.hi>>16), byte(s.hi>>8), byte(s.hi))
	}
	if i, ok := c.classes[string(key)]; ok {
		return i
	}
	i := uint16(len(c.list))
	c.classes[string(key)] = i
	c.list = append(c.list, set)
	return i
}

// makeLetters divides all characters by the classes they are in, and by whether
// they are word characters if the program looks at that.
func (p *program) makeLetters(classes []class) {
	sets := classes
	if p.looks&wordLooks != 0 {
		sets = append(slices.Clip(sets), wordClass())
	}
	type event struct {
		at  rune
		set int
	}
	var events []event // where a set begins or ends
	for i, set := range sets {
		for _, s := range set {
			events = append(events, event{s.lo, i}, event{s.hi + 1, i})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return int(a.at - b.at) })

	p.letters = int(firstLetter)
	p.word = make([]bool, firstLetter)
	p.takes = make([][]bool, len(classes))
	for i := range p.takes {
		p.takes[i] = make([]bool, firstLetter)
	}
	known := map[string]letter{}
	in := make([]byte, (len(sets)+7)/8) // the sets that contain the characters from here on
	for at, i := rune(0), 0; ; {
		for ; i < len(events) && events[i].at == at; i++ {
			in[events[i].set/8] ^= 1 << (events[i].set % 8)
		}
		l, ok := known[string(in)]
		if !ok {
			l = letter(p.letters)
			known[string(in)] = l
			p.letters++
			for c := range classes {
				p.takes[c] = append(p.takes[c], in[c/8]>>(c%8)&1 != 0)
			}
			w := len(classes)
			p.word = append(p.word, len(sets) > w && in[w/8]>>(w%8)&1 != 0)
		}
		p.from = append(p.from, at)
		p.letterOf = append(p.letterOf, l)
		if i == len(events) {
			break
		}
		at = events[i].at
	}
	for i, r := range p.from {
		for end := p.ends(i); r < min(end, rune(len(p.low))); r++ {
			p.low[r] = p.letterOf[i]
		}
	}
	copy(p.ascii[:], p.low[:])
	p.ascii['\n'] = endOfLine
}

// ends returns where the range that begins at from[i] ends.
func (p *program) ends(i int) rune {
	if i+1 < len(p.from) {
		return p.from[i+1]
	}
	return utf8.MaxRune + 1
}

// next returns the letter text begins with and its length. The text must not be
// empty.
func (p *program) next(text []byte) (letter, int) {
	if b := text[0]; b < utf8.RuneSelf {
		return p.ascii[b], 1
	}
	r, n := utf8.DecodeRune(text)
	switch {
	case n == 1:
		return notUTF8, 1
	case n == 2:
		return p.low[r], 2
	}
	i := sort.Search(len(p.from), func(i int) bool { return p.from[i] > r })
	return p.letterOf[i-1], n
}
