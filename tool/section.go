package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type sectionInput struct {
	Ref    string  `json:"ref" arg:"ref" doc:"a section: guide/auth.md#jwt, guide/auth.md::JWT Tokens"`
	Refs   Strings `json:"refs,omitempty" arg:"refs..." doc:"further sections to get in the same call"`
	Budget int     `json:"budget,omitempty" flag:"budget" doc:"most tokens; sections that do not fit are named with their sizes"`
	Around bool    `json:"around,omitempty" flag:"around" doc:"also its parent, siblings and children, what it links to and what links to it"`
}

var sectionOp = operation[sectionInput]{
	Tool: Tool{
		Name:     "section",
		Doc:      "get one section whole",
		Group:    Ask,
		Everyday: true,
		Help: `Print one section whole, with everything under it. With --around, also the Refs and
prices of its parent, children and siblings, what it links to and what links to it; JSON
has these always. A section can be named by its anchor, the text of its heading, or its
number. Several are printed in one call; with --budget, those that do not fit are named
with their sizes.`,
		Example: `  docent section guide/auth.md#jwt-tokens
  docent section 'JWT Tokens' --around
  docent section guide/auth.md#jwt-tokens guide/keys.md#rotate --budget 1500
  docent section 'guide/auth.md::JWT Tokens' --json`,
		Stores:  AnyStore,
		RefArg:  true,
		Aliases: []string{"get_section"},
		Agent: Agent{
			Default:  true,
			Name:     "get_section",
			Doc:      "Read a whole section.",
			Params:   []Param{{"ref", "path.md#anchor, or path.md::Heading text; refs: several"}, {"around", "its neighbours"}},
			Optional: []string{"ref"},
			Own: []Field{
				{Name: "source_id", Kind: "string", Doc: "path"},
				{Name: "section_id", Kind: "string", Doc: "anchor or Ref"},
				{Name: "format", Kind: "string", Enum: []string{"text", "json"}},
			},
		},
	},
	Translate: func(given map[string]json.RawMessage) bool { return sourceToRef(given) || refsToRef(given) },
	Run: func(ctx context.Context, lib *docent.Library, in sectionInput) (Answer, error) {
		if len(in.Refs) > 0 || in.Budget > 0 {
			if in.Around {
				return nil, errors.New("section: around is for one section without a budget")
			}
			return lib.Several(ctx, answer.Places{For: answer.ForSections, Refs: append([]string{in.Ref}, in.Refs...), Budget: in.Budget})
		}
		return lib.Section(ctx, in.Ref, answer.SectionOptions{Around: in.Around})
	},
}

// sourceToRef replaces source_id and section_id by a Ref.
func sourceToRef(given map[string]json.RawMessage) bool {
	file, hasFile := given["source_id"]
	section, hasSection := given["section_id"]
	if !hasFile && !hasSection || given["ref"] != nil {
		return false
	}
	var f, s string
	if hasFile && json.Unmarshal(file, &f) != nil || hasSection && json.Unmarshal(section, &s) != nil {
		return false
	}
	delete(given, "source_id")
	delete(given, "section_id")
	given["ref"], _ = json.Marshal(SourceRef(f, s))
	return true
}

// SourceRef returns the Ref that source_id and section_id name: a path, and an anchor
// in it or a whole Ref. Either may be empty.
func SourceRef(file, section string) string {
	switch {
	case file == "" || strings.HasPrefix(section, file) || strings.Contains(section, ":"+file):
		return section
	case section == "":
		return file
	}
	return file + "#" + strings.TrimPrefix(section, "#")
}
