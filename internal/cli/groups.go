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
			cmd.Short = "say how a command is used"
		case "completion":
			cmd.Short = "print a script that completes commands, Refs and flags: bash, zsh, fish, powershell"
		}
	}
}
