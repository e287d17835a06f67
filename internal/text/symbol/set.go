package symbol

import "hash/maphash"

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
