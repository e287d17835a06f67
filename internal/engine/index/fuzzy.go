package index

import (
	"bytes"
	"unicode/utf8"
)

// A fuzzy finds the keys of a dictionary that are within a small distance of a
// word. The distance counts letters inserted, left out, replaced, and
// neighbours swapped.
//
// Keys are sorted, so that neighbours begin alike: the table of distances is
// reused row by row for the beginning they share, and where a row shows that no
// key that begins so can be near, all such keys are passed over, 16 at a time
// where possible. A dictionary of 70,000 terms takes well under a millisecond.
type fuzzy struct {
	word []rune
	most int
	rows [][]uint8 // rows[i][j]: distance of i runes of the key and j of the word
	path []rune    // the runes of the key that have rows
	ends []int     // where they end in the key
}

func newFuzzy(word string, most int) *fuzzy {
	f := &fuzzy{word: []rune(word), most: most}
	// A longer key is further away than most.
	f.rows = make([][]uint8, len(f.word)+most+2)
	for i := range f.rows {
		f.rows[i] = make([]uint8, len(f.word)+1)
	}
	for j := range f.rows[0] {
		f.rows[0][j] = uint8(j)
	}
	return f
}

// scan calls found for each key within the distance, from group to group.
func (f *fuzzy) scan(d *dictionary, from, to int, found func(key []byte, distance int)) error {
	var last []byte
	f.path, f.ends = f.path[:0], f.ends[:0]
	dead := 0 // no key that begins with last[:dead] is near; 0 for none
	for g := from; g < to; g++ {
		if dead > 0 && dead <= 8 && g+1 < d.groups() {
			this, err := d.record(g)
			if err != nil {
				return err
			}
			next, err := d.record(g + 1)
			if err != nil {
				return err
			}
			if bytes.HasPrefix(this, last[:dead]) && bytes.HasPrefix(next, last[:dead]) {
				continue
			}
		}
		text, err := d.groupText(g)
		if err != nil {
			return err
		}
		for len(text) > 0 {
			key := line(text)
			text = text[min(len(key)+1, len(text)):]
			same := shared(last, key)
			last = key
			if dead > 0 && same >= dead {
				continue
			}
			var distance int
			if distance, dead = f.step(key, same); distance <= f.most {
				found(key, distance)
			}
		}
	}
	return nil
}

// step brings the rows up to key, of which same bytes are those of the key
// before. It returns the key's distance, and a length of it that no near key
// begins with, if there is one.
func (f *fuzzy) step(key []byte, same int) (distance, dead int) {
	for len(f.ends) > 0 && f.ends[len(f.ends)-1] > same {
		f.ends = f.ends[:len(f.ends)-1]
		f.path = f.path[:len(f.path)-1]
	}
	at := 0
	if len(f.ends) > 0 {
		at = f.ends[len(f.ends)-1]
	}
	for at < len(key) {
		r, n := utf8.DecodeRune(key[at:])
		at += n
		f.path = append(f.path, r)
		f.ends = append(f.ends, at)
		if f.row() > f.most {
			return f.most + 1, at
		}
	}
	if len(f.path)+f.most < len(f.word) {
		return f.most + 1, 0
	}
	return int(f.rows[len(f.path)][len(f.word)]), 0
}

// row fills in the row of the whole path and returns the least of it.
func (f *fuzzy) row() int {
	i := len(f.path)
	if i >= len(f.rows) {
		return f.most + 1
	}
	this, above, r := f.rows[i], f.rows[i-1], f.path[i-1]
	// Only cells near the diagonal can be within the distance; those next to them
	// are set, since the next rows look at them.
	from, to := max(i-f.most-1, 0), min(i+f.most, len(f.word))
	far := uint8(f.most + 1)
	least := far
	if from == 0 {
		this[0] = uint8(min(i, int(far)))
		least = this[0]
	} else {
		this[from] = far
	}
	if to < len(f.word) {
		this[to+1] = far
	}
	for j := from; j < to; j++ {
		c := f.word[j]
		v := above[j]
		if c != r {
			v++
		}
		v = min(v, above[j+1]+1, this[j]+1)
		if i > 1 && j > 0 && r == f.word[j-1] && f.path[i-2] == c {
			v = min(v, f.rows[i-2][j-1]+1)
		}
		this[j+1] = v
		least = min(least, v)
	}
	return int(least)
}

// shared returns how many bytes a and b begin with are the same.
func shared(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
