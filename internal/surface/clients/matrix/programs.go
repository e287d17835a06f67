package main

// A program is a client that reads a configuration file.
type program struct {
	name   string // of "mcp-config --client"
	pkg    string // from npm, with its version; "" if it cannot be had there
	why    string // in the table, where it cannot be had
	file   string // its configuration: below project/ or home/
	before string // what that file holds already

	trust map[string]string // files by which its user has said that the folder may be used; PROJECT is its path
	args  []string          // list the servers
	input string            // on standard input

	connected string // a pattern of what it prints once it is connected; "" if it cannot be made to
	reads     string // a pattern of what it prints of the entry alone
}

const (
	otherJSON = "{\n  // mine\n  \"mcpServers\": {\n    \"other\": { \"command\": \"true\" }\n  }\n}\n"
	plainJSON = "{\n  \"mcpServers\": {\n    \"other\": { \"command\": \"true\" }\n  }\n}\n"
)

var programs = []program{
	{
		name: "claude-code", pkg: "@anthropic-ai/claude-code@2.1.325", file: "project/.mcp.json", before: plainJSON,
		trust: map[string]string{"home/.claude/settings.json": `{"enableAllProjectMcpServers":true}`},
		args:  []string{"claude", "mcp", "list"}, connected: `docent: .*Connected`, reads: `docent: `,
	},
	{
		name: "codex", pkg: "@openai/codex@0.166.0", file: "home/.codex/config.toml", before: "# mine\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"true\"\n",
		args: []string{"codex", "app-server"},
		input: `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"matrix","title":"matrix","version":"1"}}}` + "\n" +
			`{"method":"initialized"}` + "\n" + `{"id":2,"method":"mcpServerStatus/list","params":{}}` + "\n",
		connected: `"name":"docent".*"get_section"`, reads: `"name":"docent"`,
	},
	{
		name: "gemini-cli", pkg: "@google/gemini-cli@0.61.0", file: "project/.gemini/settings.json", before: otherJSON,
		trust: map[string]string{"home/.gemini/trustedFolders.json": `{"PROJECT":"TRUST_FOLDER"}`},
		args:  []string{"gemini", "mcp", "list"}, connected: `docent: .*Connected`, reads: `docent: `,
	},
	{
		name: "opencode", pkg: "opencode-ai@1.18.33", file: "project/opencode.json", // it adds $schema to its file where that is missing
		before: "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  // mine\n  \"share\": \"disabled\",\n}\n",
		args:   []string{"opencode", "mcp", "list"}, connected: `docent.*connected`, reads: `docent`,
	},
	{
		name: "cline", pkg: "cline@3.0.65", file: "home/.cline/data/settings/cline_mcp_settings.json", before: plainJSON,
		args: []string{"cline", "config", "mcp", "--json"}, reads: `docent`,
	},
	{name: "claude-desktop", why: "a program with windows"},
	{name: "cursor", why: "a program with windows"},
	{name: "vscode", why: "a program with windows"},
	{name: "zed", why: "a program with windows"},
	{name: "windsurf", why: "a program with windows"},
	{name: "devin", why: "not in npm"},
	{name: "jetbrains", why: "its npm package downloads the program"},
	{name: "goose", why: "not in npm"},
	{
		name: "mcporter", pkg: "mcporter@0.12.3", file: "project/config/mcporter.json",
		args: []string{"mcporter", "list"}, connected: `docent \(6 tools`, reads: `docent`,
	},
	{
		name: "inspector", pkg: "@modelcontextprotocol/inspector@2.12.0", file: "project/mcp.json",
		args:      []string{"mcp-inspector", "--cli", "--config", "mcp.json", "--server", "docent", "--strict", "--method", "tools/list"},
		connected: `get_section`, reads: `get_section`,
	},
	{
		name: "copilot-cli", pkg: "@github/copilot@1.0.102", file: "home/.copilot/mcp-config.json",
		args: []string{"copilot", "mcp", "get", "docent"}, reads: `Status: Enabled`,
	},
}

// A library is a client without a configuration file.
type library struct {
	name, kind string // kind is what library.mjs calls it
	pkgs       []string
	http       bool // it speaks streamable HTTP
	isTold     bool // it can be told of changes, of a server that it starts
	listens    bool // and over HTTP: it speaks 2026-07-28, and asks for that
}

var libraries = []library{
	{name: "TypeScript SDK", kind: "sdk", pkgs: []string{"@modelcontextprotocol/sdk@1.32.2"}, http: true, isTold: true},
	{name: "TypeScript SDK, old", kind: "sdk", pkgs: []string{"@modelcontextprotocol/sdk@1.4.1"}, isTold: true},
	{name: "TypeScript client 2", kind: "client", pkgs: []string{"@modelcontextprotocol/client@2.4.0"}, http: true, isTold: true, listens: true},
	{name: "LangChain adapters", kind: "langchain", pkgs: []string{"@langchain/mcp-adapters@1.1.4", "@langchain/core@1.2.13"}, http: true, isTold: true},
	{name: "AI SDK", kind: "ai-sdk", pkgs: []string{"@ai-sdk/mcp@2.0.96", "ai@7.0.169"}, http: true},
}

// isOurs reports whether mcp-config knows the client by name. The others read the generic
// form, pasted.
func (p *program) isOurs() bool {
	return p.name != "mcporter" && p.name != "inspector" && p.name != "copilot-cli"
}
