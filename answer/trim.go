package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// How a hit is cut to the room there is.
//
// It is cut between blocks, and what answers is the first to be kept: the blocks that
// together have the words of the question, then those that answer best by the word of a
// model, where one reads, then others with many of the words, then the beginning, which
// says what the section is about, then what stands next to all these.
// A block that is larger than the room is taken line by line, if it is in the best
// hit: something of that must be seen. Front matter goes first.

// skipped marks omitted text.
const skipped = "[...]\n\n"

// little is the share of the question's weight that is not worth a block.
const little = 0.02

// trim cuts a hit so that it takes at most room tokens.
func (f *fitter) trim(h Hit, room int) (Hit, bool) {
	c := newCutting(strings.TrimLeft(h.Body, "\n"))
	price := func(body string) int {
		short := h
		short.Body, short.Cut = body, h.Tokens
		return f.count(f.hitText(&short))
	}
	left := room - price("")
	pieces := f.pieces(&c, left)
	var read []int
	if left >= roomToRead {
		read = f.read(&h, &c, pieces)
	}
	body := ""
	for kept := f.choose(pieces, read, left); len(kept) > 0 && body == ""; kept = kept[:len(kept)-1] {
		if text := c.join(pieces, kept); price(text) <= room { // gaps have a price too
			body = text
		}
	}
	if body == "" {
		return Hit{}, false
	}
	kept := h.Tokens * f.count(body) / max(f.count(h.Body), 1)
	h.Body = body
	h.Cut = max(h.Tokens-kept, 1)
	return h, true
}

// A piece is a part of a text that is kept or left out whole.
type piece struct {
	from, to int
	price    int
	words    uint64  // of the question
	share    float64 // of its weight
}

// pieces cuts a text into its blocks, and those that do not fit into lines.
func (f *fitter) pieces(c *cutting, room int) []piece {
	var out []piece
	add := func(from, to int) {
		p := piece{from: from, to: to, price: f.count(c.body[from:to])}
		if f.Words != nil {
			p.words = f.Words.Words(c.body[from:to])
			p.share = f.Words.Share(p.words)
		}
		out = append(out, p)
	}
	from := 0
	for _, to := range append(slices.Clip(c.edges), len(c.body)) {
		if len(f.a.Hits) == 0 && f.count(c.body[from:to]) > room {
			for _, line := range c.lines {
				if line > from && line < to {
					add(from, line)
					from = line
				}
			}
		}
		add(from, to)
		from = to
	}
	return out
}

// roomToRead is the room, in tokens, from which on it pays to let a model read: in less,
// the words of the question choose as well.
const roomToRead = 300

// windowTokens is about how much a model reads at once beside question and headings.
const windowTokens = 110

// read returns the pieces that answer best by the word of a model: those of one window,
// neighbours that it can read at once. There are none where nobody reads.
func (f *fitter) read(h *Hit, c *cutting, pieces []piece) []int {
	windows := windowsOf(pieces)
	if f.Read == nil || len(windows) < 2 {
		return nil
	}
	texts := make([]string, len(windows))
	for i, w := range windows {
		texts[i] = c.body[pieces[w[0]].from:pieces[w[len(w)-1]].to]
	}
	scores := f.Read(h, texts)
	if len(scores) == 0 {
		return nil
	}
	best := slices.Index(scores, slices.Max(scores))
	if len(h.Explain) > 0 {
		h.Explain = append(slices.Clip(h.Explain),
			fmt.Sprintf("cut by the local model too: part %d of %d answers best, %.2f", best+1, len(windows), scores[best]))
	}
	slices.SortStableFunc(windows[best], func(a, b int) int { return cmp.Compare(pieces[b].share, pieces[a].share) })
	return windows[best]
}

// windowsOf joins neighbouring pieces up to windowTokens; a larger piece is a window of
// its own.
func windowsOf(pieces []piece) [][]int {
	var out [][]int
	price := 0
	for i, p := range pieces {
		if len(out) == 0 || price+p.price > windowTokens {
			out, price = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], i)
		price += p.price
	}
	return out
}

// choose returns which pieces are kept, the most important first: as many as have room,
// by their prices. Read are those that a model took for the answer.
func (f *fitter) choose(pieces []piece, read []int, room int) []int {
	if len(pieces) == 0 {
		return nil
	}
	var kept []int
	has := make([]bool, len(pieces))
	keep := func(i int) bool {
		if has[i] || pieces[i].price > room {
			return has[i]
		}
		has[i] = true
		kept = append(kept, i)
		room -= pieces[i].price
		return true
	}
	covering, similar := f.answering(pieces)
	for _, i := range slices.Concat(covering, read, similar) {
		keep(i)
	}
	answers := slices.Clone(has)
	if len(kept) == 0 {
		answers[0] = true
	}
	if !keep(0) && len(kept) == 0 {
		return nil
	}
	for _, i := range around(answers) {
		if !keep(i) {
			break
		}
	}
	return kept
}

// answering returns the pieces that answer: those that together have the words of the
// question, each the one that adds most, and those that have half as much as the best.
func (f *fitter) answering(pieces []piece) (covering, similar []int) {
	if f.Words == nil {
		return nil, nil
	}
	have, best := uint64(0), 0.
	for {
		next, gain := -1, little
		for i := range pieces {
			if g := f.Words.Share(have|pieces[i].words) - f.Words.Share(have); g > gain {
				next, gain = i, g
			}
		}
		if next < 0 {
			break
		}
		covering = append(covering, next)
		have |= pieces[next].words
		best = max(best, pieces[next].share)
	}
	for i := range pieces {
		if best > 0 && pieces[i].share >= best/2 && !slices.Contains(covering, i) {
			similar = append(similar, i)
		}
	}
	slices.SortStableFunc(similar, func(a, b int) int { return cmp.Compare(pieces[b].share, pieces[a].share) })
	return covering, similar
}

// around returns the other pieces, those nearest to one that is kept first, and of two
// the one that follows it.
func around(kept []bool) []int {
	far := make([]int, len(kept))
	for i := range far {
		far[i] = 2 * len(kept)
	}
	last := -1
	for i := range kept { // twice the distance, less one where it follows
		if kept[i] {
			last = i
		}
		if last >= 0 {
			far[i] = min(far[i], 2*(i-last)-1)
		}
	}
	last = -1
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i] {
			last = i
		}
		if last >= 0 {
			far[i] = min(far[i], 2*(last-i))
		}
	}
	var out []int
	for i := range kept {
		if !kept[i] {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(far[a], far[b]) })
	return out
}
