package markdown

import "bytes"

// Walk visits the pieces of the page in reading order. A piece is the visitor's
// until the next one.
func (p *Page) Walk(visit func(*Piece)) { p.walk(newPageWalker(p, visit)) }

// maxInline is how deep emphasis and links may nest; beyond it their text is
// shown without them. It is for the browser.
const maxInline = 64

// A pageWalker is the state of one Walk.
type pageWalker struct {
	pageReader
	visit func(*Piece)
	piece Piece

	text  []byte // room for a text of several lines
	code  []byte // room for a code span
	table bool   // the text is in a table
	cell  [1]pageLine
	depth int // pieces within the block that are open
}

func newPageWalker(p *Page, visit func(*Piece)) *pageWalker {
	n := len(p.d.Source)
	w := &pageWalker{visit: visit}
	w.Page, w.budget, w.extra = p, 16*n+1024, max(n, 100_000)
	return w
}

func (p *Page) walk(w *pageWalker) {
	var open []int32
	pop := func() {
		w.piece = p.pieceOf(int(open[len(open)-1]))
		w.piece.Close = true
		w.visit(&w.piece)
		open = open[:len(open)-1]
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind == noPiece {
			continue
		}
		for len(open) > 0 && open[len(open)-1] != b.parent {
			pop()
		}
		w.block(i)
		if b.kind <= ItemPiece { // a container
			open = append(open, int32(i))
		}
	}
	for len(open) > 0 {
		pop()
	}
}

// block visits a block and what stands in it; a container, only its beginning.
func (w *pageWalker) block(i int) {
	b := &w.blocks[i]
	w.piece = w.pieceOf(i)
	switch b.kind {
	case CodePiece, HTMLPiece, ComponentPiece, MathPiece:
		w.piece.Text = w.verbatim(w.Page.lines[b.from:b.to])
		w.visit(&w.piece)
	case TablePiece:
		w.visit(&w.piece)
		w.rows(b)
		w.end(Piece{Kind: TablePiece})
	case ParagraphPiece, TermPiece:
		piece := w.piece
		w.visit(&w.piece)
		w.join(w.Page.lines[b.from:b.to])
		w.inline(w.task(i))
		w.end(piece)
	case HeadingPiece:
		piece := w.piece
		w.visit(&w.piece)
		w.join(w.Page.lines[b.from:b.to])
		if h := piece.Heading; h != nil {
			if words, id := cutID(w.s); id.end > 0 && string(w.s[id.start:id.end]) == h.Anchor {
				w.s = w.s[:words]
			}
		}
		if len(w.d.Blocks) > 0 {
			w.s = withoutAttrs(w.s)
		}
		w.inline(0)
		w.end(piece)
	case QuotePiece, BoxPiece:
		w.visit(&w.piece)
		if b.number >= 0 {
			w.piece = Piece{Kind: LabelPiece}
			w.visit(&w.piece)
			w.cell[0] = pageLine{span: w.labels[b.number]}
			w.join(w.cell[:])
			w.inline(0)
			w.end(Piece{Kind: LabelPiece})
		}
	default:
		w.visit(&w.piece)
	}
}

func (w *pageWalker) end(p Piece) {
	w.piece = p
	w.piece.Close = true
	w.visit(&w.piece)
}

// verbatim returns lines as they are, each with its end.
func (w *pageWalker) verbatim(lines []pageLine) []byte {
	w.text = w.text[:0]
	for _, l := range lines {
		for range l.pad {
			w.text = append(w.text, ' ')
		}
		w.text = append(append(w.text, w.d.Source[l.start:l.end]...), '\n')
	}
	return w.text
}

// join makes lines the text to be read. A single one is read where it stands.
func (w *pageWalker) join(lines []pageLine) {
	w.lines, w.offsets, w.table = lines, w.offsets[:0], false
	w.s = nil
	for i, l := range lines {
		line := w.d.Source[l.start:l.end]
		if i == 0 {
			w.s = line
			w.offsets = append(w.offsets, 0)
			continue
		}
		if i == 1 {
			w.s = append(w.text[:0], w.s...)
		}
		w.s = append(w.s, '\n')
		w.offsets = append(w.offsets, int32(len(w.s)))
		w.s = append(w.s, line...)
	}
	if len(lines) > 1 {
		w.text = w.s
	}
	w.s = bytes.TrimRight(w.s, " \t")
}

