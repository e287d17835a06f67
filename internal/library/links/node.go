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

// nodeDepth is the deepest heading level that is a node of its own. Deeper sections
// belong to the node above.
const nodeDepth = 4

// NodeAt returns the node that a Ref or an id leads to.
func NodeAt(_ context.Context, v *snapshot.View, ref string) (*answer.Node, error) {
	p, w, at, err := walkFrom(v, ref)
	if err != nil {
		return nil, err
	}
	data, err := v.Text(p.File)
	if err != nil {
		return nil, err
	}
	mtime, err := v.Origin.ModTime(p.File)
	if err != nil {
		return nil, err
	}
	d := markdown.Parse(p.Path, data)
	ids := nodeIDs(&d)
	for at.Section > 0 && ids[at.Section] == "" {
		at.Section = d.Sections[at.Section].Parent
	}
	if at.Section >= len(d.Sections) {
		return nil, fmt.Errorf("%w: section %d of %s", graph.ErrFormat, at.Section, p.Path)
	}
	n := &answer.Node{FileID: p.Path, Links: []string{}, Children: []string{}, MTime: mtime}
	edges, err := w.Out(Node{at.ID, 0})
	if err != nil {
		return nil, err
	}
	if p.Code > 0 {
		return n, nodeCode(n, &d, ids, at.Section, p.Code)
	}
	nodeSection(n, &d, ids, at.Section)
	last := nextNode(ids, at.Section) - 1
	seen := map[string]bool{p.Path: true}
	for _, e := range edges {
		if e.State == graph.Found && e.Section >= at.Section && e.Section <= last && !seen[e.To.Path] {
			seen[e.To.Path] = true
			n.Links = append(n.Links, e.To.Path)
			w.cited[e.To.File] = true
		}
	}
	return n, w.checkCited()
}

// nodeIDs are the ids of the sections of a document; "" for those that are no
// nodes.
func nodeIDs(d *doc.Document) []string {
	ids := make([]string, len(d.Sections))
	seen := map[string]int{}
	for i, s := range d.Sections {
		if i == 0 {
			ids[i] = d.Path
			continue
		}
		if s.Level > nodeDepth {
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
