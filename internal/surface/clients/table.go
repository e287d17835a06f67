package clients

// summary is what docent is, for clients that keep a description of each server.
const summary = "search and read Markdown documentation, with citations"

// The forms of an entry that several clients share.

func command(words []string) object {
	return object{{"command", words[0]}, {"args", words[1:]}}
}

func typedCommand(words []string) object {
	return append(object{{"type", "stdio"}}, command(words)...)
}

// address is an entry for an HTTP server under a key, after fields that come first.
func address(key string, first ...field) func(url, authorization string) object {
	return func(url, authorization string) object {
		o := append(append(object{}, first...), field{key, url})
		if authorization != "" {
			o = append(o, field{"headers", object{{"Authorization", authorization}}})
		}
		return o
	}
}

// All returns the clients whose form is known.
func All() []Client {
	return []Client{
		{
			Name: "claude-code", keys: []string{"mcpServers"}, local: typedCommand, remote: address("url", field{"type", "http"}),
			token: "Bearer ${DOCENT_TOKEN}", shared: true, file: inProject(".mcp.json"),
			add: "claude mcp add --scope project docent --", signs: signs{programs: []string{"claude"}, folders: []string{".claude"}},
		},
		{
			Name: "claude-desktop", keys: []string{"mcpServers"}, local: command,
			file: appFile("Claude/claude_desktop_config.json"), label: "Claude Desktop's claude_desktop_config.json",
			signs: signs{app: []string{"Claude"}},
		},
		{
			Name: "codex", format: tomlFormat, keys: []string{"mcp_servers"}, local: command,
			remote: func(url, authorization string) object {
				o := object{{"url", url}}
				if authorization != "" {
					o = append(o, field{"bearer_token_env_var", TokenVariable})
				}
				return o
			},
			token: TokenVariable, file: codexFile, label: "~/.codex/config.toml",
			add: "codex mcp add docent --", signs: signs{programs: []string{"codex"}, folders: []string{".codex"}},
		},
		{
			Name: "cursor", keys: []string{"mcpServers"}, local: command, remote: address("url"), token: "Bearer ${env:DOCENT_TOKEN}",
			shared: true, folder: "${workspaceFolder}", file: inProject(".cursor/mcp.json"),
			signs: signs{programs: []string{"cursor"}, folders: []string{".cursor"}},
		},
		{
			Name: "vscode", keys: []string{"servers"}, local: typedCommand, remote: address("url", field{"type", "http"}),
			token: "Bearer ${env:DOCENT_TOKEN}", shared: true, folder: "${workspaceFolder}", file: inProject(".vscode/mcp.json"),
			signs: signs{programs: []string{"code"}, folders: []string{".vscode"}, app: []string{"Code"}},
		},
		{
			Name: "zed", keys: []string{"context_servers"}, local: command, remote: address("url"),
			file: zedFile, label: "Zed's settings.json",
			signs: signs{programs: []string{"zed", "zeditor"}, folders: []string{".config/zed"}},
		},
		{
			Name: "gemini-cli", keys: []string{"mcpServers"}, local: command, remote: address("httpUrl"), token: "Bearer $DOCENT_TOKEN",
			shared: true, file: inProject(".gemini/settings.json"),
			signs: signs{programs: []string{"gemini"}, folders: []string{".gemini"}},
		},
		{
			// Its first version reads servers below "mcp" and its second below "mcp.servers", but
			// also what the first had. A server is on unless it is switched off, in the first by
			// "enabled" and in the second by "disabled": without either the entry fits both.
			Name: "opencode", keys: []string{"mcp"},
			local: func(words []string) object {
				return object{{"type", "local"}, {"command", words}}
			},
			remote: address("url", field{"type", "remote"}),
			token:  "Bearer {env:DOCENT_TOKEN}", shared: true, file: opencodeFile,
			signs: signs{programs: []string{"opencode"}, folders: []string{".config/opencode"}},
		},
		{
			Name: "windsurf", keys: []string{"mcpServers"}, local: command, remote: address("serverUrl"), token: "Bearer ${env:DOCENT_TOKEN}",
			file: inHome(".codeium/windsurf/mcp_config.json"), label: "~/.codeium/windsurf/mcp_config.json; Devin Desktop, as it is called now, has a client of its own, devin",
			signs: signs{programs: []string{"windsurf"}, folders: []string{".codeium/windsurf"}},
		},
		{
			Name: "devin", keys: []string{"mcpServers"}, local: command, remote: address("url"),
			file: devinFile, label: "mcp_config.json in Devin's configuration folder",
			add: "devin mcp add -s user docent --", signs: signs{programs: []string{"devin"}, folders: []string{".config/devin"}, app: []string{"devin"}},
		},
		{
			Name: "cline", keys: []string{"mcpServers"},
			local: func(words []string) object {
				return append(command(words), field{"disabled", false}, field{"autoApprove", []string{}})
			},
			remote: address("url", field{"type", "streamableHttp"}),
			file:   clineFile, label: "Cline's cline_mcp_settings.json",
			signs: signs{programs: []string{"cline"}, folders: []string{".cline"}, app: []string{"Code/User/globalStorage/saoudrizwan.claude-dev"}},
		},
		{
			// Junie's file, which its plug-in and its command line share. AI Assistant takes the
			// same text, pasted into its settings.
			Name: "jetbrains", keys: []string{"mcpServers"}, local: command, remote: address("url"),
			shared: true, file: inProject(".junie/mcp/mcp.json"), label: ".junie/mcp/mcp.json in the project's folder, or Settings | Tools | AI Assistant | MCP",
			signs: signs{folders: []string{".junie"}, app: []string{"JetBrains"}},
		},
		{
			Name: "goose", format: yamlFormat, keys: []string{"extensions"},
			local: func(words []string) object {
				o := object{{"name", Name}, {"description", summary}, {"type", "stdio"}, {"enabled", true}}
				return append(o, field{"cmd", words[0]}, field{"args", words[1:]}, field{"timeout", 300})
			},
			// Of an HTTP server goose also wants a description: without one it does not load it.
			remote: func(url, authorization string) object {
				o := object{{"name", Name}, {"description", summary}, {"type", "streamable_http"}, {"enabled", true}, {"uri", url}}
				if authorization != "" {
					o = append(o, field{"headers", object{{"Authorization", authorization}}})
				}
				return append(o, field{"timeout", 300})
			},
			file: gooseFile, label: "goose's config.yaml",
			signs: signs{programs: []string{"goose"}, folders: []string{".config/goose"}},
		},
		Generic(),
	}
}

// Generic is what most other clients read.
func Generic() Client {
	return Client{
		Name: "generic", keys: []string{"mcpServers"}, local: command, remote: address("url", field{"type", "http"}),
		label: "the client's configuration",
	}
}
