package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent"
)

func library(t *testing.T) *docent.Library {
	t.Helper()
	lib, err := docent.FromFS(t.Context(), fstest.MapFS{
		"guide/keys.md": {Data: []byte("# Keys\n\nKeys open doors.\n\n## Rotate\n\nTurn them.\n")},
		"logs.md":       {Data: []byte("# Logs\n\nLogs go to the folder.\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() })
	return lib
}

// A model repairs itself with what an error says.
func TestErrorsSteer(t *testing.T) {
	lib := library(t)
	for _, tt := range []struct{ name, tool, params, want string }{
		{"an unknown tool", "delete", `{}`, "unknown tool: delete (there are search, section, read, grep, toc, examples,"},
		{"a missing parameter", "read", `{}`, `parameter "ref" is missing`},
		{"of several unknown parameters, always the same one", "read", `{"ref": "logs.md", "zz": 1, "yy": 2, "xx": 3, "mm": 4}`, `unknown parameter "mm"`},
		{"an unknown parameter", "read", `{"ref": "logs.md", "lines": 3}`, `unknown parameter "lines" (there are ref, refs, offset, limit`},
		{"a wrong type", "read", `{"ref": "logs.md", "limit": "3"}`, `parameter "limit" is a string: must be of type integer`},
		{"a wrong type of a parameter that operations share", "grep", `{"pattern": "x", "changed_since": 3}`, `parameter "changed_since" is a number: must be of type string`},
		{"no object", "read", `[]`, "must be a JSON object"},
		{"broken JSON", "read", `{`, "must be a JSON object"},
		{"an invalid expression", "grep", `{"pattern": "[x"}`, "invalid regex: [x"},
		{"a file that is not there", "read", `{"ref": "guide/kees.md"}`, "document not found: guide/kees.md"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := CallString(context.Background(), lib, tt.tool, []byte(tt.params))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Find("delete"); !errors.Is(err, ErrUnknown) {
		t.Errorf("Find: %v", err)
	}
}

func TestCallString(t *testing.T) {
	lib := library(t)
	for _, tt := range []struct{ tool, params, want string }{
		{"read", `{"ref": "guide/keys.md#rotate"}`, "  5  ## Rotate\n  6\n  7  Turn them.\n"},
		{"grep", `{"pattern": "TURN"}`, `[{"path":"guide/keys.md","line":7,"content":"Turn them.","section":"guide/keys.md#rotate","tokens":6,"headings":["Keys","Rotate"]}]`},
		{"grep", `{"pattern": "nowhere"}`, `[]`},
		{"ls", ``, "guide/keys.md\nlogs.md\n"},
	} {
		got, err := CallString(context.Background(), lib, tt.tool, []byte(tt.params))
		if err != nil || got != tt.want {
			t.Errorf("%s(%s) = %q, %v; want %q", tt.tool, tt.params, got, err, tt.want)
		}
	}
}

// Names of the specifications do what ours do.
func TestAliases(t *testing.T) {
	lib := library(t)
	for _, tt := range []struct{ tool, params, ours, same string }{
		{"get_section", `{"source_id": "guide/keys.md", "section_id": "rotate"}`, "section", `{"ref": "guide/keys.md#rotate"}`},
		{"get_section", `{"section_id": "guide/keys.md#rotate"}`, "section", `{"ref": "guide/keys.md#rotate"}`},
		{"getSection", `{"source_id": "guide/keys.md"}`, "section", `{"ref": "guide/keys.md"}`},
		{"read", `{"path": "guide/keys.md", "offset": 5}`, "read", `{"ref": "guide/keys.md", "offset": 5}`},
		{"search", `{"query": "keys", "source_id": "logs.md"}`, "search", `{"query": "keys", "path": "logs.md"}`},
		{"getNode", `{"nodeId": "guide/keys.md::Rotate"}`, "node", `{"id": "guide/keys.md::Rotate"}`},
		{"getToc", `{"fileId": "logs.md"}`, "toc", `{"ref": "logs.md"}`},
		{"toc", `{"path": "logs.md"}`, "toc", `{"ref": "logs.md"}`},
		{"read", `{"file_path": "logs.md"}`, "read", `{"ref": "logs.md"}`},
		{"grep", `{"pattern": "log", "path": "logs.md"}`, "grep", `{"pattern": "log", "glob": "logs.md"}`},
		{"docs_search_files", `{"query": "keys"}`, "files", `{"query": "keys"}`},
	} {
		got, err := CallString(context.Background(), lib, tt.tool, []byte(tt.params))
		want, wantErr := CallString(context.Background(), lib, tt.ours, []byte(tt.same))
		if err != nil || wantErr != nil || got != want {
			t.Errorf("%s(%s) = %q, %v; want %q, %v", tt.tool, tt.params, got, err, want, wantErr)
		}
	}
	for alias, name := range map[string]string{
		"listFiles": "list", "docs_find_examples": "examples", "search_snippets": "snippets", "listsnippets": "snippets", "explain_symbol": "explain",
	} {
		if got, err := Find(alias); err != nil || got.Name != name {
			t.Errorf("%s is %s, %v; want %s", alias, got.Name, err, name)
		}
	}
	// Both names at once are a mistake, and the error says which is not known.
	if _, err := CallString(context.Background(), lib, "read", []byte(`{"ref": "logs.md", "path": "x"}`)); err == nil {
		t.Error("ref and path together were accepted")
	}
}

// A model that is handed all tools pays 8 kB at the start of every conversation, and uses
// six of them: those are the ones that it gets unless others are named.
func TestDefinitionsAreTheFewThatAgentsNeed(t *testing.T) {
	names := func(defs []any, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(defs)
		if err != nil {
			t.Fatal(err)
		}
		var list []struct{ Name string }
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range list {
			out = append(out, d.Name)
		}
		return strings.Join(out, " ")
	}
	if got, want := names(ToolDefinitions(), nil), "search section read grep toc examples"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if got, want := names(Definitions("", "verify", "get_section", "links")), "section links verify"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if _, err := Definitions("", "delete"); err == nil {
		t.Error("an unknown name was accepted")
	}
	raw, err := json.Marshal(ToolDefinitions())
	if err != nil || len(raw) > 4000 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
}

// Every tool is described in the shape each provider wants, in the portable
// subset of JSON schema.
func TestDefinitions(t *testing.T) {
	for format, key := range map[string]string{"anthropic": "input_schema", "openai": "parameters", "mcp": "inputSchema"} {
		defs, err := Definitions(format, "all")
		if err != nil || len(defs) != len(All()) {
			t.Fatalf("%s: %d definitions, %v", format, len(defs), err)
		}
		raw, err := json.Marshal(defs)
		if err != nil || !strings.Contains(string(raw), `"`+key+`":{"type":"object","properties":{`) {
			t.Errorf("%s: %v %.200s", format, err, raw)
		}
	}
	if _, err := Definitions("yaml"); err == nil {
		t.Error("an unknown format was accepted")
	}
	for _, tool := range All() {
		if tool.Doc == "" || len(tool.Doc) > 200 {
			t.Errorf("%s: its sentence has %d bytes", tool.Name, len(tool.Doc))
		}
		for _, f := range tool.Input {
			if f.Name == "" || f.Doc == "" || f.Arg == (f.Flag != "") {
				t.Errorf("%s: parameter %+v", tool.Name, f)
			}
		}
	}
}
