package chunk

import "github.com/docent-md/docent/doc"

// joinSmall joins chunks of which one is under Min, if they belong together and fit
// into one by an exact count. Sums are rounded, and where a large block is kept whole,
// a crumb may be left before or after it.
func (s *splitter) joinSmall() {
	out := s.out[:0]
	for _, c := range s.out {
		if n := len(out); n > 0 && s.extend(&out[n-1], c) {
			continue
		}
		out = append(out, c)
	}
	s.out = out
}

// extend adds b, which follows, to a, or reports that they stay apart.
func (s *splitter) extend(a *doc.Chunk, b doc.Chunk) bool {
	whole := len(a.Text) == a.Span.Len() && len(b.Text) == b.Span.Len() // no fence or table head was repeated
	joins := b.Tokens < s.Min && s.follows(a.Section, b.Section) ||
		a.Tokens < s.Min && (s.under(a.Section, b.Section) || siblings(s.sections[a.Section], s.sections[b.Section]))
	if !whole || !joins || a.Tokens+b.Tokens > s.Max+2 { // each may be rounded up
		return false
	}
	span := doc.Span{Start: a.Span.Start, End: b.Span.End}
	tokens := s.count(span)
	if tokens > s.Max {
		return false
	}
	a.Span, a.Lines.End, a.Tokens = span, b.Lines.End, tokens
	a.Text = s.text[span.Start:span.End]
	return true
}
