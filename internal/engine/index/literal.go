package index

import (
	"bytes"
	"encoding/binary"
	"sort"
	"unicode/utf8"
)

// How grep finds where to look.
//
// By the guarantee of tokenize.go a text that contains a literal, whatever the
// case, has terms that contain the runs of the literal. A run with something
// else on both sides is a term itself; at the edge of the literal a term may go
// on. So the texts that may contain it are found by searching the dictionary,
// which is one sorted text, and joining the lists of what is found. They are
// more than those that do contain it, never fewer: a text with words that are
// unlisted (see Writer.Begin) is always among them.

// A Literal is a piece of text to look for. Case does not matter.
type Literal struct {
	Text string

	// Left and Right say that the match is known to begin and end at a word
	// boundary (that of Unicode, where é is a letter).
	Left, Right bool
}

// MayContain returns a set of texts outside which no text contains the literal.
// ok is false if it has nothing to tell texts apart by; then any text may.
// Deleted texts are not in the set.
func (s *Searcher) MayContain(l Literal) (set *Set, ok bool, err error) {
	if !utf8.ValidString(l.Text) {
		return nil, false, nil // half a character may match inside a word
	}
	for _, p := range l.pieces() {
		if set != nil && set.Len() == 0 {
			break
		}
		found, ok, err := s.havingPiece(p)
		if err != nil {
			return nil, false, err
		}
		switch {
		case !ok:
		case set == nil:
			set = found
		default:
			set.Intersect(found)
		}
	}
	return set, set != nil, nil
}

// A piece is a run of a literal, or two neighbours of a spaceless script.
type piece struct {
	text        []byte
	left, right bool // the term begins, ends there
}

// pieces takes a literal apart, the longest pieces first.
func (l Literal) pieces() []piece {
	var out []piece
	runes := []rune(l.Text)
	for i := 0; i < len(runes); {
		class, from := classOf(runes[i]), i
		for i < len(runes) && classOf(runes[i]) == class {
			i++
		}
		p := piece{left: from > 0 || l.Left, right: i < len(runes) || l.Right}
		switch {
		case class == spaced:
			for _, r := range runes[from:i] {
				p.text = utf8.AppendRune(p.text, fold(r))
			}
			out = append(out, p)
		case class == paired && i-from == 1:
			// Alone it is a term; otherwise it is in one, with a neighbour.
			p.text = utf8.AppendRune(nil, fold(runes[from]))
			p.left = p.left && p.right
			p.right = p.left
			out = append(out, p)
		case class == paired:
			for j := from; j+1 < i; j++ {
				pair := utf8.AppendRune(nil, fold(runes[j]))
				out = append(out, piece{utf8.AppendRune(pair, fold(runes[j+1])), true, true})
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return len(out[i].text) > len(out[j].text) })
	return out
}

// havingPiece returns the texts that have a term with that piece. It gives up,
// with ok false, if these are too many terms to be worth it.
func (s *Searcher) havingPiece(p piece) (set *Set, ok bool, err error) {
	set = &Set{}
	budget := 4*int(s.texts) + 1<<16 // postings
	for i := range s.segments {
		seg := &s.segments[i]
		add := func(e entry) (bool, error) {
			if budget -= e.n + 16; budget < 0 {
				return false, nil
			}
			l, err := seg.list(e)
			if err != nil {
				return false, err
			}
			return true, seg.collect(&l, set)
		}
		err := seg.terms.matching(piece{[]byte(unlisted), true, true}, add)
		if err == nil && budget >= 0 {
			err = seg.terms.matching(p, add)
		}
		if err != nil || budget < 0 {
			return nil, false, err
		}
	}
	return set, true, nil
}

// collect adds the texts of l that are not deleted to set.
func (seg *segment) collect(l *list, set *Set) error {
	var b block
	for i := range l.count {
		if err := l.decode(i, &b); err != nil {
			return err
		}
		for _, num := range b.nums[:b.m] {
			if len(seg.dead) == 0 || !seg.deleted.Has(num) {
				set.Add(seg.base + num)
			}
		}
	}
	return nil
}

// matching calls f for the terms with piece p, until it returns false.
func (d *dictionary) matching(p piece, f func(e entry) (bool, error)) error {
	if d.count == 0 || len(p.text) == 0 {
		return nil
	}
	if p.left {
		return d.beginning(p, f)
	}
	text, err := d.text.Bytes(0, d.text.Len())
	if err != nil {
		return err
	}
	want := p.text
	if p.right {
		want = append(bytes.Clone(want), '\n')
	}
	group := 0
	for at := 0; ; {
		i := bytes.Index(text[at:], want)
		if i < 0 {
			return nil
		}
		at += i
		number, err := d.numberAt(&group, text, at)
		if err != nil {
			return err
		}
		e, err := d.entryAt(number)
		if err != nil {
			return err
		}
		if more, err := f(e); err != nil || !more {
			return err
		}
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return nil
		}
		at += end + 1
	}
}

// beginning is matching for pieces that a term begins with.
func (d *dictionary) beginning(p piece, f func(e entry) (bool, error)) error {
	from, found, err := d.search(p.text)
	if err != nil || p.right && !found {
		return err
	}
	sc := d.scan(from / groupSize * groupSize)
	for sc.next() {
		if sc.at < from {
			continue
		}
		if !bytes.HasPrefix(sc.key, p.text) {
			return nil
		}
		if more, err := f(sc.entry); err != nil || !more {
			return err
		}
		if p.right {
			return nil
		}
	}
	return sc.err
}

// numberAt returns the number of the key at text[at]. group is where to begin,
// and is moved to the group found.
func (d *dictionary) numberAt(group *int, text []byte, at int) (int, error) {
	n := d.groups()
	var failed error
	offset := func(g int) int {
		r, err := d.record(g)
		if err != nil {
			failed = err
			return len(text)
		}
		return int(binary.LittleEndian.Uint32(r[8:]))
	}
	*group += max(sort.Search(n-*group, func(i int) bool { return offset(*group+i) > at })-1, 0)
	from := offset(*group)
	if failed != nil {
		return 0, failed
	}
	if from < 0 || from > at {
		return 0, damaged("dictionary text")
	}
	return *group*groupSize + bytes.Count(text[from:at], []byte{'\n'}), nil
}

// Terms calls yield for every term, in order, with the number of texts that have
// it, until it returns false. Deleted texts count.
func (s *Searcher) Terms(yield func(term []byte, texts int) bool) error {
	scans := make([]dictScan, len(s.segments))
	for i := range scans {
		scans[i] = s.segments[i].terms.scan(0)
	}
	return mergeScans(scans, func(key []byte, at []int) bool {
		n := 0
		for _, i := range at {
			n += scans[i].entry.n
		}
		return yield(key, n)
	})
}
