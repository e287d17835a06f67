package docent

import (
	"encoding/json"
	"io"
	"net/url"
)

// WriteSARIF writes the problems in the form that code hosts show beside a
// change: SARIF 2.1.0.
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
				URI string `json:"uri"`
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
		at.Physical.Artifact.URI = (&url.URL{Path: p.File}).EscapedPath()
		at.Physical.Region.StartLine = p.Line
		r.Results = append(r.Results, result{p.Kind, number[p.Kind], p.Level, text{cleanLine(p.Message)}, []location{at}})
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
