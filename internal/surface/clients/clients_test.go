package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"
)

// The forms, as each client's documentation has them.
func TestForms(t *testing.T) {
	here, below, elsewhere := Place{Full: "/p"}, Place{Full: "/p/docs", Relative: "docs"}, Place{Full: "/else/where", Outside: true}
	for _, tt := range []struct {
		client string
		server Server
		want   string
	}{
		{"claude-code", Server{Place: here}, `{"mcpServers":{"docent":{"type":"stdio","command":"docent","args":["serve"]}}}`},
		{"claude-code", Server{Place: below}, `{"mcpServers":{"docent":{"type":"stdio","command":"docent","args":["serve","--root","docs"]}}}`},
		{"claude-code", Server{Place: elsewhere}, `{"mcpServers":{"docent":{"type":"stdio","command":"docent","args":["serve","--root","/else/where"]}}}`},
		{"cursor", Server{Place: here}, `{"mcpServers":{"docent":{"command":"docent","args":["serve","--root","${workspaceFolder}"]}}}`},
		{"cursor", Server{Place: below}, `{"mcpServers":{"docent":{"command":"docent","args":["serve","--root","${workspaceFolder}/docs"]}}}`},
		{"vscode", Server{Place: below}, `{"servers":{"docent":{"type":"stdio","command":"docent","args":["serve","--root","${workspaceFolder}/docs"]}}}`},
		{"zed", Server{Place: below}, `{"context_servers":{"docent":{"command":"docent","args":["serve","--root","/p/docs"]}}}`},
		{"generic", Server{Place: below}, `{"mcpServers":{"docent":{"command":"docent","args":["serve","--root","/p/docs"]}}}`},
		{"opencode", Server{Place: here}, `{"mcp":{"docent":{"type":"local","command":["docent","serve"]}}}`},
		{"devin", Server{URL: "http://h/mcp"}, `{"mcpServers":{"docent":{"url":"http://h/mcp"}}}`},
		{"jetbrains", Server{URL: "http://h/mcp", WithToken: true}, `{"mcpServers":{"docent":{"url":"http://h/mcp","headers":{"Authorization":"Bearer YOUR_TOKEN"}}}}`},
		{"windsurf", Server{URL: "http://h/mcp"}, `{"mcpServers":{"docent":{"serverUrl":"http://h/mcp"}}}`},
		{"gemini-cli", Server{URL: "http://h/mcp", WithToken: true}, `{"mcpServers":{"docent":{"httpUrl":"http://h/mcp","headers":{"Authorization":"Bearer $DOCENT_TOKEN"}}}}`},
		{"cline", Server{URL: "http://h/mcp"}, `{"mcpServers":{"docent":{"type":"streamableHttp","url":"http://h/mcp"}}}`},
	} {
		c, err := Find(tt.client)
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.Config(tt.server)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.NewReplacer("\n", "", "  ", "", ": ", ":").Replace(text); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.client, got, tt.want)
		}
	}
	codex, _ := Find("codex")
	quoted := `'/a b'`
	if runtime.GOOS == "windows" { // cmd and PowerShell both know these quotes
		quoted = `"/a b"`
	}
	if got := codex.Command(Server{Place: Place{Full: "/a b"}}); got != "codex mcp add docent -- docent serve --root "+quoted {
		t.Errorf("got %s", got)
	}
	desktop, _ := Find("claude-desktop")
	if _, err := desktop.Config(Server{URL: "http://h/mcp"}); err == nil {
		t.Error("the file of claude-desktop names no addresses")
	}
	if _, err := Find("emacs"); err == nil || !strings.Contains(err.Error(), "there are claude-code, claude-desktop, codex") {
		t.Errorf("got %v", err)
	}
}

// examples are the examples of the clients' own documentation, by client: what there is
// of a server there, docent's entry must have too.
func example(t *testing.T, c Client, kind string) ([]byte, string) {
	t.Helper()
	ext := map[format]string{jsonFormat: "json", tomlFormat: "toml", yamlFormat: "yaml"}[c.format]
	name := filepath.Join("testdata", c.Name+"."+kind+"."+ext)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text, name
}

// parse reads a file of any of the formats, without its comments.
func parse(t *testing.T, c Client, text []byte) map[string]any {
	t.Helper()
	out := map[string]any{}
	var err error
	switch c.format {
	case tomlFormat:
		_, err = toml.Decode(string(text), &out)
	case yamlFormat:
		err = yaml.Unmarshal(text, &out)
	default:
		err = json.Unmarshal(plain(text), &out)
	}
	if err != nil {
		t.Fatalf("%s: %v in\n%s", c.Name, err, text)
	}
	return out
}

