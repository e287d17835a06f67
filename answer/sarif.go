package answer

import (
	"encoding/json"
	"io"
	"net/url"
	"path"

	"github.com/docent-md/docent/internal/text/visible"
)

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
