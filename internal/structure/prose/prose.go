// Package prose checks documents against the source: that lines are not too
// long, that every package is named, and that what a document names exists and
// is reached by the program.
package prose

import "fmt"

// A Fault is something a document should not say, or not so.
type Fault struct {
	Line int // from 1; 0 for the document as a whole
	Text string
}

func (f Fault) String() string {
	if f.Line == 0 {
		return f.Text
	}
	return fmt.Sprintf("%d: %s", f.Line, f.Text)
}