// plain is JSON without comments and without commas after a last value.
func plain(text []byte) []byte {
	s := jsonScanner{text: text}
	var out []byte
	for at := 0; at < len(text); {
		if next := s.skip(at); next > at {
			out = append(out, ' ')
			at = next
			continue
		}
		if text[at] == '"' {
			end, err := s.str(at)
			if err != nil {
				return text
			}
			out = append(out, text[at:end]...)
			at = end
			continue
		}
		if after := s.skip(at + 1); text[at] == ',' && (s.has(after, '}') || s.has(after, ']')) {
			at = after
			continue
		}
		out = append(out, text[at])
		at++
	}
	return out
}

// serversOf returns the servers of a file.
func serversOf(c Client, file map[string]any) map[string]any {
	for _, key := range c.keys {
		file, _ = file[key].(map[string]any)
	}
	return file
}

// Docent's entry has the fields that the client's own example has, and no field that the
// example lacks, but for those that say what to run.
func TestEntriesHaveTheFieldsOfTheDocumentedExample(t *testing.T) {
	optional := map[string]bool{
		"env": true, "envs": true, "environment": true, "cwd": true, "timeout": true, "trust": true, "headers": true, "bearer_token_env_var": true,
		"enabled": true, "description": true, "disabled": true, "autoApprove": true, "bundled": true, "env_keys": true, "available_tools": true,
	}
	for _, c := range All() {
		for kind, server := range map[string]Server{"local": {Place: Place{Full: "/p", Relative: "p"}}, "http": {URL: "https://example.com/mcp", WithToken: true}} {
			if c.Name == "generic" || kind == "http" && c.remote == nil {
				continue
			}
			documented, name := example(t, c, kind)
			text, err := c.Config(server)
			if err != nil {
				t.Fatal(err)
			}
			ours := serversOf(c, parse(t, c, []byte(text)))[Name].(map[string]any)
			for _, s := range serversOf(c, parse(t, c, documented)) {
				theirs := s.(map[string]any)
				for key := range theirs {
					if _, ok := ours[key]; !ok && !optional[key] {
						t.Errorf("%s has %s, which docent's entry lacks: %v", name, key, ours)
					}
				}
				for key, value := range ours {
					given, ok := theirs[key]
					if !ok && !optional[key] {
						t.Errorf("docent's entry has %s, which %s lacks", key, name)
					}
					if ok && kindOf(given) != kindOf(value) {
						t.Errorf("%s: %s is a %s there, and a %s of docent's", name, key, kindOf(given), kindOf(value))
					}
				}
			}
		}
	}
}

func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case bool:
		return "truth value"
	case []any:
		return "list"
	case map[string]any:
		return "object"
	}
	return "number"
}

// Into a file as people have it, docent is put beside the others; what is there stays,
// byte for byte, and taking docent out gives the file back.
func TestAFileKeepsEverythingElse(t *testing.T) {
	server := Server{Place: Place{Full: "/p/docs", Relative: "docs"}}
	for _, c := range All() {
		if c.Name == "generic" {
			continue
		}
		old, name := example(t, c, "local")
		with, err := c.Add(old, server)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		servers := serversOf(c, parse(t, c, with))
		if servers[Name] == nil || len(servers) != len(serversOf(c, parse(t, c, old)))+1 {
			t.Errorf("%s:\n%s", name, with)
		}
		if again, err := c.Add(with, server); err != nil || string(again) != string(with) {
			t.Errorf("%s: a second time it becomes, with %v,\n%s", name, err, again)
		}
		moved, err := c.Add(with, Server{Place: Place{Full: "/else/where", Outside: true}})
		if err != nil || strings.Count(string(moved), "/else/where") != 1 {
			t.Errorf("%s: another folder: %v\n%s", name, err, moved)
		}
		for _, text := range [][]byte{with, moved} {
			if without, err := c.Remove(text); err != nil || string(without) != string(old) {
				t.Errorf("%s: without docent it is, with %v,\n%s\nand was\n%s", name, err, without, old)
			}
		}
		if same, err := c.Remove(old); err != nil || string(same) != string(old) {
			t.Errorf("%s: a file without docent changed: %v", name, err)
		}
	}
}
