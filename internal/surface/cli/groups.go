package cli

import (
	"fmt"
	"strings"

	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

// Groups of commands that are no operations.
const (
	keepIndexes tool.Group = "Keep indexes"
	measure     tool.Group = "Measure"
)

// groups are the headings of help, in order.
var groups = []struct {
	group tool.Group
	title string
}{
	{tool.Ask, "Ask:"},
	{tool.LookCloser, "Look closer:"},
	{tool.LookAfter, "Look after documents:"},
	{keepIndexes, "Keep indexes:"},
	{tool.ForAgents, "Hand to agents:"},
	{measure, "Measure:"},
}

const helpHelp = `Show how a command is used: what it does, its flags, and examples. "docent help" lists the
everyday commands, "docent help all" every command. --man prints it as a man page.`

const completionHelp = `Print a script that has a shell complete commands, flags and their values, named indexes
and, where there is an index, paths and headings:

  bash        source <(docent completion bash)              in ~/.bashrc
  zsh         source <(docent completion zsh)               in ~/.zshrc, after compinit
  fish        docent completion fish | source               in ~/.config/fish/config.fish
  powershell  docent completion powershell | Out-String | Invoke-Expression`

// group puts the commands into groups, and rewords the commands that cobra adds.
func group(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: string(g.group), Title: g.title})
	}
	for _, cmd := range commands {
		command(root, cmd.name).GroupID = string(cmd.group)
	}
	for _, t := range tool.All() {
		command(root, t.Name).GroupID = string(t.Group)
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	help := command(root, "help")
	help.Short, help.Long = "show how a command is used", helpHelp
	addMan(root, help)
	names := help.ValidArgsFunction
	help.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		out, directive := names(cmd, args, begun)
		if len(args) == 0 && strings.HasPrefix("all", begun) {
			out = append(out, "all\tlist every command")
		}
		return out, directive
	}
	completion := command(root, "completion")
	completion.Short, completion.Long = "print a script for a shell that completes commands, Refs and flags", completionHelp
	for _, shell := range completion.Commands() {
		shell.Short = "for " + shell.Name()
		shell.Long = "Print the script for " + shell.Name() + ". \"docent completion --help\" says where it goes."
	}
}

// setHelp has the help of root list the everyday commands, and "docent help all" every
// command.
func setHelp(root *cobra.Command, args []string) {
	full := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd == root {
			cmd.Print(shortHelp(root))
			return
		}
		full(cmd, args)
	})
	if len(args) > 0 && args[0] == "help" { // all is a topic, not a command
		all := &cobra.Command{Use: "all", Hidden: true}
		all.SetHelpFunc(func(_ *cobra.Command, args []string) {
			root.InitDefaultHelpFlag()
			root.InitDefaultVersionFlag()
			full(root, args)
		})
		root.AddCommand(all)
	}
}

// shortHelp lists the everyday commands: in each group the operations first, in the
// order of their table.
func shortHelp(root *cobra.Command) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s\n\nUsage:\n  docent <command> [flags]\n", about)
	for _, g := range groups {
		var names []string
		for _, t := range tool.All() {
			if t.Everyday && t.Group == g.group {
				names = append(names, t.Name)
			}
		}
		for _, cmd := range commands {
			if cmd.everyday && cmd.group == g.group {
				names = append(names, cmd.name)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(b, "\n%s\n", g.title)
		}
		for _, name := range names {
			fmt.Fprintf(b, "  %-10s%s\n", name, command(root, name).Short)
		}
	}
	b.WriteString("\n\"docent help all\" lists the other commands, \"docent help <command>\" shows how one is used.\n")
	return b.String()
}

// command returns a subcommand by name; an empty one if there is none.
func command(above *cobra.Command, name string) *cobra.Command {
	for _, cmd := range above.Commands() {
		if cmd.Name() == name {
			return cmd
		}
	}
	return &cobra.Command{}
}
