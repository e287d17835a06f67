package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/visible"
)

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
	_, err := io.WriteString(w, b.String())
	return err
}
