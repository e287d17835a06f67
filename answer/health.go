package answer

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
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
	return flush(w, b)
}

// sourceRoot is what SARIF's readers call the top of the work tree. They join it
// with the uris themselves.
const sourceRoot = "%SRCROOT%"

// WriteSARIF writes the problems in SARIF 2.1.0, which code hosts show with a
// change. Files are named from the top of their git work tree, which
// is what code hosts look them up by; outside of one, from the corpus.
func (h *Health) WriteSARIF(w io.Writer) error {
	type text struct {
		Text string `json:"text"`
	}
	type rule struct {
		ID               string `json:"id"`
		ShortDescription text   `json:"shortDescription"`
		Configuration    struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	type location struct {
		Physical struct {
			Artifact struct {
				URI    string `json:"uri"`
				BaseID string `json:"uriBaseId"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine int `json:"startLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
	type result struct {
		RuleID    string     `json:"ruleId"`
		RuleIndex int        `json:"ruleIndex"`
		Level     string     `json:"level"`
		Message   text       `json:"message"`
		Locations []location `json:"locations"`
	}
	type run struct {
		Tool struct {
			Driver struct {
				Name  string `json:"name"`
				Rules []rule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []result `json:"results"`
	}
	r := run{Results: []result{}}
	r.Tool.Driver.Name = "docent"
	number := map[string]int{}
	for i, k := range AllProblemKinds {
		rule := rule{ID: k.Name, ShortDescription: text{Text: k.doc}}
		rule.Configuration.Level = k.Level
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, rule)
		number[k.Name] = i
	}
	for _, p := range h.Problems {
		var at location
		at.Physical.Artifact.URI = (&url.URL{Path: path.Join(h.Under, p.File)}).EscapedPath()
		at.Physical.Artifact.BaseID = sourceRoot
		at.Physical.Region.StartLine = p.Line
		r.Results = append(r.Results, result{RuleID: p.Kind, RuleIndex: number[p.Kind], Level: p.Level, Message: text{Text: visible.Line(p.Message)}, Locations: []location{at}})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []run{r}})
}
