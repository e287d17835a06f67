package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent"
)

// table lists the operations, those an agent needs first before the others.
func table() []row {
	return []row{
		&searchOp,
		&sectionOp,
		&readOp,
		&grepOp,
		&tocOp,
		&examplesOp,
		&linksOp,
		&nodeOp,
		&graphOp,
		&relatedOp,
		&filesOp,
		&fieldsOp,
		&snippetsOp,
		&explainOp,
		&checkOp,
		&changesOp,
		&listOp,
		&infoOp,
		&lsOp,
		&statsOp,
		&statusOp,
		&citeOp,
		&verifyOp,
		&indexDocsOp,
		&markdownSearchOp,
	}
}

// All returns the operations in the order of the table, but for those on demand.
func All() []Tool {
	var out []Tool
	for _, r := range table() {
		if !r.about().OnDemand {
			out = append(out, r.tool())
		}
	}
	return out
}

// Find returns the operation of that name or alias.
func Find(name string) (Tool, error) {
	rows := table()
	for _, r := range rows {
		if r.about().Name == name {
			return r.tool(), nil
		}
	}
	var names []string
	for _, r := range rows {
		t := r.about()
		if t.hasAlias(name) {
			return r.tool(), nil
		}
		if !t.OnDemand {
			names = append(names, t.Name)
		}
	}
	return Tool{}, fmt.Errorf("%w: %s (there are %s)", ErrUnknown, name, strings.Join(names, ", "))
}

// Call runs the operation of that name with its parameters as a JSON object.
func Call(ctx context.Context, lib *docent.Library, name string, params []byte) (Answer, error) {
	t, err := Find(name)
	if err != nil {
		return nil, err
	}
	return t.Call(ctx, lib, params)
}

// Formats are the shapes in which Definitions describes the tools.
var Formats = []string{"anthropic", "openai", "mcp"}

// Definitions returns the tool list ready to be passed to a model's API, in the
// shape of one of Formats: the tools of those names or, with none, the few that an agent
// needs, as the MCP server has them. "all" stands for all tools.
func Definitions(format string, names ...string) ([]any, error) {
	if !slices.Contains(Formats, cmp.Or(format, Formats[0])) {
		return nil, fmt.Errorf("unknown format %q: must be one of %s", format, strings.Join(Formats, ", "))
	}
	chosen, err := choose(names)
	if err != nil {
		return nil, err
	}
	var out []any
	for _, t := range chosen {
		about := t.AgentDoc()
		switch format {
		case "openai":
			type function struct {
				Name        string `json:"name"`
				Description string `json:"description"`
				Parameters  Schema `json:"parameters"`
			}
			out = append(out, struct {
				Type     string   `json:"type"`
				Function function `json:"function"`
			}{"function", function{t.Name, about, t.AgentSchema()}})
		case "mcp":
			out = append(out, struct {
				Name        string `json:"name"`
				Description string `json:"description"`
				InputSchema Schema `json:"inputSchema"`
			}{t.Name, about, t.AgentSchema()})
		default:
			out = append(out, struct {
				Name        string `json:"name"`
				Description string `json:"description"`
				InputSchema Schema `json:"input_schema"`
			}{t.Name, about, t.AgentSchema()})
		}
	}
	return out, nil
}

// choose returns the tools of some names, in the order of the table.
func choose(names []string) ([]Tool, error) {
	wanted := map[string]bool{}
	for _, name := range names {
		if name == "all" {
			return All(), nil
		}
		t, err := Find(name)
		if err != nil {
			return nil, err
		}
		wanted[t.Name] = true
	}
	var out []Tool
	for _, r := range table() {
		if t := r.about(); wanted[t.Name] || len(names) == 0 && t.Agent.Default {
			out = append(out, r.tool())
		}
	}
	return out, nil
}

// ToolDefinitions is Definitions of the few tools that an agent needs, in Anthropic's
// shape.
func ToolDefinitions() []any {
	out, _ := Definitions("anthropic") // fails for names only
	return out
}

// CallString runs a tool and returns its answer as the text to hand back to the
// model: for the step between a model's tool call and its result.
func CallString(ctx context.Context, lib *docent.Library, name string, params []byte) (string, error) {
	answer, err := Call(ctx, lib, name, params)
	if err != nil {
		return "", err
	}
	if list, ok := answer.(Lister); ok {
		b, err := json.Marshal(list.JSONList())
		return string(b), err
	}
	b := &strings.Builder{}
	err = answer.WriteText(b)
	return b.String(), err
}
