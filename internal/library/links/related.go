package links

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/portable"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/symbol"
	"github.com/docent-md/docent/internal/text/words"
)

// Related finds sections related to the one a Ref leads to: by links in either
// direction, by rare names that the code in both has, and by words. Each of the three
// counts at most 1.
func Related(ctx context.Context, v *snapshot.View, ref string, limit int) (*answer.Neighbours, error) {
	if limit < 0 || limit > maxRelated {
		return nil, fmt.Errorf("%d sections: must lie between 1 and %d", limit, maxRelated)
	}
	_, w, at, err := walkFrom(v, ref)
	if err != nil {
		return nil, err
	}
	f, err := w.file(at.ID)
	if err != nil {
		return nil, err
	}
	r := &relatedFinder{w: w, v: v, at: at, last: place.LastUnder(f.sections, at.Section), scores: map[Node]*answer.Neighbour{}, code: map[graph.ID]codeSections{}}
	for _, by := range []func(context.Context) error{r.byLinks, r.byCode, r.byWords} {
		if err := by(ctx); err != nil {
			return nil, err
		}
	}
	out := &answer.Neighbours{Ref: w.ref(at), Title: w.title(at), Neighbours: []answer.Neighbour{}}
	for _, n := range r.scores {
		out.Neighbours = append(out.Neighbours, *n)
	}
	slices.SortFunc(out.Neighbours, func(a, b answer.Neighbour) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.SectionID, b.SectionID))
	})
	if limit = cmp.Or(limit, 10); limit < len(out.Neighbours) {
		out.Neighbours, out.Beyond = out.Neighbours[:limit], len(out.Neighbours)-limit
	}
	return out, w.checkCited()
}

// A relatedFinder scores the sections related to one.
type relatedFinder struct {
	w      *Walk
	v      *snapshot.View
	at     Node
	last   int // the last section under it
	scores map[Node]*answer.Neighbour
	code   map[graph.ID]codeSections // of files with names that were looked for
}

func (r *relatedFinder) add(n Node, score float64, why string) {
	if n.ID == r.at.ID && n.Section >= r.at.Section && n.Section <= r.last {
		return
	}
	have, ok := r.scores[n]
	if !ok {
		have = &answer.Neighbour{SectionID: r.w.ref(n), Title: r.w.title(n)}
		r.scores[n] = have
	}
	have.Score += score
	have.Why = append(have.Why, why)
}

func (r *relatedFinder) byLinks(context.Context) error {
	seen := map[Node]int{} // bits: links out, links in
	out, err := r.w.Out(r.at)
	if err != nil {
		return err
	}
	in, err := r.w.In(r.at)
	if err != nil {
		return err
	}
	for _, e := range out {
		if e.State == graph.Found {
			seen[Node{e.To.File, max(e.To.Section, 0)}] |= 1
		}
	}
	for _, e := range in {
		seen[Node{e.From.File, max(e.From.Section, 0)}] |= 2
	}
	for n, bits := range seen {
		switch bits {
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

// maxRelated is the most sections that can be asked for.
const maxRelated = 200

// commonName is how many blocks may have a name before it is too common to count.
const commonName = 50

// maxNames is about how many names of a document are looked for in others.
const maxNames = 10_000

func (r *relatedFinder) byCode(ctx context.Context) error {
	d, err := r.w.Doc(r.at.ID)
	if err != nil || r.last >= len(d.Sections) {
		return err
	}
	names := map[string]bool{}
	var scan symbol.Scanner
	for _, b := range codeOf(d, doc.Span{Start: d.Sections[r.at.Section].Span.Start, End: d.Sections[r.last].Span.End}) {
		if len(names) > maxNames {
			break
		}
		found := scan.Scan(symbol.Language(b.Info), markdown.Code(d, &b))
		for _, list := range [][]string{found.Declared, found.Keys, found.Used} {
			for _, n := range list {
				if len(n) > 2 {
					names[n] = true
				}
			}
		}
	}
	type shared struct {
		weight float64
		names  []string
	}
	by := map[Node]*shared{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		nodes, err := r.nodesWith(name)
		if err != nil {
			return err
		}
		for _, n := range nodes {
			if by[n] == nil {
				by[n] = &shared{}
			}
			by[n].weight += 1 / portable.Log2(float64(len(nodes))+1)
			by[n].names = append(by[n].names, name)
		}
	}
	for n, s := range by {
		r.add(n, 1-1/(1+s.weight), "shares "+strings.Join(s.names[:min(len(s.names), 4)], ", "))
	}
	return nil
}

// nodesWith are the sections with code that has a name, each once; none when the
// name is common.
func (r *relatedFinder) nodesWith(name string) ([]Node, error) {
	var out []Node
	alive := 0
	for i, s := range r.v.Segments {
		code, err := s.Code()
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
			if s.Dead[row] {
				continue
			}
			if alive++; alive > commonName {
				return nil, nil
			}
			id := graph.ID{Segment: i, Row: row}
			in, ok := r.code[id]
			if !ok {
				if in, err = newCodeSections(code, row); err != nil {
					return nil, err
				}
				r.code[id] = in
			}
			if h.Block-in.first >= len(in.sections) {
				return nil, snippet.ErrFormat
			}
			n := Node{id, int(in.sections[h.Block-in.first])}
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out, nil
}

// codeSections are the sections that the blocks of a file are in. They are read once for all
// names: the page of a document of 100,000 blocks with a name each was not done after ten minutes.
type codeSections struct {
	first    int // number of the first block
	sections []int32
}

func newCodeSections(code *snippet.Reader, row int) (codeSections, error) {
	first, blocks, err := code.InFile(row)
	out := codeSections{first, make([]int32, len(blocks))}
	for i, b := range blocks {
		out.sections[i] = int32(b.Section)
	}
	return out, err
}

// byWords searches for the title and first sentence of the section.
func (r *relatedFinder) byWords(context.Context) error {
	about, err := r.w.summary(r.at)
	if err != nil {
		return err
	}
	// It is words that are asked for, not a question with operators.
	hits, _, err := retrieve.Lexical(r.v, answer.Query{}, index.Parse(words.Slug(about)), retrieve.Pool, 20)
	if err != nil || len(hits) == 0 {
		return err
	}
	best := 0.
	for _, h := range hits[:min(len(hits), 20)] {
		n := Node{h.ID(), h.Named - h.File.FirstSection}
		if n.ID == r.at.ID && n.Section == r.at.Section {
			continue
		}
		best = max(best, h.Final)
		r.add(n, h.Final/best, "similar words")
	}
	return nil
}
