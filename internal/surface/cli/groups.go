package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// groups say under which title "docent help" lists a command.
var groups = []struct{ title, names string }{
	{"Ask:", "search grep read section toc examples files links related verify open"},
	{"Look closer:", "explain snippets node list ls info stats status"},
	{"Look after documents:", "check changes report init add update remove sources"},
	{"Keep indexes:", "index indexes watch pack export chunks cluster train"},
	{"Hand to agents:", "serve mcp-config agents-md skill llms-txt manifest tools call"},
	{"Measure:", "bench eval cost"},
}

const completionHelp = `Print a script that has a shell complete commands, flags and their values, named indexes
and, where there is an index, paths and headings:

  bash        source <(docent completion bash)              in ~/.bashrc
  zsh         source <(docent completion zsh)               in ~/.zshrc, after compinit
  fish        docent completion fish | source               in ~/.config/fish/config.fish
  powershell  docent completion powershell | Out-String | Invoke-Expression`

// group sorts the commands into groups, and has cobra's own speak as ours do.
func group(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		names := strings.Fields(g.names)
		for _, cmd := range root.Commands() {
			if slices.Contains(names, cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Short, cmd.Long = "say how a command is used", "Say how a command is used: what it does, its flags, and examples."
		case "completion":
			cmd.Short, cmd.Long = "print a script for a shell that completes commands, Refs and flags", completionHelp
			for _, shell := range cmd.Commands() {
				shell.Short = "for " + shell.Name()
			}
		}
	}
}
