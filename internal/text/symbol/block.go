package symbol

import (
	"hash/maphash"
	"slices"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// A language is how code is cut, and the rules that find what it declares.
type language struct {
	grammar     lex.Grammar
	declare     func(b *block)
	backslashes bool // they join the parts of a name
}

// A block is one block of code and the names that it declares. The type of each
// language embeds it and adds the rules.
type block struct {
	lex.Code
	declared nameSet
}

// each calls statement with the first token of every statement. It returns that
// of the next.
func (b *block) each(statement func(i int) int) {
	for i := 0; i < len(b.Toks); {
		i = max(i+1, statement(i))
	}
}

// declare records the name that token i spells.
func (b *block) declare(i int) {
	if name := b.Text(i); name != "_" && name != "" {
		b.declared.add(name)
	}
}

// declareWord records the name that token i spells if it is a word.
func (b *block) declareWord(i int) {
	if b.IsWord(i) {
		b.declare(i)
	}
}

// pass returns the token behind a mark at i, or i if there is none.
func (b *block) pass(i int, mark byte) int {
	if b.Is(i, mark) {
		i++
	}
	return i
}

// head returns the "{" that ends the head of a declaration from token i on, and
// true. Heads may run over lines. Without one it returns the ";" or the token that
// begins another declaration, and false.
func (b *block) head(i int, boundary func(*lex.Code, int) bool) (next int, ok bool) {
	for ; i < len(b.Toks) && !b.Is(i, ';') && !(b.First(i) && boundary(&b.Code, i)); i = b.Past(i) {
		if b.Is(i, '{') {
			return i, true
		}
	}
	return i, false
}

// inside returns the first token of the body behind the head at i, if there is one.
func (b *block) inside(i int, boundary func(*lex.Code, int) bool) int {
	i, ok := b.head(i, boundary)
	if ok {
		i++
	}
	return i
}

// annotation returns the token after "@name" or "@name(...)".
func (b *block) annotation(i int) int {
	for i += 2; (b.Is(i, '.') || b.Is(i, ':')) && b.IsWord(i+1); i += 2 {
	}
	if b.Is(i, '(') {
		i = b.Past(i)
	}
	return i
}

// oneOf reports whether name is among words.
func oneOf(name string, words ...string) bool { return slices.Contains(words, name) }

// A nameSet is a list without repeats, in order of first appearance. It is used
// for block after block, most of them small: the table begins small every time
// and grows within the memory that the largest one needed.
type nameSet struct {
	list  []string
	table []uint32 // position in list plus one, by hash; 0 is free
	mask  uint64   // of the part of the table in use
}

// smallTable is the size that a table begins with. It is a power of two.
const smallTable = 128

// seed keeps a hostile document from choosing names that share a slot. The
// order of a list does not depend on it.
var seed = maphash.MakeSeed()

// reset empties the set.
func (n *nameSet) reset() {
	n.list, n.mask = n.list[:0], 0
}

// names returns the list, as the caller's own.
func (n *nameSet) names() []string {
	return append([]string(nil), n.list...)
}

// has reports whether name is in the set.
func (n *nameSet) has(name string) bool {
	if len(n.list) == 0 {
		return false
	}
	return n.table[n.slot(name)] != 0
}

// slot returns where in the table name is, or the free place for it.
func (n *nameSet) slot(name string) uint64 {
	slot := maphash.String(seed, name) & n.mask
	for n.table[slot] != 0 && n.list[n.table[slot]-1] != name {
		slot = (slot + 1) & n.mask
	}
	return slot
}

// add appends name unless it is there.
func (n *nameSet) add(name string) {
	if uint64(len(n.list))*2 >= n.mask {
		n.grow(max(smallTable, int(n.mask+1)*4))
	}
	if slot := n.slot(name); n.table[slot] == 0 {
		n.list = append(n.list, name)
		n.table[slot] = uint32(len(n.list))
	}
}

// grow moves to a table of the given size, a power of two.
func (n *nameSet) grow(size int) {
	if size > len(n.table) {
		n.table = make([]uint32, size)
	} else {
		clear(n.table[:size])
	}
	n.mask = uint64(size - 1)
	for i, name := range n.list {
		n.table[n.slot(name)] = uint32(i + 1)
	}
}
