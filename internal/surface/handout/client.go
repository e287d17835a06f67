package handout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A Client is a program that speaks MCP, and how it wants to be told of a
// server. The forms are those of the clients' own documentation, November 2026.
type Client struct {
	Name string // for --client
	File string // where the configuration goes
	Add  string // the client's own command for the same, before "docent serve ..."; "" where it has none

	key   string // of the object that holds the servers; "" for TOML
	typed bool   // a server says that it is of type "stdio"

	// A file that lies in the project is shared with all who clone it: it names
	// the documents from the project's folder. A file of the user's names them
	// by their full path.
	shared bool
	folder string // how that file names the project's folder; "" where servers are started in it
}

// Clients are those whose configuration is known.
var Clients = []Client{
	{Name: "claude-code", File: ".mcp.json in the project's folder", Add: "claude mcp add --scope project docent --", key: "mcpServers", typed: true, shared: true},
	{Name: "codex", File: "~/.codex/config.toml", Add: "codex mcp add docent --"},
	{Name: "cursor", File: ".cursor/mcp.json in the project's folder", key: "mcpServers", shared: true, folder: "${workspaceFolder}"},
	{Name: "vscode", File: ".vscode/mcp.json in the project's folder", key: "servers", typed: true, shared: true, folder: "${workspaceFolder}"},
	{Name: "zed", File: "Zed's settings.json", key: "context_servers"},
}

// Generic is what most other clients read.
var Generic = Client{Name: "generic", File: "the client's configuration", key: "mcpServers"}

// FindClient returns the client of that name.
func FindClient(name string) (Client, error) {
	var names []string
	for _, c := range Clients {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Client{}, fmt.Errorf("no client is called %q: there are %s", name, strings.Join(names, ", "))
}

// A Place is where the documents lie, as a client may have to name it.
type Place struct {
	Full     string // the full path
	Relative string // from the project's folder, with forward slashes: "" for that folder itself
	Outside  bool   // not in the project's folder, so that Relative says nothing
}

// args are the words after "docent".
func (c Client) args(p Place) []string {
	args := []string{"serve"}
	switch {
	case !c.shared || p.Outside:
		return append(args, "--root", p.Full)
	case c.folder == "" && p.Relative == "":
		return args
	case c.folder == "":
		return append(args, "--root", p.Relative)
	case p.Relative == "":
		return append(args, "--root", c.folder)
	}
	return append(args, "--root", c.folder+"/"+p.Relative)
}

// Config returns what to paste.
func (c Client) Config(p Place) (string, error) {
	args := c.args(p)
	if c.key == "" {
		return fmt.Sprintf("[mcp_servers.docent]\ncommand = \"docent\"\nargs = %s\n", tomlArray(args)), nil
	}
	type server struct {
		Type    string   `json:"type,omitempty"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	s := server{Command: "docent", Args: args}
	if c.typed {
		s.Type = "stdio"
	}
	b := &bytes.Buffer{}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(map[string]map[string]server{c.key: {"docent": s}})
	return b.String(), err
}

// Command is the client's own command that does the same, "" where it has none.
func (c Client) Command(p Place) string {
	if c.Add == "" {
		return ""
	}
	words := []string{c.Add, "docent"}
	for _, a := range c.args(p) {
		words = append(words, shellWord(a))
	}
	return strings.Join(words, " ")
}

// tomlArray writes an array of TOML's basic strings.
func tomlArray(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		b := &strings.Builder{}
		for _, r := range w {
			switch {
			case r == '"' || r == '\\':
				b.WriteString(`\` + string(r))
			case r < ' ' || isHidden(r):
				fmt.Fprintf(b, `\U%08X`, r)
			default:
				b.WriteRune(r)
			}
		}
		quoted[i] = `"` + b.String() + `"`
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
