package docent

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/symbol"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Neighbour is a section that has to do with another.
type Neighbour struct {
	SectionID string   `json:"section_id"`
	Title     string   `json:"title"`
	Score     float64  `json:"score"`
	Why       []string `json:"why"`
}

// Neighbours are the sections that have to do with one, nearest first.
type Neighbours struct {
	Ref        string      `json:"ref"`
	Title      string      `json:"title"`
	Neighbours []Neighbour `json:"neighbours"`
}

// Related finds the sections that have to do with the one a Ref leads to: by links
// in either direction, by rare names that the code in both has, and by words. Each
// of the three counts at most 1.
func (l *Library) Related(ctx context.Context, ref string, limit int) (*Neighbours, error) {
	if limit < 0 || limit > maxSnippets {
		return nil, fmt.Errorf("%d sections: must lie between 1 and %d", limit, maxSnippets)
	}
	_, w, at, err := l.walkFrom(ref)
	if err != nil {
		return nil, err
	}
	f, err := w.file(at.id)
	if err != nil {
		return nil, err
	}
	r := &relating{w: w, l: l, at: at, last: lastUnder(f.sections, at.section), scores: map[node]*Neighbour{}}
	for _, by := range []func(context.Context) error{r.byLinks, r.byCode, r.byWords} {
		if err := by(ctx); err != nil {
			return nil, err
		}
	}
	out := &Neighbours{Ref: w.ref(at), Title: w.title(at), Neighbours: []Neighbour{}}
	for _, n := range r.scores {
		out.Neighbours = append(out.Neighbours, *n)
	}
	slices.SortFunc(out.Neighbours, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.SectionID, b.SectionID))
	})
	out.Neighbours = out.Neighbours[:min(len(out.Neighbours), cmp.Or(limit, 10))]
	return out, w.standing()
}

// relating collects what speaks for each section.
type relating struct {
	w      *walk
	l      *Library
	at     node
	last   int // the last section under it
	scores map[node]*Neighbour
}

func (r *relating) add(n node, score float64, why string) {
	if n.id == r.at.id && n.section >= r.at.section && n.section <= r.last {
		return
	}
	have, ok := r.scores[n]
	if !ok {
		have = &Neighbour{SectionID: r.w.ref(n), Title: r.w.title(n)}
		r.scores[n] = have
	}
	have.Score += score
	have.Why = append(have.Why, why)
}

func (r *relating) byLinks(context.Context) error {
	seen := map[node]int{} // bits: links out, links in
	out, err := r.w.out(r.at)
	if err != nil {
		return err
	}
	in, err := r.w.in(r.at)
	if err != nil {
		return err
	}
	var order []node
	note := func(n node, bit int) {
		if seen[n] == 0 {
			order = append(order, n)
		}
		seen[n] |= bit
	}
	for _, e := range out {
		if e.State == graph.Found {
			note(node{e.To.File, max(e.To.Section, 0)}, 1)
		}
	}
	for _, e := range in {
		note(node{e.From.File, max(e.From.Section, 0)}, 2)
	}
	for _, n := range order {
		switch seen[n] {
		case 1:
			r.add(n, 0.7, "linked from here")
		case 2:
			r.add(n, 0.7, "links here")
		default:
			r.add(n, 1, "linked both ways")
		}
	}
	return nil
}

// commonName is how many blocks may have a name before it says nothing.
const commonName = 50

func (r *relating) byCode(ctx context.Context) error {
	d, err := r.w.doc(r.at.id)
	if err != nil || r.last >= len(d.Sections) {
		return err
	}
	names := map[string]bool{}
	var scan symbol.Scanner
	for _, b := range codeOf(d, doc.Span{Start: d.Sections[r.at.section].Span.Start, End: d.Sections[r.last].Span.End}) {
		found := scan.Scan(symbol.Language(b.Info), markdown.Code(d, &b))
		for _, list := range [][]string{found.Declared, found.Keys, found.Used} {
			for _, n := range list {
				names[n] = len(n) > 2
			}
		}
	}
	type shared struct {
		weight float64
		names  []string
	}
	by := map[node]*shared{}
	for _, name := range slices.Sorted(keysOf(names)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		nodes, err := r.l.nodesWith(name)
		if err != nil {
			return err
		}
		for _, n := range nodes {
			if by[n] == nil {
				by[n] = &shared{}
			}
			by[n].weight += 1 / math.Log2(float64(len(nodes))+1)
			by[n].names = append(by[n].names, name)
		}
	}
	for n, s := range by {
		r.add(n, 1-1/(1+s.weight), "shares "+strings.Join(s.names[:min(len(s.names), 4)], ", "))
	}
	return nil
}

func keysOf(m map[string]bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k, ok := range m {
			if ok && !yield(k) {
				return
			}
		}
	}
}

// nodesWith are the sections with code that has a name, each once; none when the
// name is common.
func (l *Library) nodesWith(name string) ([]node, error) {
	var out []node
	alive := 0
	for i, s := range l.segs {
		code, err := s.code()
		if err != nil {
			return nil, err
		}
		hits, err := code.Find(name)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			row, err := code.File(h.Block)
			if err != nil {
				return nil, err
			}
			if s.dead[row] {
				continue
			}
			if alive++; alive > commonName {
				return nil, nil
			}
			first, blocks, err := code.InFile(row)
			if err != nil {
				return nil, err
			}
			if h.Block-first >= len(blocks) {
				return nil, snippet.ErrFormat
			}
			n := node{graph.ID{Segment: i, Row: row}, blocks[h.Block-first].Section}
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out, nil
}

// byWords asks for what the section says first.
func (r *relating) byWords(context.Context) error {
	about, err := r.w.summary(r.at)
	if err != nil {
		return err
	}
	// It is words that are asked for, not a question with operators.
	hits, _, err := r.l.rank(Query{}, index.Parse(slugWords(about)), pool, 20)
	if err != nil || len(hits) == 0 {
		return err
	}
	best := 0.
	for _, h := range hits[:min(len(hits), 20)] {
		n := node{r.l.fileID(h), h.named - h.file.FirstSection}
		if n.id == r.at.id && n.section == r.at.section {
			continue
		}
		best = max(best, h.Final)
		r.add(n, h.Final/best, "similar words")
	}
	return nil
}

// Nothing reports whether no section was found.
func (n *Neighbours) Nothing() bool { return len(n.Neighbours) == 0 }

// WriteText writes a line a section.
func (n *Neighbours) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# %s  %s\n\n", visible.Line(n.Ref), visible.Line(n.Title))
	for _, x := range n.Neighbours {
		fmt.Fprintf(b, "%s  %s  (%.2f: %s)\n", visible.Line(x.SectionID), visible.Line(x.Title), x.Score, visible.Line(strings.Join(x.Why, "; ")))
	}
	if n.Nothing() {
		b.WriteString("nothing here has to do with it\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
