package tool

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// An operation says everything about itself.
func TestOperationsAreComplete(t *testing.T) {
	known := map[string]string{}
	for _, r := range table() {
		tool := r.tool()
		for what, missing := range map[string]bool{
			"Name": tool.Name == "", "Doc": tool.Doc == "", "Group": tool.Group == "", "Stores": tool.Stores == 0,
			"Help": tool.Help == "", "Example": !strings.HasPrefix(tool.Example, "  docent "),
		} {
			if missing {
				t.Errorf("%s has no %s", tool.Name, what)
			}
		}
		if tool.RefArg && (len(tool.Input) == 0 || !tool.Input[0].Arg) {
			t.Errorf("%s: RefArg is set, and its first parameter is no argument", tool.Name)
		}
		for line := range strings.Lines(tool.Help) {
			if len(line) > 91 {
				t.Errorf("%s: a line of its help has %d bytes: %s", tool.Name, len(line), line)
			}
		}
		for _, name := range append(tool.Aliases, tool.Name) {
			if other := known[name]; other != "" {
				t.Errorf("%s and %s are both called %s", tool.Name, other, name)
			}
			known[name] = tool.Name
		}
	}
}

// What agents see of an operation is there, and what they must give is seen.
func TestAgentsSeeParametersThatExist(t *testing.T) {
	for _, r := range table() {
		tool := r.tool()
		var shown []string
		for _, p := range tool.Agent.Params {
			if !slices.ContainsFunc(tool.Input, func(f Field) bool { return f.Name == p.Name }) {
				t.Errorf("%s: agents see a parameter %s that it does not have", tool.Name, p.Name)
			}
			shown = append(shown, p.Name)
		}
		for _, f := range tool.Input {
			if f.Required && shown != nil && !slices.Contains(shown, f.Name) {
				t.Errorf("%s: agents do not see %s, which is required", tool.Name, f.Name)
			}
			if slices.ContainsFunc(tool.Agent.Own, func(own Field) bool { return own.Name == f.Name }) {
				t.Errorf("%s: %s is a parameter of the server and of the operation", tool.Name, f.Name)
			}
		}
	}
}

// notPrefixed are results that hold Refs without being an answer.Prefixer, and why.
var notPrefixed = map[reflect.Type]string{
	reflect.TypeFor[*answer.Answer](): "IndexSet.Search prefixes its hits",
}

// Every operation runs on a folder, and on a database if it says so. Its result can be
// given the name of an index if it holds Refs, so that they lead back.
func TestOperationsRunWhereTheySay(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	for name, text := range map[string]string{
		"guide/keys.md": "# Keys\n\nKeys open doors. See [logs](../logs.md).\n\n## Rotate\n\nTurn them:\n\n```go\nfunc Turn() {}\n```\n",
		"logs.md":       "# Logs\n\nLogs of [keys](guide/keys.md#rotate) go to the folder.\n",
	} {
		file := filepath.Join(dir, "docs", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := docent.Open(ctx, filepath.Join(dir, "docs"), docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	if _, err := folder.Export(ctx, filepath.Join(dir, "docs.db")); err != nil {
		t.Fatal(err)
	}
	database, err := docent.OpenDB(ctx, filepath.Join(dir, "docs.db"), docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close() })
	hits, err := folder.Search(ctx, docent.Query{Text: "rotate"})
	if err != nil || len(hits.Hits) == 0 {
		t.Fatalf("search: %v, %v", hits, err)
	}
	values := map[string]string{
		"query": "rotate keys", "pattern": "turn", "symbol": "Turn", "ref": "guide/keys.md#rotate", "id": "guide/keys.md",
		"file": "guide/keys.md", "citation": hits.Hits[0].Citation, "root": filepath.Join(dir, "docs"), "index_name": "x", "since": "index",
	}
	ctx = AllowRoots(ctx, []string{dir})
	for _, r := range table() {
		tool := r.tool()
		if tool.OnDemand { // these have indexes of their own
			ctx = WithIndexes(ctx, docent.UserIndexes(filepath.Join(dir, "indexes"), docent.IndexSetOptions{}))
		}
		given := map[string]string{}
		for _, f := range tool.Input {
			if value, ok := values[f.Name]; ok && (f.Required || tool.OnDemand || f.Name == "since") {
				given[f.Name] = value
			} else if f.Required {
				t.Fatalf("%s: no value for parameter %s: add one to values", tool.Name, f.Name)
			}
		}
		params, _ := json.Marshal(given)
		result, err := tool.Call(ctx, folder, params)
		if err != nil {
			t.Errorf("%s on a folder: %v", tool.Name, err)
			continue
		}
		if _, ok := result.(answer.Prefixer); !ok && holdsRefs(reflect.TypeOf(result), nil) && notPrefixed[reflect.TypeOf(result)] == "" {
			t.Errorf("%s: %T holds Refs and is no answer.Prefixer", tool.Name, result)
		}
		_, err = tool.Call(ctx, database, params)
		if unsupported := errors.Is(err, docent.ErrUnsupported); unsupported != (tool.Stores == FolderOnly) || err != nil && !unsupported {
			t.Errorf("%s: Stores is %d, and on a database its error is %v", tool.Name, tool.Stores, err)
		}
	}
}

// holdsRefs reports whether values of a type have a Ref somewhere.
func holdsRefs(t reflect.Type, seen []reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return holdsRefs(t.Elem(), seen)
	case reflect.Struct:
	default:
		return false
	}
	if slices.Contains(seen, t) {
		return false
	}
	seen = append(seen, t)
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if slices.Contains([]string{"ref", "section_id", "citation"}, name) || holdsRefs(f.Type, seen) {
			return true
		}
	}
	return false
}
