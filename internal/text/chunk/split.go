package chunk

import "github.com/docent-md/docent/doc"

// Chunks by section. The file is cut at headings down to Depth, then sections
// under Min join others:
//
//  1. Going forward, a group of sections that is still under Min takes in the
//     next section if that is under the one it began with, of any size (a
//     bare heading and its first child belong together, front matter and what
//     follows it too), or is a small sibling that has nothing under it.
//  2. What is still under Min joins the group before it, if that began with an ancestor
//     or a sibling, or under a sibling.
//  3. Once the parts are made and counted, what is under Min joins what precedes it by the
//     same rule, or takes in what follows, if that is its sibling, under it, or its next
//     part; see small.go.
//
// Nothing joins what it would make exceed Max, except what must be split anyway. So two
// sections that are each large enough never share a chunk, and a long row of small ones,
// as in a reference, becomes chunks a little over Min rather than one of size Max that
// has to be read for any of them. A small section stays alone only where neither
// neighbour in the file has room.
//
// A group over Max is split; see pack.go.

// A group is a run of sections that make one chunk, or several parts.
type group struct {
	first  int // the section it begins with
	span   doc.Span
	tokens int // of its sections, added up
	joints int // between them; counts are rounded, and each may hide a token
	weight int // of all, where weights are known to add up; else -1
}

func (s *splitter) bySection() {
	groups := s.attach(s.gather(s.headed()))
	s.out = make([]doc.Chunk, 0, len(groups))
	for _, g := range groups {
		s.split(g)
	}
	s.joinSmall()
}

// headed returns a group for every section down to Depth, each with the deeper
// ones under it.
func (s *splitter) headed() []group {
	var out []group
	for i, sec := range s.sections {
		if len(out) > 0 && sec.Level > s.Depth || sec.Span.Len() == 0 {
			continue
		}
		if n := len(out); n > 0 {
			out[n-1].span.End = sec.Span.Start
		}
		out = append(out, group{first: i, span: sec.Span})
	}
	// The outermost groups reach to the ends of the file whatever the sections
	// say, so that no byte can be lost.
	if len(out) == 0 {
		out = append(out, group{})
	}
	out[0].span.Start = 0
	out[len(out)-1].span.End = len(s.src)
	for i := range out {
		g := &out[i]
		if s.Weigh == nil || s.Round == nil {
			g.tokens, g.weight = s.count(g.span), -1
			continue
		}
		g.weight = s.Weigh(g.span.Of(s.src))
		g.tokens = s.Round(g.weight)
	}
	return out
}

// gather is the first rule. It reuses groups.
func (s *splitter) gather(groups []group) []group {
	out := groups[:0]
	for i, g := range groups {
		if n := len(out); n > 0 && out[n-1].tokens < s.Min {
			last := &out[n-1]
			under := s.under(last.first, g.first)
			joins := under
			if siblings(s.sections[last.first], s.sections[g.first]) {
				joins = g.tokens < s.Min && !s.leads(groups, i)
			}
			if joins && s.fits(*last, g) || under && g.tokens > s.Max {
				s.join(last, g)
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

// attach is the second rule. It reuses groups.
func (s *splitter) attach(groups []group) []group {
	out := groups[:0]
	for _, g := range groups {
		if n := len(out); n > 0 && g.tokens < s.Min {
			last := &out[n-1]
			if s.follows(last.first, g.first) && (s.fits(*last, g) || last.tokens > s.Max) {
				s.join(last, g)
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

// leads reports whether the group after group i is under it.
func (s *splitter) leads(groups []group, i int) bool {
	return i+1 < len(groups) && s.under(groups[i].first, groups[i+1].first)
}

// follows reports whether section b, if it is small, may join what began with section a
// and precedes it: its own, an ancestor, a sibling, or what is under a sibling.
func (s *splitter) follows(a, b int) bool {
	parent := s.sections[b].Parent
	return parent < 0 || a >= parent || s.under(a, b)
}

// join adds b, which follows, to a.
func (s *splitter) join(a *group, b group) {
	if s.adds(a.span, b.span) && a.weight >= 0 && b.weight >= 0 {
		a.weight += b.weight
	} else {
		a.weight = -1
	}
	a.span.End = b.span.End
	a.tokens += b.tokens
	a.joints += b.joints + 1
}

// adds reports whether the weights of two spans that follow each other add up.
func (s *splitter) adds(a, b doc.Span) bool {
	if a.Len() == 0 || b.Len() == 0 {
		return false
	}
	last, first := s.src[a.End-1], s.src[b.Start]
	return last == '\n' && first != '\n' && first != '\r'
}

func (s *splitter) fits(a, b group) bool {
	return a.tokens+a.joints+b.tokens+b.joints < s.Max
}

// under reports whether section b is under section a.
func (s *splitter) under(a, b int) bool { return a < b && b < s.sections[a].End }

func siblings(a, b doc.Section) bool { return a.Parent == b.Parent }

// split makes one chunk of g, or several parts when it is over Max.
func (s *splitter) split(g group) {
	tokens := g.tokens
	switch {
	case g.joints > 0 && g.weight >= 0:
		tokens = s.Round(g.weight)
	case g.joints > 0:
		tokens = s.count(g.span)
	}
	if tokens <= s.Max {
		s.emit(g.span, s.text[g.span.Start:g.span.End], tokens)
		return
	}
	s.pack(s.cutter(g.span, s.Max, s.Max))
}
