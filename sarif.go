package docent

import (
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"

	"github.com/docent-md/docent/internal/text/visible"
)

// sourceRoot is what SARIF's readers call the top of the work tree. They join it
// with the uris themselves.
const sourceRoot = "%SRCROOT%"

// WriteSARIF writes the problems in the form that code hosts show beside a
// change: SARIF 2.1.0. Files are named from the top of their git work tree, which
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
	for i, k := range problemKinds {
		rule := rule{ID: k.name, ShortDescription: text{k.doc}}
		rule.Configuration.Level = k.level
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, rule)
		number[k.name] = i
	}
	for _, p := range h.Problems {
		var at location
		at.Physical.Artifact.URI = (&url.URL{Path: path.Join(h.under, p.File)}).EscapedPath()
		at.Physical.Artifact.BaseID = sourceRoot
		at.Physical.Region.StartLine = p.Line
		r.Results = append(r.Results, result{p.Kind, number[p.Kind], p.Level, text{visible.Line(p.Message)}, []location{at}})
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

// underTop is the path of a folder within the git work tree it lies in, "" where
// it is its top or lies in none. It is found by the .git that every work tree
// has, a folder or a file, so that no git need be there to run.
func underTop(dir string) string {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			under, err := filepath.Rel(top, dir)
			if err != nil || under == "." {
				return ""
			}
			return filepath.ToSlash(under)
		}
		if filepath.Dir(top) == top {
			return ""
		}
	}
}
