package markdown

import "hash/maphash"

// names maps texts to numbers. Unlike a map it is filled and emptied once a
// file without allocating, and holds no pointers. Its hash is seeded, so that a
// document cannot be written to make it slow.
type names struct {
	seed  maphash.Seed
	text  []byte  // the names, one after another
	list  []name  // in the order they were added
	slots []int32 // an open hash table of indexes in list, plus one; 0 is free
}

type name struct {
	from, to int32 // in names.text
	hash     uint32
	value    int32
}

func (n *names) reset() {
	if len(n.list) > 0 {
		n.text, n.list = n.text[:0], n.list[:0]
		clear(n.slots)
	}
}

// find returns the value of key.
func (n *names) find(key []byte) (value int, ok bool) {
	if len(n.list) == 0 {
		return 0, false
	}
	if i := n.slots[n.slot(key, uint32(maphash.Bytes(n.seed, key)))]; i > 0 {
		return int(n.list[i-1].value), true
	}
	return 0, false
}

// add adds key, unless it is there, and returns its index in list.
func (n *names) add(key []byte, value int) (index int, isNew bool) {
	if n.slots == nil {
		n.seed = maphash.MakeSeed()
		n.slots = make([]int32, 64)
	}
	if 2*len(n.list) >= len(n.slots) {
		n.slots = make([]int32, 2*len(n.slots))
		for i, e := range n.list {
			n.slots[n.slot(n.text[e.from:e.to], e.hash)] = int32(i + 1)
		}
	}
	h := uint32(maphash.Bytes(n.seed, key))
	slot := n.slot(key, h)
	if i := n.slots[slot]; i > 0 {
		return int(i - 1), false
	}
	from := len(n.text)
	n.text = append(n.text, key...)
	n.list = append(n.list, name{int32(from), int32(len(n.text)), h, int32(value)})
	n.slots[slot] = int32(len(n.list))
	return len(n.list) - 1, true
}

// slot returns the slot of key, or the free one where it would be.
func (n *names) slot(key []byte, h uint32) int {
	mask := len(n.slots) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		k := n.slots[i]
		if k == 0 {
			return i
		}
		if e := &n.list[k-1]; e.hash == h && string(n.text[e.from:e.to]) == string(key) {
			return i
		}
	}
}
