package clients

import (
	"encoding/json"
	"strings"
	"testing"
)

var entry = object{{"command", Name}}

func TestPutJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"no file", "", "{\n  \"mcpServers\": {\n    \"docent\": {\n      \"command\": \"docent\"\n    }\n  }\n}\n"},
		{"an empty object", "{}", "{\n  \"mcpServers\": {\n    \"docent\": {\n      \"command\": \"docent\"\n    }\n  }\n}"},
		{
			"other keys, their comments and tabs stay", "{\n\t// theme\n\t\"theme\": \"dark\" // mine\n}\n",
			"{\n\t// theme\n\t\"theme\": \"dark\", // mine\n\t\"mcpServers\": {\n\t\t\"docent\": {\n\t\t\t\"command\": \"docent\"\n\t\t}\n\t}\n}\n",
		},
		{
			"a comma after the last value", "{\n  \"mcpServers\": {\n    \"a\": {}, // a\n  },\n}\n",
			"{\n  \"mcpServers\": {\n    \"a\": {}, // a\n    \"docent\": {\n      \"command\": \"docent\"\n    },\n  },\n}\n",
		},
		{
			"an older entry is replaced", "{\"mcpServers\": {\"docent\": {\"command\": \"old\"}, \"b\": 1}}",
			"{\"mcpServers\": {\"docent\": {\n  \"command\": \"docent\"\n}, \"b\": 1}}",
		},
		{
			"Windows line ends", "{\r\n  \"mcpServers\": {}\r\n}\r\n",
			"{\r\n  \"mcpServers\": {\r\n    \"docent\": {\r\n      \"command\": \"docent\"\r\n    }\r\n  }\r\n}\r\n",
		},
		{
			"what looks like a comment or a brace in a text", `{"u": "http://x/*}*/", "mcpServers": {"a": "}"}}`,
			"{\"u\": \"http://x/*}*/\", \"mcpServers\": {\"a\": \"}\",\n  \"docent\": {\n    \"command\": \"docent\"\n  }\n}}",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := putJSON([]byte(tt.in), []string{"mcpServers"}, Name, entry)
			if err != nil || string(got) != tt.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

// The second version of opencode's form has the servers one level deeper.
func TestServersMayLieDeeper(t *testing.T) {
	got, err := putJSON([]byte(`{"mcp": {"servers": {"a": {"type": "local"}}}}`), []string{"mcp"}, Name, entry)
	var file struct {
		MCP struct{ Servers map[string]any }
	}
	if err != nil || json.Unmarshal(got, &file) != nil || file.MCP.Servers[Name] == nil {
		t.Errorf("%v: %s", err, got)
	}
}

// A file that is broken, or has something else in that place, is left alone.
func TestWhatCannotBeEditedIsRefused(t *testing.T) {
	for _, in := range []string{
		"[]", "nonsense", `{"a": }`, `{"a": 1`, `{"a" 1}`, `{"mcpServers": []}`, `{"mcpServers": null}`, `{"a": 1} {}`, `{"a": "x}`, "{/*",
		strings.Repeat(`{"a":`, 5000),
	} {
		if got, err := putJSON([]byte(in), []string{"mcpServers"}, Name, entry); err == nil {
			t.Errorf("%.40s becomes %s", in, got)
		}
	}
	if _, err := putYAML([]byte("extensions: {a: {enabled: true}}\n"), "extensions", Name, entry); err == nil {
		t.Error("a mapping on one line was edited")
	}
	if _, err := putTOML([]byte("[mcp_servers]\nmcp_servers.docent = {command = \"x\"}\n"), "mcp_servers.docent", entry); err == nil {
		t.Error("an inline table was edited")
	}
}

// Whatever is put in can be taken out, and leaves what was there.
func FuzzPutJSON(f *testing.F) {
	f.Add(`{"mcpServers": {"a": {}}} // x`)
	f.Add("{\n  \"a\": [1, 2,], /* c */\n}")
	f.Fuzz(func(t *testing.T, in string) {
		with, err := putJSON([]byte(in), []string{"mcpServers"}, Name, entry)
		if err != nil || strings.TrimSpace(in) == "" {
			return
		}
		if again, err := putJSON(with, []string{"mcpServers"}, Name, entry); err != nil || string(again) != string(with) {
			t.Fatalf("%q becomes %q, then %q: %v", in, with, again, err)
		}
		without, err := cutJSON(with, []string{"mcpServers"}, Name)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", in, with, err)
		}
		if _, err := openJSON(without); err != nil {
			t.Fatalf("%q is left as %q: %v", in, without, err)
		}
	})
}
