package links

import (
	"context"
	"fmt"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/symbol"
)

// nodeDepth is the deepest heading level that is a node of its own, unless the config
// says chunkDepth. Deeper sections belong to the node above.
const nodeDepth = 4

// NodeAt returns the node that a Ref or an id leads to.
func NodeAt(_ context.Context, v *snapshot.View, ref string) (*answer.Node, error) {
	p, w, at, err := walkFrom(v, ref)
	if err != nil {
		return nil, err
	}
	g, err := newNodes(v, w, p.File)
	if err != nil {
		return nil, err
	}
	for at.Section > 0 && at.Section < len(g.ids) && g.ids[at.Section] == "" {
		at.Section = g.d.Sections[at.Section].Parent
	}
	if at.Section >= len(g.d.Sections) {
		return nil, fmt.Errorf("%w: section %d of %s", graph.ErrFormat, at.Section, p.Path)
	}
	if p.Code > 0 {
		return g.code(at.Section, p.Code)
	}
	n := g.section(at.Section)
	return n, w.checkCited()
}

// nodes makes the nodes of one file.
type nodes struct {
	w     *Walk
	d     doc.Document
	ids   []string // of its sections; "" for those that are no nodes
	edges []graph.Edge
	mtime int64
}

func newNodes(v *snapshot.View, w *Walk, f snapshot.File) (*nodes, error) {
	data, err := v.Text(f)
	if err != nil {
		return nil, err
	}
	g := &nodes{w: w, d: markdown.Parse(f.Path, data)}
	if g.mtime, err = v.Origin.ModTime(f); err != nil {
		return nil, err
	}
	depth := nodeDepth
	if v.Corpus.Config.Says("chunkDepth") {
		depth = v.Corpus.Config.ChunkDepth
	}
	g.ids = nodeIDs(&g.d, depth)
	g.edges, err = w.Out(Node{f.ID(), 0})
	return g, err
}

// section is the node of a file or section.
func (g *nodes) section(at int) *answer.Node {
	n := &answer.Node{FileID: g.d.Path, Links: []string{}, Children: []string{}, MTime: g.mtime}
	nodeSection(n, &g.d, g.ids, at)
	last := nextNode(g.ids, at) - 1
	seen := map[string]bool{g.d.Path: true}
	for _, e := range g.edges {
		if e.State == graph.Found && e.Section >= at && e.Section <= last && !seen[e.To.Path] {
			seen[e.To.Path] = true
			n.Links = append(n.Links, e.To.Path)
			g.w.cited[e.To.File] = true
		}
	}
	return n
}

// code is the node of a code block of a section, by its number from 1.
func (g *nodes) code(at, number int) (*answer.Node, error) {
	n := &answer.Node{FileID: g.d.Path, Links: []string{}, Children: []string{}, MTime: g.mtime}
	return n, nodeCode(n, &g.d, g.ids, at, number)
}

// nodeIDs are the ids of the sections of a document; "" for those that are no
// nodes.
func nodeIDs(d *doc.Document, depth int) []string {
	ids := make([]string, len(d.Sections))
	seen := map[string]int{}
	for i, s := range d.Sections {
		if i == 0 {
			ids[i] = d.Path
			continue
		}
		if s.Level > depth {
			continue
		}
		id := doc.Ref{Path: d.Path}.String() + "::" + s.Title
		if seen[id]++; seen[id] > 1 {
			id += fmt.Sprintf("::%d", seen[id])
		}
		ids[i] = id
	}
	return ids
}

// nodeSection fills in a file or section.
func nodeSection(n *answer.Node, d *doc.Document, ids []string, at int) {
	s := d.Sections[at]
	n.ID, n.Title, n.Level = ids[at], s.Title, s.Level
	n.Ref = answer.RefIn(d.Path, s.Anchor)
	start, end := s.Span.Start, nodeEnd(d, ids, at)
	if s.Heading >= 0 {
		start = d.Headings[s.Heading].Span.End
	}
	n.Content = strings.Trim(string(d.Source[start:end]), "\n")
	if next := nextNode(ids, at); next < len(ids) {
		n.Next = ids[next]
	}
	if s.Parent >= 0 {
		n.Parent = ids[s.Parent]
	}
	for i := at + 1; i < s.End; i++ {
		if ids[i] != "" && d.Sections[i].Parent == at {
			n.Children = append(n.Children, ids[i])
		}
	}
	for i := range codeOf(d, doc.Span{Start: s.Span.Start, End: end}) {
		n.Children = append(n.Children, fmt.Sprintf("%s::code-%d", n.ID, i+1))
	}
}

// nextNode is the section behind a node that is a node itself.
func nextNode(ids []string, at int) int {
	for at++; at < len(ids) && ids[at] == ""; at++ {
	}
	return at
}

// nodeEnd is where the text of a node ends.
func nodeEnd(d *doc.Document, ids []string, at int) int {
	return d.Sections[nextNode(ids, at)-1].Span.End
}

// nodeCode fills in a code block of a section.
func nodeCode(n *answer.Node, d *doc.Document, ids []string, at, number int) error {
	s := d.Sections[at]
	blocks := codeOf(d, doc.Span{Start: s.Span.Start, End: nodeEnd(d, ids, at)})
	if number > len(blocks) {
		return place.NoCode(doc.Ref{Path: d.Path, Anchor: s.Anchor, Code: number}, len(blocks), func(i int) string {
			return answer.CodeRef(d.Path, s.Anchor, i)
		})
	}
	b := blocks[number-1]
	n.ID, n.Parent, n.Title, n.Level = fmt.Sprintf("%s::code-%d", ids[at], number), ids[at], s.Title, s.Level+1
	n.Ref = answer.CodeRef(d.Path, s.Anchor, number)
	code := markdown.Code(d, &b)
	n.Content = strings.TrimSuffix(string(code), "\n")
	n.Language = symbol.Language(b.Info)
	n.Symbols = symbol.Scan(n.Language, code).Declared
	if n.Symbols == nil {
		n.Symbols = []string{}
	}
	if number < len(blocks) {
		n.Next = fmt.Sprintf("%s::code-%d", ids[at], number+1)
	}
	return nil
}

// codeOf are the code blocks in a span of a document.
func codeOf(d *doc.Document, span doc.Span) []doc.Block {
	var out []doc.Block
	for _, b := range d.Blocks {
		if b.Kind == doc.Fence && b.Span.Start >= span.Start && b.Span.Start < span.End {
			out = append(out, b)
		}
	}
	return out
}
