package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Problem is something wrong with the documents.
type Problem struct {
	Kind    string `json:"kind"`  // one of ProblemKinds
	Level   string `json:"level"` // error or warning
	File    string `json:"file"`
	Line    int    `json:"line"`
	Ref     string `json:"ref"` // the section it is in
	Message string `json:"message"`
}

// A ProblemKind is a kind of Problem.
type ProblemKind struct{ Name, Level, doc string }

// AllProblemKinds are what a check looks for. Errors are what a reader runs into;
// warnings are what an author may have meant.
var AllProblemKinds = []ProblemKind{
	{"broken-link", "error", "a link leads to a document that is not there"},
	{"broken-anchor", "error", "a link leads to a section that is not there"},
	{"outside", "error", "a link climbs out of the documents"},
	{"missing-image", "error", "an image is not there"},
	{"missing-file", "error", "a file that is linked is not there"},
	{"unresolved-reference", "warning", "words such as \"see section 2.1\" name a section that is not there"},
	{"duplicate-anchor", "warning", "two places of a document have the same name, so that a link finds only the first"},
	{"duplicate-title", "warning", "two documents have the same title"},
	{"orphan", "warning", "no other document links to this one"},
}

// ProblemKinds are the names of what a check looks for.
func ProblemKinds() []string {
	names := make([]string, len(AllProblemKinds))
	for i, k := range AllProblemKinds {
		names[i] = k.Name
	}
	return names
}

// A Health is what a check found.
type Health struct {
	Files    int       `json:"files"`
	Links    int       `json:"links"`
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Problems []Problem `json:"problems"` // in the order of files and lines
	Note     string    `json:"note,omitempty"`

	Under string `json:"-"` // path of the corpus in its git work tree
}

func (h *Health) Add(p Problem) {
	h.Problems = append(h.Problems, p)
	if p.Level == "error" {
		h.Errors++
	} else {
		h.Warnings++
	}
}

// Broken reports whether there are errors.
func (h *Health) Broken() bool { return h.Errors > 0 }

// WriteText writes a line a problem, as compilers do, and a line that sums up.
func (h *Health) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, p := range h.Problems {
		fmt.Fprintf(b, "%s:%d: %s: %s\n", visible.Line(p.File), p.Line, p.Kind, visible.Line(p.Message))
	}
	if h.Note != "" {
		fmt.Fprintln(b, h.Note)
	}
	fmt.Fprintf(b, "%s and %s in %s with %s\n", human.Plural(h.Errors, "error"), human.Plural(h.Warnings, "warning"),
		human.Plural(h.Files, "file"), human.Plural(h.Links, "link"))
	_, err := io.WriteString(w, b.String())
	return err
}
