package markdown

// A pageRun is a run of "*", "_", "~" or "=" that may open or close something.
type pageRun struct {
	c           byte
	open, close bool
	at          int32 // where in the text it stands
	size        int32 // how many there are
	left        int32 // how many of them are still text
	prev, next  int32 // its neighbours among the runs that may still open or close; -1 for none
	opened      int32 // the last thing it opened, in emphasisRuns.ends; -1 for none
	closed      int32 // the first thing it closed
	closedLast  int32
}

// A pageEnd is one thing that a run opens or closes.
type pageEnd struct {
	kind PieceKind
	next int32
}

// emphasisRuns are the runs of one text.
type emphasisRuns struct {
	runs  []pageRun
	top   int32 // the innermost run that may still open or close something; -1 for none
	ends  []pageEnd
	looks int // runs asked whether they pair, for the tests
}

// flanks returns the run of n characters at i, unless it can neither open nor
// close anything.
func flanks(s []byte, i, n int) (pageRun, bool) {
	c := s[i]
	if (c == '~' || c == '=') && n != 2 {
		return pageRun{}, false
	}
	left, right := flanking(s, i, n)
	if c == '=' { // x==y is none
		left, right = left && (i == 0 || !isWord(s[i-1])), right && (i+n == len(s) || !isWord(s[i+n]))
	}
	return pageRun{c: c, open: left, close: right, at: int32(i), size: int32(n), left: int32(n)}, left || right
}

// addRun writes a run down, as the innermost, and returns its number.
func (w *emphasisRuns) addRun(r pageRun) int32 {
	r.prev, r.next, r.opened, r.closed = w.top, -1, -1, -1
	n := int32(len(w.runs))
	if w.top >= 0 {
		w.runs[w.top].next = n
	}
	w.top = n
	w.runs = append(w.runs, r)
	return n
}

// removeRun takes a run from those that may open or close something.
func (w *emphasisRuns) removeRun(i int32) {
	r := &w.runs[i]
	if r.prev >= 0 {
		w.runs[r.prev].next = r.next
	}
	if r.next >= 0 {
		w.runs[r.next].prev = r.prev
	} else {
		w.top = r.prev
	}
}

// emphasis pairs the runs inside of the one called bottom, by the rules of
// CommonMark (appendix, "process emphasis"), and forgets them. For each kind of
// closing run it remembers below which run there is no opening one, so that no
// run is looked at in vain twice.
func (w *emphasisRuns) emphasis(bottom int32) {
	if w.top == bottom {
		return
	}
	var floor [3 * 2 * 4]int32
	for i := range floor {
		floor[i] = bottom + 1
	}
	c := w.top
	for w.runs[c].prev != bottom {
		c = w.runs[c].prev
		w.looks++
	}
	for c >= 0 {
		end := &w.runs[c]
		if !end.close {
			c = end.next
			continue
		}
		lowest := &floor[closerKind(end)]
		o := end.prev
		for o > bottom && o >= *lowest && !pairs(&w.runs[o], end) {
			o = w.runs[o].prev
			w.looks++
		}
		if o <= bottom || o < *lowest {
			*lowest = c
			next := end.next
			if !end.open {
				w.removeRun(c)
			}
			c = next
			continue
		}
		w.pair(o, c)
		if w.runs[o].left == 0 {
			w.removeRun(o)
		}
		if end.left == 0 {
			next := end.next
			w.removeRun(c)
			c = next
		}
	}
	if w.top = bottom; bottom >= 0 {
		w.runs[bottom].next = -1
	}
}

// closerKind numbers the kinds of closing run that look for openers alike.
func closerKind(r *pageRun) int {
	n := int(r.size % 3)
	if r.open {
		n += 3
	}
	switch r.c {
	case '_':
		n += 6
	case '~':
		n += 12
	case '=':
		n += 18
	}
	return n
}

// pairs reports whether the run o opens what c closes.
func pairs(o, c *pageRun) bool {
	if o.c != c.c || !o.open {
		return false
	}
	return c.c == '~' || c.c == '=' || !c.open && !o.close || c.size%3 == 0 || (o.size+c.size)%3 != 0
}

// pair makes emphasis between the runs o and c. Those between them can no longer
// open or close anything.
func (w *emphasisRuns) pair(o, c int32) {
	from, to := &w.runs[o], &w.runs[c]
	from.next, to.prev = c, o
	kind, n := EmphasisPiece, int32(1)
	if from.left >= 2 && to.left >= 2 {
		n = 2
		switch to.c {
		case '~':
			kind = StruckPiece
		case '=':
			kind = MarkPiece
		default:
			kind = StrongPiece
		}
	}
	from.left -= n
	to.left -= n
	w.ends = append(w.ends, pageEnd{kind, from.opened}, pageEnd{kind, -1})
	last := int32(len(w.ends) - 1)
	from.opened = last - 1
	if to.closed < 0 {
		to.closed = last
	} else {
		w.ends[to.closedLast].next = last
	}
	to.closedLast = last
}
