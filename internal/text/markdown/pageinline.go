package markdown

import "github.com/docent-md/docent/doc"

// A pageReader makes tokens of one text after another.
type pageReader struct {
	pageLinker
	lines   []pageLine // of which lines the text is made
	offsets []int32    // where in the text they begin
	ticks   tickRuns
	literal bool // the text is between {% raw %} and {% endraw %}
	link    int  // the next link that Parse knows
	line    int  // the line it may stand on
}

// inlineMarks are the bytes that are not just text.
var inlineMarks = bytesOf("\\`<&![]*_~={$^+\n")

// read makes tokens of the text from i on.
func (w *pageReader) read(i int) {
	w.reset()
	w.brackets, w.dead = w.brackets[:0], 0
	w.ticks.reset()
	w.line = 0
	w.link = len(w.d.Links)
	if len(w.lines) > 0 && w.link > 0 {
		w.link = firstLink(w.d.Links, int(w.lines[0].start))
	}
	from := w.tokens(i)
	w.flush(from, len(w.s))
	w.emphasis(-1)
}

// tokens writes down the tokens of the text from i on, and returns where the
// text begins that is not yet one.
func (w *pageReader) tokens(i int) (from int) {
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
			i, from = w.escape(i, from)
		case '\n':
			w.lineBreak(i, from)
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
				n := len(w.resolved)
				w.resolved = append(w.resolved, text...)
				w.push(tok{kind: TextPiece, made: true, span: span{int32(n), int32(len(w.resolved))}})
				i, from = after, after
			}
		case '{':
			i, from = w.brace(i, from)
		case '$':
			i, from = w.dollar(i, from)
		case '^':
			i, from = w.caret(i, from)
		case '+':
			i, from = w.keys(i, from)
		case '!':
			if i++; i < len(s) && s[i] == '[' {
				i++
				i, from = w.openBracket(at, i, from)
			}
		case '[':
			if label, after := w.noteMark(i); after > 0 {
				w.flush(from, at)
				w.push(tok{kind: NoteMarkPiece, span: label})
				i, from = after, after
				continue
			}
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
			if r, ok := flanks(s, at, n); ok && (c != '=' || len(w.d.Blocks) > 0) {
				w.flush(from, at)
				w.push(tok{ref: w.addRun(r)})
				from = i
			}
		}
	}
	return from
}

// escape handles the backslash at i: before a newline it is a break, and
// before punctuation it is dropped. It returns what angle does.
func (w *pageReader) escape(i, from int) (next, textFrom int) {
	next = i + 1
	if next < len(w.s) && w.s[next] == '\n' {
		w.flush(from, i)
		w.push(tok{kind: BreakPiece})
		return next + 1, next + 1
	}
	if next < len(w.s) && isPunct(w.s[next]) {
		w.flush(from, i)
		return next + 1, next
	}
	return next, from
}

// lineBreak handles the newline at i, with the blanks before it.
func (w *pageReader) lineBreak(i, from int) {
	end := i
	for end > from && (w.s[end-1] == ' ' || w.s[end-1] == '\t') {
		end--
	}
	kind := SoftPiece
	if i-end >= 2 && w.s[i-1] == ' ' && w.s[i-2] == ' ' {
		kind = BreakPiece
	}
	w.flush(from, end)
	w.push(tok{kind: kind})
}

// angle handles the "<" at i, and returns the offset to go on from and where the
// text begins that is not yet written down.
func (w *pageReader) angle(i, from int) (next, rest int) {
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
func (w *pageReader) nextKnown(i int) int {
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
