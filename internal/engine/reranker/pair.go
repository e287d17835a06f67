package reranker

import "strings"

const kinds = 6 // of a piece: question, path or text; three more where the other side has it too

// pair returns the pieces of a question and a candidate and the kind of each. A
// text that is too long is read from the block after which most pieces of the
// question follow.
func (s *scratch) pair(q []int32, c Candidate) (ids []int32, kind []uint8) {
	m := s.m
	text := c.Text
	if strings.HasPrefix(text, "#") {
		_, text, _ = strings.Cut(text, "\n")
	}
	h := m.encode(m.strip(c.Path), maxText).ids
	h = h[max(0, len(h)-m.path):]
	t := m.encode(m.strip(text), m.body)
	if room := m.length - 3 - len(q) - len(h); len(t.ids) > room {
		t.ids = s.window(q, t, room)
	}
	ids = append(append([]int32{cls}, q...), separator)
	right := len(ids)
	ids = append(append(append(ids, h...), separator), t.ids...)
	kind = make([]uint8, len(ids))
	text1 := right + len(h) + 1
	asked, there := s.mark(q), 0
	for n := right; n < len(ids); n++ {
		kind[n] = 1
		if n >= text1 {
			kind[n] = 2
		}
		if ids[n] >= m.common && s.seen[ids[n]] == asked {
			kind[n] += 3
		}
	}
	there = s.mark(ids[right:])
	for n, id := range q {
		if id >= m.common && s.seen[id] == there {
			kind[n+1] = 3
		}
	}
	return ids, kind
}

// mark marks pieces as seen, and returns what with.
func (s *scratch) mark(ids []int32) int {
	s.turn++
	for _, id := range ids {
		s.seen[id] = s.turn
	}
	return s.turn
}

// window returns room pieces of a text from the best of its first blocks.
func (s *scratch) window(q []int32, t pieces, room int) []int32 {
	best, most := 0, -1
	for _, start := range t.starts[:min(len(t.starts), s.m.blocks)] {
		if start >= len(t.ids) {
			break
		}
		there, n := s.mark(t.ids[start:min(start+room, len(t.ids))]), 0
		for _, id := range q {
			if id >= s.m.common && s.seen[id] == there {
				n++
			}
		}
		if n > most {
			best, most = start, n
		}
	}
	return t.ids[best:min(best+room, len(t.ids))]
}
