// Package measure computes from the source what CONTRIBUTING.md asks of its
// structure: sizes, names, cycles and complexity. Each measure is one function
// from a module to a Row.
package measure

import (
	"fmt"
	"io"
	"io/fs"
	"text/tabwriter"

	"github.com/docent-md/docent/internal/structure/code"
)

// A Row is one requirement: what was measured and how much it may be.
type Row struct {
	Name      string   `json:"name"`
	Most      int      `json:"most"`
	Value     int      `json:"value"`
	Fault     string   `json:"fault,omitempty"`     // why it is not met, whatever the value
	Offenders []string `json:"offenders,omitempty"` // what makes the value, worst first
}

// Over reports whether the requirement is not met.
func (r Row) Over() bool { return r.Most != NoLimit && r.Value > r.Most || r.Fault != "" }

// NoLimit is the Most of a row that only tells.
const NoLimit = -1

// All measures a type-checked module whose files are in fsys.
func All(m *code.Module, fsys fs.FS) []Row {
	rows := append(
		rootSize(m),
		libraryMethods(m), otherMethods(m), withoutContext(m), largestCycle(m), largePackages(m), complexFunctions(m),
	)
	rows = append(rows, productLines(m)...)
	return append(rows, queryPath(fsys))
}

// WriteTable prints rows as a table and, below it, what is over because of what.
func WriteTable(w io.Writer, rows []Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "requirement\tat most\tis\t")
	for _, r := range rows {
		verdict := "ok"
		if r.Over() {
			verdict = "over"
		}
		most := fmt.Sprint(r.Most)
		if r.Most == NoLimit {
			most, verdict = "-", ""
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", r.Name, most, r.Value, verdict)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Over() {
			writeOffenders(w, r)
		}
	}
	return nil
}

// shown and width bound what the table says of a row; JSON has all.
const (
	shown = 12
	width = 118
)

func writeOffenders(w io.Writer, r Row) {
	if r.Fault == "" && len(r.Offenders) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s: %s\n", r.Name, r.Fault)
	for _, line := range r.Offenders[:min(shown, len(r.Offenders))] {
		if len(line) > width {
			line = line[:width-3] + "..."
		}
		fmt.Fprintf(w, "  %s\n", line)
	}
	if more := len(r.Offenders) - shown; more > 0 {
		fmt.Fprintf(w, "  and %d more, which -json lists\n", more)
	}
}
