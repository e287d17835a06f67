package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// steering has files in folders, with code.
var steering = fstest.MapFS{
	"README.md":               file("# Things\n\nAll about things, in .md files.\n"),
	"docs/concepts/alias.md":  file("# Alias\n\nAn alias is another name.\n\n```python\nAliasPath('a')\n```\n"),
	"docs/concepts/models.md": file("# Models\n\nA model has fields.\n\n## Extra data\n\nExtra fields are ignored.\n"),
}

// What a model gets wrong is answered with what it can do instead.
func TestErrorsSteer(t *testing.T) {
	cs := dial(t, newServer(t, fixed(steering)))
	for _, tt := range []struct {
		name, tool string
		args       object
		want       []string
		not        []string
	}{
		{
			"an unknown parameter names those of the schema", "search",
			object{"query": "alias", "topk": 3},
			[]string{`unknown parameter "topk" (there are query, limit, path, budget, full, leads, source_id, format)`},
			[]string{"fusion", "again"},
		},
		{"a folder that is elsewhere", "search", object{"query": "alias", "path": "concepts"}, []string{`no file matches "concepts"; did you mean docs/concepts?`}, nil},
		{"a folder that is nowhere", "search", object{"query": "alias", "path": "nosuch/**"}, []string{`no file matches "nosuch/**"`}, []string{"did you mean"}},
		{"a folder misspelt", "toc", object{"ref": "concept"}, []string{"did you mean docs/concepts, "}, nil},
		{"a folder misspelt, to be read", "read", object{"ref": "docs/conceps"}, []string{"did you mean docs/concepts, "}, nil},
		{"a file that is like no other, where documents speak of .md", "read", object{"ref": "zzzz.md"}, []string{"toc lists what there is"}, []string{"did you mean"}},
		{"grep says where it looked", "grep", object{"pattern": "zebra"}, []string{`no line matches "zebra" in 3 files`}, nil},
		{"grep in files that are not there", "grep", object{"pattern": "alias", "glob": "*.rst"}, []string{`no file matches "*.rst"`}, nil},
		{"a name that is like no other", "examples", object{"symbol": "nosuchsymbol"}, []string{`no code block has "nosuchsymbol", or a name like it`}, nil},
		{"a name misspelt", "examples", object{"symbol": "AliasPaht"}, []string{"the nearest names are AliasPath"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, _ := call(t, cs, tt.tool, tt.args)
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in %q", want, text)
				}
			}
			for _, not := range append(tt.not, "docent ") {
				if strings.Contains(text, not) {
					t.Errorf("%q in %q", not, text)
				}
			}
		})
	}
}

// A file is found by the end of its path where no other file has that end.
func TestABasenameIsEnough(t *testing.T) {
	cs := dial(t, newServer(t, fixed(steering)))
	for tool, args := range map[string]object{
		"read":        {"ref": "alias.md"},
		"get_section": {"ref": "models.md#extra-data"},
		"toc":         {"ref": "concepts/models.md"},
	} {
		if text, failed := call(t, cs, tool, args); failed {
			t.Errorf("%s: %s", tool, text)
		}
	}
	two := fstest.MapFS{"a/x.md": file("# One\n"), "b/x.md": file("# Two\n")}
	if text, failed := call(t, dial(t, newServer(t, fixed(two))), "read", object{"ref": "x.md"}); !failed || !strings.Contains(text, "a/x.md, b/x.md") {
		t.Errorf("two files of a name: %q", text)
	}
}

func TestGrepTellsThePriceOfASection(t *testing.T) {
	cs := dial(t, newServer(t, fixed(steering)))
	text, _ := call(t, cs, "grep", object{"pattern": "model has"})
	if !strings.HasPrefix(text, "docs/concepts/models.md#models  Models  (") || !strings.Contains(text, " tokens)\n3: A model") {
		t.Errorf("got %q", text)
	}
}

