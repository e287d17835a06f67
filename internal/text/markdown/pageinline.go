package markdown

import "github.com/docent-md/docent/doc"

// The text of a block becomes tokens in one pass. A bracket or a run of stars is
// written down as text and becomes more when its other end is found: a "[" turns
// into the beginning of a link, a run has opened or closed emphasis. Then the
// tokens are visited. So nothing is moved, and nesting costs no stack.

// A pageWalker is the state of one Walk.
type pageWalker struct {
	*Page
	visit func(*Piece)
	piece Piece

	s       []byte     // the text being read
	lines   []pageLine // of which lines it is made
	offsets []int32    // where in the text they begin
	text    []byte     // room for a text of several lines
	code    []byte     // room for a code span
	table   bool       // the text is in a table
	cell    [1]pageLine

	toks     []tok
	runs     []pageRun
	top      int32 // the innermost run that may still open or close something; -1 for none
	ends     []pageEnd
	brackets []pageBracket
	dead     int // brackets below this one can no longer open a link
	targets  []pageTarget
	made     []byte
	ticks    tickRuns
	label    []byte

	link   int // the next link that Parse knows
	line   int // the line it may stand on
	budget int // bytes of lookahead left
	extra  int // bytes that references may still add to the page
	depth  int // pieces within the block that are open
	looks  int // runs asked whether they pair, for the tests
}

// A tok is a piece of text, or what may become one.
type tok struct {
	kind  PieceKind // noPiece of a run
	close bool
	made  bool // the text is in pageWalker.made
	span
	ref int32 // the run, target or known link
}

// A pageBracket is a "[" that may open a link.
type pageBracket struct {
	tok    int32
	top    int32 // the innermost run before it
	after  int32 // where its text begins
	image  bool
	nested bool // a bracket followed it, so its text is no label
}

type pageTarget struct{ target, title []byte }

// maxInline is how deep emphasis and links may nest; beyond it their text is
// shown without them. It is for the browser.
const maxInline = 64

func newPageWalker(p *Page, visit func(*Piece)) *pageWalker {
	n := len(p.d.Source)
	return &pageWalker{Page: p, visit: visit, budget: 16*n + 1024, extra: max(n, 100_000)}
}

// inlineMarks are the bytes that are not just text.
var inlineMarks = marks("\\`<&![]*_~{\n")

// inline visits what stands in the text.
func (w *pageWalker) inline(i int) {
	w.toks, w.runs, w.ends, w.top = w.toks[:0], w.runs[:0], w.ends[:0], -1
	w.brackets, w.dead = w.brackets[:0], 0
	w.targets, w.made = w.targets[:0], w.made[:0]
	w.ticks.reset()
	w.line = 0
	w.link = len(w.d.Links)
	if len(w.lines) > 0 && w.link > 0 {
		w.link = firstLink(w.d.Links, int(w.lines[0].start))
	}
	from := w.tokens(i)
	w.flush(from, len(w.s))
	w.emphasis(-1)
	w.emit()
}

// tokens writes down the tokens of the text from i on, and returns where the
// text begins that is not yet one.
func (w *pageWalker) tokens(i int) (from int) {
	s := w.s
	from = i
	for i < len(s) {
		stop := w.nextKnown(i)
		for i < stop && !inlineMarks[s[i]] {
			i++
		}
		if i >= len(s) {
			break
		}
		at := i
		if i == stop {
			w.flush(from, i)
			i += w.d.Links[w.link].Span.Len()
			w.push(tok{kind: KnownPiece, ref: int32(w.link), span: span{int32(at), int32(i)}})
			from = i
			continue
		}
		switch c := s[i]; c {
		case '\\':
			i++
			if i < len(s) && s[i] == '\n' {
				w.flush(from, at)
				w.push(tok{kind: BreakPiece})
				i++
				from = i
			} else if i < len(s) && isPunct(s[i]) {
				w.flush(from, at)
				from = i
				i++
			}
		case '\n':
			end := i
			for end > from && (s[end-1] == ' ' || s[end-1] == '\t') {
				end--
			}
			kind := SoftPiece
			if i-end >= 2 && s[i-1] == ' ' && s[i-2] == ' ' {
				kind = BreakPiece
			}
			w.flush(from, end)
			w.push(tok{kind: kind})
			i++
			from = i
		case '`':
			code, after := w.ticks.span(s, i)
			i = after
			if code.end > 0 {
				w.flush(from, at)
				w.push(tok{kind: CodeSpanPiece, span: code})
				from = i
			}
		case '<':
			i, from = w.angle(i, from)
		case '&':
			text, after := entity(s, i)
			if i++; after > 0 {
				w.flush(from, at)
				n := len(w.made)
				w.made = append(w.made, text...)
				w.push(tok{kind: TextPiece, made: true, span: span{int32(n), int32(len(w.made))}})
				i, from = after, after
			}
		case '{':
			text, after := w.shortcodeText(i)
			if i++; after > 0 {
				w.flush(from, at)
				w.push(tok{kind: TextPiece, span: text})
				i, from = after, after
			}
		case '!':
			if i++; i < len(s) && s[i] == '[' {
				i++
				i, from = w.openBracket(at, i, from)
			}
		case '[':
			i, from = w.openBracket(at, i+1, from)
		case ']':
			if after := w.closeBracket(i, from); after > 0 {
				i, from = after, after
			} else {
				i++
			}
		default:
			n := run(s[i:], c)
			i += n
			if r, ok := flanks(s, at, n); ok {
				w.flush(from, at)
				w.pushRun(r)
				from = i
			}
		}
	}
	return from
}

// flush writes down the text between from and to.
func (w *pageWalker) flush(from, to int) {
	if from < to {
		w.push(tok{kind: TextPiece, span: span{int32(from), int32(to)}})
	}
}

func (w *pageWalker) push(t tok) { w.toks = append(w.toks, t) }

// angle handles the "<" at i, and returns the offset to go on from and where the
// text begins that is not yet written down.
func (w *pageWalker) angle(i, from int) (next, rest int) {
	if e, mail := autolinkEnd(w.s, i); e > 0 {
		w.flush(from, i)
		w.push(tok{kind: AddressPiece, made: mail, span: span{int32(i + 1), int32(e - 1)}})
		return e, e
	}
	if w.budget <= 0 {
		return i + 1, from
	}
	e := markupEnd(w.s, i)
	if e < 0 {
		w.budget += e
		return i + 1, from
	}
	w.flush(from, i)
	w.push(tok{kind: TagPiece, span: span{int32(i), int32(e)}})
	return e, e
}

// nextKnown returns where in the text, from i on, the next link stands that only
// Parse knows of, so that both read the same; the length of the text when there
// is none.
func (w *pageWalker) nextKnown(i int) int {
	for ; w.link < len(w.d.Links); w.link++ {
		l := &w.d.Links[w.link]
		if l.Kind < doc.Auto || l.Kind == doc.Auto && w.d.Source[l.Span.Start] == '<' {
			continue
		}
		for w.line+1 < len(w.lines) && l.Span.Start >= int(w.lines[w.line+1].start) {
			w.line++
		}
		line := &w.lines[w.line]
		if l.Span.Start >= int(line.end) && w.line+1 == len(w.lines) {
			break
		}
		at := int(w.offsets[w.line]) + l.Span.Start - int(line.start)
		if l.Span.Start >= int(line.start) && l.Span.End <= int(line.end) && at >= i && l.Span.Len() > 0 {
			return at
		}
	}
	return len(w.s)
}
