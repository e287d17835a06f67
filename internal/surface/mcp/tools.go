package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/tool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A toolView is an operation as agents see it.
type toolView struct {
	tool.Tool
	name         string       // as a tool
	doc          string       // as a tool
	serverParams []tool.Field // parameters that the server itself understands
	remembers    bool         // it leaves out text that was sent before: see Options.Remember
}

// newView returns an operation as its Agent describes it.
func newView(t tool.Tool) toolView {
	return toolView{Tool: t, name: cmp.Or(t.Agent.Name, t.Name), doc: t.AgentDoc(), serverParams: t.Agent.Own}
}

// views returns the operations as agents see them: the tools that are served by
// default, in the order in which an agent needs them, and the others.
func views() (defaultTools, otherTools []toolView) {
	for _, t := range tool.All() {
		if t.Agent.Default {
			defaultTools = append(defaultTools, newView(t))
		} else {
			otherTools = append(otherTools, newView(t))
		}
	}
	return defaultTools, otherTools
}

// choose returns the tools that are served: the default ones, all, or those that are
// named, by their own names or those of the operations.
func choose(which string) ([]toolView, error) {
	defaultTools, otherTools := views()
	all := slices.Concat(defaultTools, otherTools)
	switch which {
	case "", "default":
		return defaultTools, nil
	case "all":
		return all, nil
	}
	var out []toolView
	for name := range strings.SplitSeq(which, ",") {
		name = strings.TrimSpace(name)
		op, _ := tool.Find(name)
		i := slices.IndexFunc(all, func(v toolView) bool { return v.name == name || v.Name == op.Name })
		if i < 0 {
			names := make([]string, len(all))
			for k, v := range all {
				names[k] = v.name
			}
			return nil, fmt.Errorf("no tool is called %q: there are %s, and \"all\"", name, strings.Join(names, ", "))
		}
		if !slices.ContainsFunc(out, func(v toolView) bool { return v.name == all[i].name }) {
			out = append(out, all[i])
		}
	}
	return out, nil
}

// sendsText reports whether a tool sends text of documents that a session may have.
func (v *toolView) sendsText() bool {
	return v.name == "search" || v.name == "get_section" || v.name == "read"
}

// withAgain adds to the tools that send text a parameter to have it sent again.
func withAgain(tools []toolView) []toolView {
	for i := range tools {
		t := &tools[i]
		if t.sendsText() {
			t.serverParams = append(slices.Clone(t.serverParams), tool.Field{Name: "again", Kind: "boolean", Doc: "resend text sent before"})
			t.remembers = true
		}
	}
	return tools
}

// field returns the parameter of that name, of the operation or our own.
func (v *toolView) field(name string) (f tool.Field, ours, ok bool) {
	for i, f := range slices.Concat(v.Input, v.serverParams) {
		if f.Name == name {
			return f, i >= len(v.Input), true
		}
	}
	return tool.Field{}, false, false
}

// schema describes the parameters, in the subset of JSON schema that every model
// provider reads.
func (v *toolView) schema() tool.Schema {
	s := v.AgentSchema()
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return slices.Contains(v.Agent.Optional, name) })
	for _, f := range v.serverParams {
		s.Properties[f.Name] = tool.NewProperty(f)
	}
	return s
}

// shownParams are the names of the parameters that the schema has, in its order.
func (v *toolView) shownParams() []string {
	var names []string
	if v.Agent.Params != nil {
		for _, p := range v.Agent.Params {
			names = append(names, p.Name)
		}
	} else {
		for _, f := range v.Input {
			names = append(names, f.Name)
		}
	}
	for _, f := range v.serverParams {
		names = append(names, f.Name)
	}
	return names
}

// definition is the tool as tools/list describes it, under a name.
func (v *toolView) definition(name string) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name:        name,
		Description: v.doc,
		InputSchema: v.schema(),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !v.Agent.Writes, IdempotentHint: !v.remembers, DestructiveHint: &no, OpenWorldHint: &no},
	}
}
