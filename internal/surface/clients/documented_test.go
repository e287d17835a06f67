package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What testdata/README.md says of single clients.

// goose does not load an HTTP server without a description.
func TestGooseIsGivenADescription(t *testing.T) {
	c, _ := Find("goose")
	text, err := c.Config(Server{URL: "https://example.com/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	entry := serversOf(c, parse(t, c, []byte(text)))[Name].(map[string]any)
	for _, key := range []string{"name", "description", "uri"} {
		if v, _ := entry[key].(string); v == "" {
			t.Errorf("no %s in %v", key, entry)
		}
	}
}

// Into a file of opencode's second version docent goes where its servers are, with no
// field that this version lacks, and comes out without a trace.
func TestOpencodesSecondVersion(t *testing.T) {
	c, _ := Find("opencode")
	old, err := os.ReadFile("testdata/opencode.v2.json")
	if err != nil {
		t.Fatal(err)
	}
	with, err := c.Add(old, Server{Place: Place{Full: "/p", Relative: "docs"}})
	if err != nil {
		t.Fatal(err)
	}
	mcp := parse(t, c, with)["mcp"].(map[string]any)
	entry, ok := mcp["servers"].(map[string]any)[Name].(map[string]any)
	if !ok || mcp[Name] != nil || entry["enabled"] != nil {
		t.Errorf("got\n%s", with)
	}
	if back, err := c.Remove(with); err != nil || string(back) != string(old) {
		t.Errorf("%v\n%s", err, back)
	}
}

func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		client string
		env    Env
		want   string
	}{
		{"codex", Env{Home: "/h"}, "/h/.codex/config.toml"},
		{"codex", Env{Home: "/h", Codex: "/c"}, "/c/config.toml"},
		{"devin", Env{Home: "/h"}, "/h/.config/devin/mcp_config.json"},
		{"devin", Env{Home: "/h", System: "windows", AppData: "/a"}, "/a/devin/mcp_config.json"},
		{"windsurf", Env{Home: "/h"}, "/h/.codeium/windsurf/mcp_config.json"},
		{"jetbrains", Env{Project: "/p"}, "/p/.junie/mcp/mcp.json"},
		{"goose", Env{Home: "/h", Config: "/x"}, "/x/goose/config.yaml"},
	} {
		c, err := Find(tt.client)
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.ToSlash(c.Path(tt.env)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.client, got, tt.want)
		}
	}
}

// The README beside the examples names the page of every client.
func TestEveryClientHasASource(t *testing.T) {
	text, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		if name != "generic" && !strings.Contains(string(text), "\n| "+name+" | ") {
			t.Errorf("testdata/README.md says nothing of %s", name)
		}
	}
}