// A large corpus has an overview: folders with counts, titles and prices, which open with
// their paths, and pages of what is too much; never more than the limit.
func TestTOCOfALargeCorpusIsAnOverview(t *testing.T) {
	files := fstest.MapFS{"css/index.md": file("# CSS\n\nStyles.\n")}
	for i := range 30 {
		files[fmt.Sprintf("css/p%02d.md", i)] = file(fmt.Sprintf("# Property %d\n\nText.\n", i))
	}
	for i := range 600 {
		files[fmt.Sprintf("api/interface%03d/index.md", i)] = file(fmt.Sprintf("# Interface %d\n\nText.\n", i))
		files[fmt.Sprintf("api/interface%03d/method/index.md", i)] = file("# Method\n\nText.\n\n## Syntax\n\nText.\n")
	}
	s := newServer(t, fixed(files))
	cs := dial(t, s)
	text, _ := call(t, cs, "toc", object{})
	if count(text) > tocBudget || !strings.Contains(text, "api/  (1,200 files, ") || !strings.Contains(text, "css/  CSS: Styles.  (31 files, ") || !strings.Contains(text, "  css/p07.md  Property 7  (") {
		t.Errorf("%d tokens: %s", count(text), text)
	}
	if !strings.Contains(text, "name a folder or file to see more of it") {
		t.Errorf("the end: %s", text[len(text)-200:])
	}
	seen, offset, pages := map[string]bool{}, 0, 0
	for {
		text, failed := call(t, cs, "toc", object{"ref": "api", "offset": offset})
		if failed || count(text) > tocBudget {
			t.Fatalf("%d tokens: %s", count(text), text)
		}
		for line := range strings.Lines(text) {
			if ref, _, ok := strings.Cut(line, "  "); ok && strings.HasPrefix(ref, "api/interface") {
				if seen[ref] {
					t.Fatalf("%s twice", ref)
				}
				seen[ref] = true
			}
		}
		pages++
		at := strings.Index(text, ": offset ")
		if at < 0 {
			break
		}
		if _, err := fmt.Sscanf(text[at:], ": offset %d", &offset); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 600 || pages < 2 {
		t.Errorf("%d folders on %d pages", len(seen), pages)
	}
	// An answer in a smaller budget is smaller, and one that has room opens folders.
	if small, _ := call(t, cs, "toc", object{"budget": 200}); count(small) > 200 || !strings.Contains(small, "css/") {
		t.Errorf("%d tokens: %s", count(small), small)
	}
	if one, _ := call(t, cs, "toc", object{"ref": "api/interface007"}); !strings.Contains(one, "api/interface007/method/index.md") {
		t.Errorf("one folder: %s", one)
	}
	// So has a file with many headings.
	long := &strings.Builder{}
	long.WriteString("# History\n")
	for i := range 400 {
		fmt.Fprintf(long, "\n## Version %d\n\n### Fixes of version %d\n\nText.\n", i, i)
	}
	text, _ = call(t, dial(t, newServer(t, fixed(fstest.MapFS{"HISTORY.md": file(long.String())}))), "toc", object{"ref": "HISTORY.md"})
	if count(text) > tocBudget || !strings.Contains(text, "Version 30") || strings.Contains(text, "Fixes") || !strings.Contains(text, "of 401: offset ") {
		t.Errorf("%d tokens: %s", count(text), text)
	}
}

// The schema shows what the errors name.
func TestShownParametersAreThoseOfTheSchema(t *testing.T) {
	defaultTools, otherTools := views()
	for _, v := range slices.Concat(defaultTools, otherTools) {
		raw, _ := json.Marshal(v.schema().Properties)
		var properties map[string]any
		_ = json.Unmarshal(raw, &properties)
		names := v.shownParams()
		for _, name := range names {
			if _, ok := properties[name]; !ok {
				t.Errorf("%s: %s is not in the schema", v.name, name)
			}
		}
		if len(names) != len(properties) {
			t.Errorf("%s: %q, but the schema has %d", v.name, names, len(properties))
		}
	}
}

// What a model is told of the tools is the same to the byte in every process: a client
// that caches prompts pays for it once, and two agents are told the same.
func TestDefinitionsAreStable(t *testing.T) {
	told := func() string {
		o := fixed(docs)
		o.Tools = "all"
		cs := dial(t, newServer(t, o))
		tools, err := cs.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		prompts, err := cs.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal([]any{cs.InitializeResult().Instructions, tools.Tools, prompts.Prompts})
		if err != nil {
			t.Fatal(err)
		}
		wrong, _ := call(t, cs, "search", map[string]any{"query": "keys", "zz": 1, "yy": 2, "xx": 3, "ww": 4, "vv": 5})
		return string(raw) + wrong
	}
	first := told()
	for range 5 {
		if again := told(); again != first {
			t.Fatalf("told\n%s\nand\n%s", first, again)
		}
	}
}