// task visits the box of a task, where the first paragraph of an item begins
// with one, and returns where the text goes on.
func (w *pageWalker) task(i int) int {
	b := &w.blocks[i]
	if b.parent < 0 || int(b.parent) != i-1 || w.blocks[b.parent].kind != ItemPiece || len(w.s) < 3 {
		return 0
	}
	if w.blocks[w.blocks[b.parent].parent].level == 1 && w.s[0] == ':' && w.s[1] == ' ' {
		return 2
	}
	switch string(w.s[:min(len(w.s), 4)]) {
	case "[ ] ", "[x] ", "[X] ":
		w.piece = Piece{Kind: TaskPiece, Done: w.s[1] != ' '}
		w.visit(&w.piece)
		return 3
	}
	return 0
}

// rows visits the rows of a table. A row that is shorter than the head is not
// filled up: what is not written costs nothing.
func (w *pageWalker) rows(b *pageBlock) {
	aligns := w.aligns[b.alignFrom : b.alignFrom+b.columns]
	for i, l := range w.Page.lines[b.from:b.to] {
		row := w.d.Source[l.start:l.end]
		w.piece = Piece{Kind: RowPiece, Head: i == 0}
		w.visit(&w.piece)
		column := 0
		eachCell(row, len(aligns), func(from, to int) {
			cell := Piece{Kind: CellPiece, Head: i == 0, Align: aligns[column]}
			column++
			w.piece = cell
			w.visit(&w.piece)
			for from < to && isSpace(row[from]) {
				from++
			}
			w.cell[0] = pageLine{span: span{l.start + int32(from), l.start + int32(to)}}
			w.join(w.cell[:])
			w.table = true
			w.inline(0)
			w.end(cell)
		})
		w.end(Piece{Kind: RowPiece, Head: i == 0})
	}
}

// inline visits what stands in the text from i on.
func (w *pageWalker) inline(i int) {
	w.read(i)
	for i := range w.toks {
		t := &w.toks[i]
		switch {
		case t.kind == noPiece:
			w.emitRun(&w.runs[t.ref])
		case t.kind <= MarkPiece:
			w.piece = Piece{Kind: t.kind, Close: t.close}
			to := &w.targets[t.ref]
			w.piece.Target, w.piece.Title, w.piece.Attrs = to.target, to.title, to.attrs
			w.nest()
		default:
			w.piece = Piece{Kind: t.kind}
			switch t.kind {
			case KnownPiece:
				w.piece.Link = &w.d.Links[t.ref]
			case MathPiece:
				w.piece.Display = t.made
				w.piece.Text = w.s[t.start:t.end]
			case AddressPiece:
				w.piece.Mail = t.made
				w.piece.Text = w.s[t.start:t.end]
			case CodeSpanPiece:
				w.piece.Text = w.codeSpan(w.s[t.start:t.end])
			default:
				if t.made {
					w.piece.Text = w.resolved[t.start:t.end]
				} else {
					w.piece.Text = w.s[t.start:t.end]
				}
			}
			w.visit(&w.piece)
		}
	}
}

// nest visits the beginning or the end of a piece that holds others, unless it
// is too deep.
func (w *pageWalker) nest() {
	if !w.piece.Close {
		w.depth++
	}
	if w.depth <= maxInline {
		w.visit(&w.piece)
	}
	if w.piece.Close {
		w.depth--
	}
}

// codeSpan returns the text of a code span: on one line, and without the space
// on both sides that it may have so that it can begin or end with a backtick. In
// a table a pipe in it is behind a backslash.
func (w *pageWalker) codeSpan(code []byte) []byte {
	pipes := w.table && bytes.Contains(code, []byte(`\|`))
	if pipes || bytes.IndexByte(code, '\n') >= 0 {
		w.code = w.code[:0]
		for i, c := range code {
			switch {
			case c == '\n':
				c = ' '
			case pipes && c == '\\' && i+1 < len(code) && code[i+1] == '|':
				continue
			}
			w.code = append(w.code, c)
		}
		code = w.code
	}
	if n := len(code); n > 2 && code[0] == ' ' && code[n-1] == ' ' && len(bytes.Trim(code, " ")) > 0 {
		code = code[1 : n-1]
	}
	return code
}

// emitRun visits what a run closed, what is left of it as text, and what it
// opened, from the outermost on.
func (w *pageWalker) emitRun(r *pageRun) {
	for e := r.closed; e >= 0; e = w.ends[e].next {
		w.piece = Piece{Kind: w.ends[e].kind, Close: true}
		w.nest()
	}
	if r.left > 0 {
		w.piece = Piece{Kind: TextPiece, Text: w.s[r.at : r.at+r.left]}
		w.visit(&w.piece)
	}
	for e := r.opened; e >= 0; e = w.ends[e].next {
		w.piece = Piece{Kind: w.ends[e].kind}
		w.nest()
	}
}
