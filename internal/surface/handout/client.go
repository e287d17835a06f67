package handout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// A Client is an MCP client and its configuration format, according to the client's
// own documentation of November 2026.
type Client struct {
	Name string // for --client
	File string // where the configuration goes
	Add  string // the client's own command, to which "docent serve ..." is added; "" if it has none

	key   string // of the object with the servers; "" for TOML
	typed bool   // a server has the type "stdio"

	// shared is set if the file is in the project, and so shared with everyone who
	// clones it: it has paths relative to the project's folder. A file of the user
	// has full paths.
	shared bool
	folder string // the variable for the project's folder; "" if servers are started in it
}

// Clients are those whose configuration format is known.
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
	for _, c := range Clients {
		if c.Name == name {
			return c, nil
		}
	}
	return Client{}, fmt.Errorf("no client is called %q: there are %s", name, strings.Join(ClientNames(), ", "))
}

// ClientNames returns the names of all clients.
func ClientNames() []string {
	var names []string
	for _, c := range Clients {
		names = append(names, c.Name)
	}
	return names
}

// A Place is the folder of the documents, in the forms that clients need.
type Place struct {
	Full     string // the full path
	Relative string // from the project's folder, with forward slashes; "" for that folder itself
	Outside  bool   // it is not in the project's folder, and Relative is not set
}

func (c Client) args(p Place) []string {
	root := p.Full
	if c.shared && !p.Outside {
		root = path.Join(c.folder, p.Relative)
	}
	if root == "" {
		return []string{"serve"}
	}
	return []string{"serve", "--root", root}
}

// Config returns the text to paste into the file.
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

// Command returns the client's own command that does the same; "" if it has none.
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
