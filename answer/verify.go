package answer

import (
	"fmt"
	"io"

	"github.com/docent-md/docent/internal/text/visible"
)

// What became of a citation.
const (
	Same    = "same"    // the text is where it was
	Moved   = "moved"   // the same text is elsewhere
	Changed = "changed" // its section is there, with another text
	Gone    = "gone"    // neither the text nor its section is there
)

// A Verdict is what "docent verify" finds out about a citation.
type Verdict struct {
	Citation string `json:"citation"`
	Status   string `json:"status"`
	Now      string `json:"now,omitempty"` // the citation as it would be written today
}

// Empty reports whether the cited text does not exist any more.
func (v *Verdict) Empty() bool { return v.Status == Changed || v.Status == Gone }

// WriteText writes the verdict on one line.
func (v *Verdict) WriteText(w io.Writer) error {
	line := v.Status
	if v.Now != "" && v.Status != Same {
		line += " " + visible.Line(v.Now)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
