package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/tool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// writeProject writes documents.
func writeProject(t *testing.T) (dir string) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir = t.TempDir()
	for name, text := range map[string]string{
		"docs/keys.md": "# Keys\n\nKeys let programs in.\n",
		"api/http.md":  "# HTTP\n\nEvery request carries a token.\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// openProject serves documents and their named indexes, refreshed as b says, or when
// their files change.
func openProject(t *testing.T, dir string, b docent.Background, watch bool) Options {
	t.Helper()
	o := openDisk(t, dir, docent.Options{Background: &b})
	o.Name = "demo"
	all := docent.IndexSetOptions{Own: o.Library, Watch: watch}
	all.Background = &b
	var err error
	if o.Indexes, err = docent.ProjectIndexes(dir, all); err != nil {
		t.Fatal(err)
	}
	return o
}

// project writes documents and returns a server of theirs.
func project(t *testing.T, change func(*Options, string)) *Server {
	t.Helper()
	dir := writeProject(t)
	o := openProject(t, dir, eager, false)
	change(&o, dir)
	return newServer(t, o)
}

// Agents search named indexes, and follow the Refs that come back.
func TestNamedIndexes(t *testing.T) {
	s := project(t, func(o *Options, dir string) {
		o.Tools = "all"
		if _, err := o.Indexes.Make(context.Background(), "api", "the HTTP API", filepath.Join(dir, "api"), docent.MakeOptions{}); err != nil {
			t.Fatal(err)
		}
	})
	cs := dial(t, s)
	list, err := cs.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := json.Marshal(list.Tools[0].InputSchema); err != nil || !strings.Contains(string(raw), "or all: api") {
		t.Errorf("an agent does not hear which there are: %s", raw)
	}
	text, failed := call(t, cs, "search", map[string]any{"query": "token", "index": "all"})
	if failed || !strings.Contains(text, "api:http.md") {
		t.Fatalf("search: %s", text)
	}
	if text, failed = call(t, cs, "read", map[string]any{"ref": "api:http.md"}); failed || !strings.Contains(text, "carries a token") {
		t.Errorf("read: %s", text)
	}
	if text, failed = call(t, cs, "get_section", map[string]any{"ref": "api:http.md"}); failed || !strings.HasPrefix(text, "# api:http.md#http:1-3@") {
		t.Errorf("section: %s", text)
	}
	// As the records of a search name it: path and Ref.
	if text, failed = call(t, cs, "get_section", map[string]any{"source_id": "http.md", "section_id": "api:http.md#http"}); failed || !strings.HasPrefix(text, "# api:http.md#http:1-3@") {
		t.Errorf("section by its ids: %s", text)
	}
	if text, failed = call(t, cs, "toc", map[string]any{"ref": "api:"}); failed || !strings.Contains(text, "api:http.md#http") {
		t.Errorf("toc: %s", text)
	}
	if text, failed = call(t, cs, "verify", map[string]any{"citation": "api:http.md#http:1-3@012345"}); failed || !strings.Contains(text, "api:http.md#http:1-3@") {
		t.Errorf("verify: %s", text)
	}
	if text, failed = call(t, cs, "grep", map[string]any{"pattern": "token", "index": "api"}); failed || !strings.HasPrefix(text, "api:http.md#http") {
		t.Errorf("grep: %s", text)
	}
	for name, args := range map[string]map[string]any{"search": {"query": "token", "index": ""}, "grep": {"pattern": "token", "index": ""}} {
		if text, failed = call(t, cs, name, args); failed {
			t.Errorf("%s without a name: %s", name, text)
		}
	}
	if text, failed = call(t, cs, "search", map[string]any{"query": "token", "index": "nope"}); !failed || !strings.Contains(text, "there are api") {
		t.Errorf("unknown index: %s", text)
	}
	if text, failed = call(t, cs, "search", map[string]any{"query": "token", "index": "api", "format": "json"}); failed || !strings.Contains(text, `"section_id":"api:http.md#http"`) {
		t.Errorf("json: %s", text)
	}
}

// A named index is kept open and up to date, until it is removed.
func TestNamedIndexesChange(t *testing.T) {
	var at string
	s := project(t, func(o *Options, dir string) {
		at = dir
		if _, err := o.Indexes.Make(context.Background(), "api", "", filepath.Join(dir, "api"), docent.MakeOptions{}); err != nil {
			t.Fatal(err)
		}
	})
	cs := dial(t, s)
	read := func() (string, bool) { return call(t, cs, "read", map[string]any{"ref": "api:http.md"}) }
	if text, failed := read(); failed {
		t.Fatal(text)
	}
	if err := os.WriteFile(filepath.Join(at, "api", "http.md"), []byte("# HTTP\n\nEvery request carries a zebra.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, failed := read(); failed || !strings.Contains(text, "zebra") {
		t.Errorf("changed: %s", text)
	}
	if err := s.opts.Indexes.Remove(context.Background(), "api"); err != nil {
		t.Fatal(err)
	}
	if text, failed := read(); !failed || !strings.Contains(text, "no index of that name: api") {
		t.Errorf("removed: %s", text)
	}
}

// A search of named indexes compares files when that is due, as one of the server's own
// library does, and those behind its answer always. An index that was made anew, of
// another folder perhaps, is asked as it is now.
func TestNamedIndexesAreComparedWhenDue(t *testing.T) {
	at := writeProject(t)
	write(t, at, ".docent.json", "{}")
	// serve serves the project to a client that searches.
	serve := func(interval time.Duration) (*docent.IndexSet, func(query, names string) string) {
		o := openProject(t, at, docent.Background{Interval: interval, RefreshWait: time.Minute}, false)
		for _, name := range []string{"api", "docs"} {
			if _, err := o.Indexes.Find(name); err == nil {
				continue
			}
			if _, err := o.Indexes.Make(t.Context(), name, "", filepath.Join(at, name), docent.MakeOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		cs := dial(t, newServer(t, o))
		return o.Indexes, func(query, names string) string {
			text, _ := call(t, cs, "search", map[string]any{"query": query, "index": names})
			return text
		}
	}
	indexes, search := serve(time.Hour)
	for _, names := range []string{"api", "docs", "all"} {
		if text := search("token keys", names); !strings.Contains(text, ".md") {
			t.Fatal(text)
		}
	}
	write(t, at, "api/new.md", "# New\n\nA token file about zebras.\n")
	for _, names := range []string{"api", "api,docs"} {
		if text := search("token", names); strings.Contains(text, "new.md") {
			t.Errorf("%s: all files were compared for a call: %s", names, text)
		}
	}
	write(t, at, "api/http.md", "# HTTP\n\nEvery request carries a token, and two zebras.\n")
	for _, names := range []string{"api", "all"} {
		if text := search("request token", names); !strings.Contains(text, "two zebras") {
			t.Errorf("%s: the file behind the answer was not compared: %s", names, text)
		}
	}
	if _, due := serve(time.Nanosecond); !strings.Contains(due("zebras", "all"), "api:new.md") {
		t.Error("files were not compared when that was due")
	}
	if err := os.Mkdir(filepath.Join(at, "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, at, "other/x.md", "# Okapi\n\nAn okapi is no zebra.\n")
	if _, err := indexes.Make(t.Context(), "api", "", filepath.Join(at, "other"), docent.MakeOptions{}); err != nil {
		t.Fatal(err)
	}
	if text := search("okapi token", "api"); !strings.Contains(text, "api:x.md") || strings.Contains(text, "http.md") {
		t.Errorf("the folder it was made of before was asked: %s", text)
	}
	// One that cannot be opened is left out of all, and said.
	if err := os.RemoveAll(filepath.Join(at, "other")); err != nil {
		t.Fatal(err)
	}
	_, search = serve(time.Hour)
	if text := search("keys", "all"); !strings.Contains(text, "docs:keys.md") || !strings.Contains(text, "left out") {
		t.Errorf("without one of them: %s", text)
	}
}

// Agents index what they are allowed to, and nothing else.
func TestAgentsIndex(t *testing.T) {
	var at string
	s := project(t, func(o *Options, dir string) {
		at = dir
		o.AllowIndex = []string{filepath.Join(dir, "docs")}
	})
	cs := dial(t, s)
	index := func(root string) (string, bool) {
		return call(t, cs, "index_markdown_docs", map[string]any{"root": root, "index_name": "docs", "description": "keys"})
	}
	if err := os.Symlink(filepath.Join(at, "api"), filepath.Join(at, "docs", "link")); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{filepath.Join(at, "api"), at, filepath.Join(at, "docs", "..", "api"), filepath.Join(at, "docs", "link"), "/"} {
		if text, failed := index(root); !failed || !strings.Contains(text, "may not be indexed") {
			t.Errorf("%s: %s", root, text)
		}
	}
	if text, failed := index(filepath.Join(at, "docs")); failed || !strings.Contains(text, "index docs: 1 files") {
		t.Fatalf("index: %s", text)
	}
	for i := range 60 {
		page := fmt.Sprintf("# Keys %d\n\n%s", i, strings.Repeat("Keys, and many more words about keys. ", 50))
		if err := os.WriteFile(filepath.Join(at, "docs", fmt.Sprintf("k%d.md", i)), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	many, failed := call(t, cs, "markdown_search", map[string]any{"query": "keys", "k": 50})
	var found []tool.Snippet
	if err := json.Unmarshal([]byte(many), &found); failed || err != nil || len(found) < 10 || count(many) > maxAnswer {
		t.Errorf("%d found in %d tokens: %v", len(found), count(many), err)
	}
	text, failed := call(t, cs, "markdown_search", map[string]any{"query": "keys", "k": 50, "index_name": "docs"})
	if failed || !strings.Contains(text, `"index":"docs"`) || !strings.Contains(text, `"source":"keys.md#L1-L3"`) {
		t.Errorf("search: %s", text)
	}
}

// A client that asks for it is told how far the indexing is.
func TestIndexingTellsProgress(t *testing.T) {
	var at string
	s := project(t, func(o *Options, dir string) {
		at = dir
		o.AllowIndex = []string{dir}
	})
	told := make(chan float64, 100)
	cs := dialWith(t, s, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		if r.Params.ProgressToken == "mine" {
			told <- r.Params.Progress
		}
	}})
	p := &mcp.CallToolParams{Name: "index_markdown_docs", Arguments: map[string]any{"root": filepath.Join(at, "docs"), "index_name": "docs", "description": ""}}
	p.SetProgressToken("mine")
	if res, err := cs.CallTool(context.Background(), p); err != nil || res.IsError {
		t.Fatal(res, err)
	}
	if files := <-told; files < 1 {
		t.Errorf("%v files", files)
	}
}

// Named indexes, and tools to make them, leave definitions and instructions cheap.
func TestDefinitionsOfNamedIndexesAreCheap(t *testing.T) {
	for _, tt := range []struct {
		name   string
		most   int
		change func(o *Options, dir string)
	}{
		{"named", 1000, func(*Options, string) {}},
		{"indexing", 1100, func(o *Options, dir string) { o.AllowIndex = []string{dir} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := project(t, func(o *Options, dir string) {
				for _, name := range []string{"api", "handbook", "kubernetes-1.31"} {
					if _, err := o.Indexes.Make(context.Background(), name, "", filepath.Join(dir, "api"), docent.MakeOptions{}); err != nil {
						t.Fatal(err)
					}
				}
				tt.change(o, dir)
			})
			if total := cost(t, dial(t, s)); total > tt.most {
				t.Errorf("definitions and instructions cost %d tokens, want %d at most", total, tt.most)
			}
		})
	}
}
