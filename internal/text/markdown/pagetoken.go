package markdown

// The text of a block becomes tokens in one pass. A bracket or a run of stars is
// written down as text and becomes more when its other end is found: a "[" turns
// into the beginning of a link, a run has opened or closed emphasis. Then the
// tokens are visited. So nothing is moved, and nesting costs no stack.

// A tok is a piece of text, or what may become one.
type tok struct {
	kind  PieceKind // noPiece of a run
	close bool
	made  bool // the text is in pageTokens.resolved
	span
	ref int32 // the run, target or known link
}

type pageTarget struct{ target, title, attrs []byte }

// pageTokens are what has been read of a text.
type pageTokens struct {
	s        []byte // the text
	toks     []tok
	targets  []pageTarget
	resolved []byte // what entities stand for
	emphasisRuns
}

// reset makes w ready for another text.
func (w *pageTokens) reset() {
	w.toks, w.targets, w.resolved = w.toks[:0], w.targets[:0], w.resolved[:0]
	w.runs, w.ends, w.top = w.runs[:0], w.ends[:0], -1
}

func (w *pageTokens) push(t tok) { w.toks = append(w.toks, t) }

// flush writes down the text between from and to.
func (w *pageTokens) flush(from, to int) {
	if from < to {
		w.push(tok{kind: TextPiece, span: span{int32(from), int32(to)}})
	}
}
