package markdown

// A pageBracket is a "[" that may open a link.
type pageBracket struct {
	tok    int32
	top    int32 // the innermost run before it
	after  int32 // where its text begins
	image  bool
	note   bool // "^[": it may open a footnote
	nested bool // a bracket followed it, so its text is no label
}

// A pageLinker finds the links of a text by its brackets.
type pageLinker struct {
	*Page
	pageTokens
	brackets []pageBracket
	dead     int // brackets below this one can no longer open a link
	label    []byte
	budget   int // bytes of lookahead left
	extra    int // bytes that references may still add to the page
}

// openBracket handles the "[" or "![" between at and i, and returns the offset
// to go on from and where the text begins that is not yet written down.
func (w *pageLinker) openBracket(at, i, from int) (next, rest int) {
	w.flush(from, at)
	if n := len(w.brackets); n > 0 {
		w.brackets[n-1].nested = true
	}
	w.brackets = append(w.brackets, pageBracket{
		tok: int32(len(w.toks)), top: w.top, after: int32(i), image: i-at == 2,
	})
	w.flush(at, i)
	return i, i
}

// closeBracket handles the "]" at i. It returns the offset after the link or
// picture that ends there, or -1; from is where the text begins that is not yet
// written down.
func (w *pageLinker) closeBracket(i, from int) int {
	n := len(w.brackets) - 1
	if n < 0 {
		return -1
	}
	open := w.brackets[n]
	alive := open.image || n >= w.dead
	w.brackets = w.brackets[:n]
	w.dead = min(w.dead, n)
	if !alive {
		if open.note {
			return w.closeNote(&open, i, from)
		}
		return -1
	}
	t, after := w.target(&open, i)
	if after < 0 && open.note {
		return w.closeNote(&open, i, from)
	}
	if after < 0 && !open.image {
		t, after = w.crossReference(&open, i)
	}
	if after < 0 {
		return -1
	}
	if end := attrsEnd(w.s, after); end > 0 && len(w.d.Blocks) > 0 {
		t.attrs, after = w.s[after:end], end
	}
	w.flush(from, i)
	w.emphasis(open.top)
	kind := ImagePiece
	if !open.image {
		// Links do not nest: brackets around this one open no link.
		kind, w.dead = LinkPiece, n
	}
	ref := int32(len(w.targets))
	w.targets = append(w.targets, t)
	w.toks[open.tok] = tok{kind: kind, ref: ref}
	w.push(tok{kind: kind, close: true, ref: ref})
	return after
}

// target finds where the text between the bracket and the "]" at i leads, and
// the offset after the link, or -1.
func (w *pageLinker) target(open *pageBracket, i int) (pageTarget, int) {
	s := w.s
	if i+1 < len(s) && s[i+1] == '(' && w.budget > 0 {
		target, title, after, cost := readTarget(s, i+1)
		w.budget -= cost
		if after > 0 {
			return pageTarget{target: s[target.start:target.end], title: unquote(s[title.start:title.end])}, after
		}
	}
	if len(w.refs) == 0 {
		return pageTarget{}, -1
	}
	label, after := referenceLabel(s, int(open.after), i, open.nested)
	if len(label) > maxLabel {
		return pageTarget{}, -1
	}
	w.label = appendLabelKey(w.label[:0], label)
	at, ok := w.defs.find(w.label)
	if !ok {
		return pageTarget{}, -1
	}
	r := w.refs[at]
	// A definition is written once and used many times.
	if w.extra -= r.target.len() + r.title.len(); w.extra < 0 {
		return pageTarget{}, -1
	}
	return pageTarget{target: w.made[r.target.start:r.target.end], title: unquote(w.made[r.title.start:r.title.end])}, after
}

// unquote takes the quotes off a title.
func unquote(title []byte) []byte {
	if len(title) < 2 {
		return nil
	}
	return title[1 : len(title)-1]
}
