package docent

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/symbol"
	"github.com/docent-md/docent/internal/text/visible"
)

// nodeDepth is the deepest heading that is a node of its own. What stands under
// deeper ones belongs to the node above.
const nodeDepth = 4

// A Node is a file, a section or a code block as a node of the graph of
// documents.
type Node struct {
	ID       string   `json:"id"`     // path, path::Heading, path::Heading::2, path::Heading::code-1
	FileID   string   `json:"fileId"` // the path
	Ref      string   `json:"ref"`
	Title    string   `json:"title"`
	Content  string   `json:"content"` // without the heading
	Level    int      `json:"level"`   // 1 for a file; of code, one more than its section
	Links    []string `json:"links"`   // the files it links to
	Language string   `json:"language,omitempty"`
	Symbols  []string `json:"symbols,omitzero"` // of code: the names it declares
	MTime    int64    `json:"mtime"`            // of the file, in milliseconds; 0 in a pack

	Next     string   `json:"next,omitempty"`   // id of the node behind it in the file
	Parent   string   `json:"parent,omitempty"` // id
	Children []string `json:"children"`         // ids: sections, then code blocks
}

// Node returns the node that a Ref or an id leads to.
func (l *Library) Node(_ context.Context, ref string) (*Node, error) {
	p, w, at, err := l.walkFrom(ref)
	if err != nil {
		return nil, err
	}
	data, err := l.text(p.known)
	if err != nil {
		return nil, err
	}
	mtime, err := l.modTime(p.known)
	if err != nil {
		return nil, err
	}
	d := markdown.Parse(p.path, data)
	ids := nodeIDs(&d)
	for at.section > 0 && ids[at.section] == "" {
		at.section = d.Sections[at.section].Parent
	}
	if at.section >= len(d.Sections) {
		return nil, fmt.Errorf("%w: section %d of %s", graph.ErrFormat, at.section, p.path)
	}
	n := &Node{FileID: p.path, Links: []string{}, Children: []string{}, MTime: mtime}
	edges, err := w.out(node{at.id, 0})
	if err != nil {
		return nil, err
	}
	if p.code > 0 {
		return n, n.code(&d, ids, at.section, p.code)
	}
	n.section(&d, ids, at.section)
	last := nextNode(ids, at.section) - 1
	seen := map[string]bool{p.path: true}
	for _, e := range edges {
		if e.State == graph.Found && e.Section >= at.section && e.Section <= last && !seen[e.To.Path] {
			seen[e.To.Path] = true
			n.Links = append(n.Links, e.To.Path)
			w.named[e.To.File] = true
		}
	}
	return n, w.standing()
}

// modTime is when a file was last changed, in milliseconds since 1970. The index
// has none for a file that had only just been written when it was read, nor for one
// in a pack.
func (l *Library) modTime(k known) (int64, error) {
	if k.file.ModTime != 0 || l.pack != nil {
		return k.file.ModTime / 1e6, nil
	}
	f, skip, err := l.source.read(k.path)
	if err != nil || skip != nil {
		return 0, err
	}
	return f.ModTime.UnixMilli(), nil
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
		id := d.Path + "::" + s.Title
		if seen[id]++; seen[id] > 1 {
			id += fmt.Sprintf("::%d", seen[id])
		}
		ids[i] = id
	}
	return ids
}

// section fills in a file or section.
func (n *Node) section(d *doc.Document, ids []string, at int) {
	s := d.Sections[at]
	n.ID, n.Title, n.Level = ids[at], s.Title, s.Level
	n.Ref = refIn(d.Path, s.Anchor)
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

// code fills in a code block of a section.
func (n *Node) code(d *doc.Document, ids []string, at, number int) error {
	s := d.Sections[at]
	blocks := codeOf(d, doc.Span{Start: s.Span.Start, End: nodeEnd(d, ids, at)})
	if number > len(blocks) {
		return noCode(doc.Ref{Path: d.Path, Anchor: s.Anchor, Code: number}, len(blocks), func(i int) string {
			return codeRef(d.Path, s.Anchor, i)
		})
	}
	b := blocks[number-1]
	n.ID, n.Parent, n.Title, n.Level = fmt.Sprintf("%s::code-%d", ids[at], number), ids[at], s.Title, s.Level+1
	n.Ref = codeRef(d.Path, s.Anchor, number)
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

// WriteText writes the node's id, what it hangs together with, and its text.
func (n *Node) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# %s\n# %s, level %d\n", visible.Line(n.ID), visible.Line(n.Ref), n.Level)
	for _, x := range []struct {
		name  string
		value string
	}{
		{"parent", n.Parent},
		{"next", n.Next},
		{"children", strings.Join(n.Children, ", ")},
		{"links", strings.Join(n.Links, ", ")},
		{"language", n.Language},
		{"symbols", strings.Join(n.Symbols, ", ")},
	} {
		if x.value != "" {
			fmt.Fprintf(b, "# %s: %s\n", x.name, visible.Line(x.value))
		}
	}
	fmt.Fprintf(b, "\n%s\n", visible.Text(n.Content))
	_, err := io.WriteString(w, b.String())
	return err
}
