package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/tool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A served is an operation as agents see it. Every word of it is paid for at
// the start of each conversation, so it shows the parameters an agent needs and
// keeps quiet about the rest, which work all the same.
type served struct {
	tool.Tool
	name string            // as a tool
	row  string            // the operation's name, where it has another
	doc  string            // for a model: what it is for, and when
	show []string          // parameters in the schema; nil means all
	free []string          // parameters that are required there and not here
	say  map[string]string // what is said of a parameter, where that differs here
	own  []tool.Field      // parameters that the server itself understands
}

// Parameters of several tools: what a client was already sent, and JSON. What they
// mean is said once.
var (
	again     = tool.Field{Name: "again", Kind: "boolean"}
	sendAgain = tool.Field{Name: "again", Kind: "boolean", Doc: "resend text sent before"}
	format    = tool.Field{Name: "format", Kind: "string", Enum: []string{"text", "json"}}
)

// menu is what is served by default, in the order in which an agent needs it.
// What is not in the table of operations is passed over. Descriptions say what a model
// would get wrong without them: forms, defaults, limits.
var menu = []served{
	{
		name: "search",
		doc:  "Find the sections that answer a question, with Refs, prices in tokens and text. Start here.",
		show: []string{"query", "limit", "path", "budget", "leads"},
		say: map[string]string{
			"query":  `question or keywords; "exact phrase", -without`,
			"limit":  "results, 1 to 50 (default 5)",
			"path":   "only this folder or glob: api/**/v2*.md",
			"budget": "most tokens (default 2000, at most 8000)",
			"leads":  "a line a result, no text",
		},
		own: []tool.Field{
			{Name: "source_id", Kind: "string", Doc: "only the file at this path"},
			format, sendAgain,
		},
	},
	{
		name: "get_section", row: "section",
		doc:  "Read a whole section by Ref, or source_id and section_id, with the Refs around it.",
		show: []string{"ref", "source_id", "section_id"},
		free: []string{"ref"},
		say:  map[string]string{"ref": "path.md#anchor, or path.md::Heading text"},
		own: []tool.Field{
			{Name: "source_id", Kind: "string", Doc: "path"},
			{Name: "section_id", Kind: "string", Doc: "anchor or Ref"},
			format, again,
		},
	},
	{
		name: "read",
		doc:  "Read lines of a file, numbered.",
		show: []string{"ref", "offset", "limit", "budget"},
		say: map[string]string{
			"ref":    "path.md, path.md#anchor or path.md:15-48",
			"offset": "first line, from 1",
			"limit":  "lines (default 2000)",
			"budget": "",
		},
		own: []tool.Field{again},
	},
	{
		name: "grep",
		doc:  "Find lines by text or regular expression, each with its section's Ref.",
		show: []string{"pattern", "glob", "case_sensitive", "fixed", "context", "limit"},
		say: map[string]string{
			"pattern":        "RE2, matched in one line, whatever the case",
			"case_sensitive": "",
			"glob":           "only these files: guide/**",
			"fixed":          "pattern is plain text",
			"context":        "lines around",
			"limit":          "default 100",
		},
	},
	{
		name: "toc",
		doc:  "List headings of a file, or files of a folder, with Refs and prices.",
		show: []string{"ref", "depth"},
		say:  map[string]string{"ref": "file or folder; empty means all", "depth": "1 to 6"},
	},
	{
		name: "examples",
		doc:  "Find code by a symbol it defines or uses, with the text that explains it.",
		show: []string{"symbol", "language", "limit", "budget"},
		say: map[string]string{
			"symbol":   "parseConfig, http.Get",
			"language": "go, ts",
			"limit":    "default 5",
			"budget":   "",
		},
	},
}

// administrative operations change something, and are never served.
var administrative = []string{"init", "index", "add", "remove", "update", "pack", "train"}

// choose returns the tools that are served.
func choose(which string) ([]served, error) {
	var usual, all []served
	for _, m := range menu {
		t, err := tool.Find(m.name)
		if err != nil && m.row != "" {
			t, err = tool.Find(m.row)
		}
		if err == nil {
			m.Tool = t
			usual = append(usual, m)
		}
	}
	all = slices.Clone(usual)
	for _, t := range tool.All() {
		isUsual := slices.ContainsFunc(usual, func(m served) bool { return m.Name == t.Name })
		if isUsual || slices.Contains(administrative, t.Name) {
			continue
		}
		all = append(all, served{Tool: t, name: t.Name, doc: sentence(t.Doc)})
	}
	switch which {
	case "", "default":
		return usual, nil
	case "all":
		return all, nil
	}
	var out []served
	for name := range strings.SplitSeq(which, ",") {
		name = strings.TrimSpace(name)
		known, _ := tool.Find(name) // which has the name of the operation too
		i := slices.IndexFunc(all, func(m served) bool { return m.name == name || m.Name == known.Name })
		if i < 0 {
			names := make([]string, len(all))
			for k, m := range all {
				names[k] = m.name
			}
			return nil, fmt.Errorf("no tool is called %q: there are %s, and \"all\"", name, strings.Join(names, ", "))
		}
		if !slices.ContainsFunc(out, func(m served) bool { return m.name == all[i].name }) {
			out = append(out, all[i])
		}
	}
	return out, nil
}

func sentence(s string) string {
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// field returns the parameter of that name, of the operation or our own.
func (t *served) field(name string) (f tool.Field, ours, ok bool) {
	for _, f := range t.Input {
		if f.Name == name {
			return f, false, true
		}
	}
	for _, f := range t.own {
		if f.Name == name {
			return f, true, true
		}
	}
	return tool.Field{}, false, false
}

// schema describes the parameters, in the subset of JSON schema that every model
// provider reads.
func (t *served) schema() tool.Schema {
	s := t.Schema()
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return slices.Contains(t.free, name) })
	for _, f := range t.Input {
		if t.show != nil && !f.Required && !slices.Contains(t.show, f.Name) {
			delete(s.Properties, f.Name)
			continue
		}
		if say, ok := t.say[f.Name]; ok {
			p := s.Properties[f.Name]
			p.Description = say
			s.Properties[f.Name] = p
		}
	}
	for _, f := range t.own {
		if _, ours, _ := t.field(f.Name); ours {
			s.Properties[f.Name] = tool.Property{Type: f.Kind, Description: f.Doc, Enum: f.Enum}
		}
	}
	return s
}

// definition is what tools/list says of the tool.
func (t *served) definition() *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name:        t.name,
		Description: t.doc,
		InputSchema: t.schema(),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: t.name != "index_markdown_docs", IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
}
