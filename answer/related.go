package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/visible"
)

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
	_, err := io.WriteString(w, b.String())
	return err
}
