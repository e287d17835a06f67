package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

// A command that is made alone must be the one that the whole command line has:
// same name, same help, same complaints.
func TestCommandAloneIsTheSame(t *testing.T) {
	say := func(args []string, newRoot func(*console, []string) (*cobra.Command, error)) string {
		var out, errs bytes.Buffer
		c := newConsole(strings.NewReader(""), &out, &errs)
		root, err := newRoot(c, args)
		if err == nil {
			root.SetArgs(args)
			err = root.ExecuteContext(t.Context())
		}
		c.out.Flush()
		c.finish(err)
		return out.String() + errs.String()
	}
	whole := func(c *console, args []string) (*cobra.Command, error) {
		root := bareRoot(c)
		addVersion(root)
		addAll(c, root)
		return root, unknownCommand(root, args)
	}
	root, _ := whole(newConsole(nil, nil, nil), nil)
	if n := len(root.Commands()); n != len(commands)+len(tool.All())+2 { // help and completion are cobra's
		t.Errorf("%d commands: a name is there twice, or missing", n)
	}
	for _, cmd := range root.Commands() {
		name := cmd.Name()
		alone := newCommand(newConsole(nil, nil, nil), name)
		if name == "help" || name == "completion" {
			if alone != nil {
				t.Errorf("%s is made alone", name)
			}
			continue
		}
		if alone == nil || alone.Name() != name {
			t.Errorf("the name %s makes %v", name, alone)
			continue
		}
		for _, args := range [][]string{{name, "--help"}, {name, "--no-such-flag"}, {name, "-h", "search"}} {
			if got, want := say(args, newRoot), say(args, whole); got != want {
				t.Errorf("docent %s says\n%s\nand with all commands\n%s", strings.Join(args, " "), got, want)
			}
		}
	}
	// What specifications call operations, and operations for agents, are no commands.
	for _, name := range []string{"get_section", "index_markdown_docs"} {
		if cmd := newCommand(newConsole(nil, nil, nil), name); cmd != nil {
			t.Errorf("the name %s makes %s", name, cmd.Name())
		}
	}
	for _, args := range [][]string{{"--version"}, {"-v"}} {
		if got, want := say(args, newRoot), say(args, whole); got != want {
			t.Errorf("docent %s says\n%s\nand with all commands\n%s", strings.Join(args, " "), got, want)
		}
	}
}
