package answer

import (
	"fmt"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Via says through which link an answer was widened by a section.
type Via struct {
	From    string `json:"from"`     // where the link is
	RefText string `json:"ref_text"` // what the reader sees of it
	Depth   int    `json:"depth"`    // how many links away from a hit
}

// through says how a hit came into the answer.
func (v *Via) through() string {
	return fmt.Sprintf("through the link %q in %s", visible.Line(v.RefText), visible.Line(v.From))
}

// RefIn is the Ref of a section in a file.
func RefIn(path, anchor string) string { return doc.Ref{Path: path, Anchor: anchor}.String() }
