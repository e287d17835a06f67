package answer

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Reference is a link between two sections, seen from one of them.
type Reference struct {
	SectionID *string `json:"section_id"` // the Ref of the other section; null when there is none
	Title     string  `json:"title"`      // its title
	RefText   string  `json:"ref_text"`   // the link as the reader sees it
	From      string  `json:"from"`       // where it is: path#anchor:line
	Summary   string  `json:"summary,omitempty"`
	Kind      string  `json:"kind,omitempty"`   // reference, auto, wiki, macro or text, when it is no plain link
	State     string  `json:"state,omitempty"`  // no anchor, missing, asset, outside or external, when it leads to no section
	Target    string  `json:"target,omitempty"` // then also what is written there
}

// Links are the references of a place, and those that lead to it.
type Links struct {
	Ref        string      `json:"ref"`
	Title      string      `json:"title"`
	Out        []Reference `json:"out"`
	In         []Reference `json:"in"`
	Unresolved []Reference `json:"unresolved"` // whose file or section does not exist
	External   []Reference `json:"external"`   // that lead out of the corpus: recorded, never followed
	Reached    []Step      `json:"reached,omitempty"`
}

// A Step is a section that a walk along the links came to.
type Step struct {
	SectionID string `json:"section_id"`
	Title     string `json:"title"`
	Depth     int    `json:"depth"`    // how many links away
	From      string `json:"from"`     // the Ref of the section that links to it
	RefText   string `json:"ref_text"` // and the text of that link
}

// Empty reports whether no link was found at all.
func (l *Links) Empty() bool {
	return len(l.Out)+len(l.In)+len(l.Unresolved)+len(l.External) == 0
}

// WriteText writes a line a link.
func (l *Links) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# %s  %s\n", visible.Line(l.Ref), visible.Line(l.Title))
	writeReferences(b, "links to", l.Out, 0)
	writeReferences(b, "linked from", l.In, 0)
	writeReferences(b, "lead nowhere", l.Unresolved, 0)
	writeReferences(b, "outside", l.External, 0)
	if len(l.Reached) > 0 {
		fmt.Fprintf(b, "\nreached:\n")
		for _, s := range l.Reached {
			fmt.Fprintf(b, "  %d  %s  %s  (from %s)\n", s.Depth, visible.Line(s.SectionID), visible.Line(s.Title), visible.Line(s.From))
		}
	}
	if l.Empty() {
		b.WriteString("\nno links out of it, and none to it\n")
	}
	return flush(w, b)
}

// writeReferences writes at most limit references, a line each; 0 means all.
func writeReferences(b *strings.Builder, name string, refs []Reference, limit int) {
	if len(refs) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", name)
	for i, r := range refs {
		if limit > 0 && i == limit {
			fmt.Fprintf(b, "  and %d more\n", len(refs)-i)
			return
		}
		to := clip(r.Target)
		if r.SectionID != nil {
			to = *r.SectionID
		}
		line := "  " + visible.Line(to)
		if note := visible.Line(r.note()); note != "" {
			line += "  " + note
		}
		fmt.Fprintln(b, line)
	}
}

// clip cuts a target that nobody can read: 50,000 links may share one of a kilobyte.
func clip(target string) string {
	const most = 200
	if len(target) <= most {
		return target
	}
	return strings.ToValidUTF8(target[:most], "") + "…"
}

// note gives the title of a reference's target or, of an unresolved one, why it is and
// where.
func (r Reference) note() string {
	switch {
	case r.State != "" && r.State != "external":
		return fmt.Sprintf("%s, in %s", r.State, r.From)
	case r.Summary != "":
		return r.Summary
	case r.Title != "" && r.RefText != "" && !strings.EqualFold(r.Title, r.RefText):
		return fmt.Sprintf("%s (%q)", r.Title, r.RefText)
	}
	return cmp.Or(r.Title, r.RefText)
}

// A Neighbour is a section related to another.
type Neighbour struct {
	SectionID string   `json:"section_id"`
	Title     string   `json:"title"`
	Score     float64  `json:"score"`
	Why       []string `json:"why"`
}

// Neighbours are the sections related to one, nearest first.
type Neighbours struct {
	Ref        string      `json:"ref"`
	Title      string      `json:"title"`
	Neighbours []Neighbour `json:"neighbours"`
	Beyond     int         `json:"beyond_limit,omitempty"` // further sections that the limit had no place for
}

// Empty reports whether no section was found.
func (n *Neighbours) Empty() bool { return len(n.Neighbours) == 0 }

// WriteText writes a line a section.
func (n *Neighbours) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# %s  %s\n\n", visible.Line(n.Ref), visible.Line(n.Title))
	for _, x := range n.Neighbours {
		fmt.Fprintf(b, "%s  %s  (%.2f: %s)\n", visible.Line(x.SectionID), visible.Line(x.Title), x.Score, visible.Line(strings.Join(x.Why, "; ")))
	}
	if n.Empty() {
		b.WriteString("nothing here has to do with it\n")
	}
	if n.Beyond > 0 {
		fmt.Fprintf(b, "\nleft out by the limit: %d more\n", n.Beyond)
	}
	return flush(w, b)
}

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

	Embedding     []float32 `json:"embedding,omitempty"`     // in a Graph
	FileEmbedding []float32 `json:"fileEmbedding,omitempty"` // in a Graph, of a file

	Next     string   `json:"next,omitempty"`   // id of the node behind it in the file
	Parent   string   `json:"parent,omitempty"` // id
	Children []string `json:"children"`         // ids: sections, then code blocks
}

// WriteText writes the node's id, its neighbours and links, and its text.
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
	return flush(w, b)
}

// GraphOptions say what a Graph holds. The zero value is all nodes without embeddings.
type GraphOptions struct {
	Paths      []string // only these files, and those below these folders; nil means all
	Embeddings bool     // with embeddings, if the index has any
}

// A Graph is the documents as nodes and edges.
type Graph struct {
	Model string      `json:"model,omitempty"` // fingerprint of what made the embeddings
	Nodes []Node      `json:"nodes"`           // in the order of paths, and within a file in reading order
	Edges []GraphEdge `json:"edges"`
}

// The kinds of edges.
const (
	SiblingEdge = "sibling"    // to the next node in the same file
	FileEdge    = "cross-file" // to the root of a file that is linked to
)

// A GraphEdge leads from one node to another, by their ids.
type GraphEdge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Kind string `json:"kind"`
}

// Empty reports whether there are no nodes.
func (g *Graph) Empty() bool { return len(g.Nodes) == 0 }

// WriteText writes a line a node: its id, level and links; and the sums.
func (g *Graph) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, n := range g.Nodes {
		fmt.Fprintf(b, "%s  (level %d", visible.Line(n.ID), n.Level)
		if len(n.Links) > 0 {
			fmt.Fprintf(b, ", links to %s", visible.Line(strings.Join(n.Links, ", ")))
		}
		b.WriteString(")\n")
	}
	fmt.Fprintf(b, "\n%s, %s\n", human.Plural(len(g.Nodes), "node"), human.Plural(len(g.Edges), "edge"))
	return flush(w, b)
}
