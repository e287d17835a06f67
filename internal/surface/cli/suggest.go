package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unknownCommand checks the command word before flags are parsed, so that the error of
// "docent serch x --json" is about serch and not about --json.
func unknownCommand(root *cobra.Command, args []string) error {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	onlyKnownShells(root)
	word := ""
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if strings.HasPrefix(arg, "-") || arg == "help" && i+1 < len(args) {
			continue // "docent help serch" is about serch
		}
		word = arg
		break
	}
	if word == "" || strings.HasPrefix(word, cobra.ShellCompRequestCmd) {
		return nil
	}
	var names []string
	for _, cmd := range root.Commands() {
		if cmd.Name() == word || cmd.HasAlias(word) {
			return nil
		}
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	err := fmt.Errorf("unknown command %q", word)
	if near := nearest(word, names); near != "" {
		return withHint(err, "did you mean docent %s? \"docent help\" lists the commands", near)
	}
	return withHint(err, "\"docent help\" lists the commands")
}

// howMany are what people call the flag for the most results, which -n is short for.
var howMany = []string{"count", "k", "limit", "max", "max-results", "num", "results", "top"}

// flagError rewrites cobra's errors about flags and adds a hint.
func flagError(cmd *cobra.Command, err error) error {
	help := fmt.Sprintf("%q lists the flags", cmd.CommandPath()+" --help")
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		text, _, _ := strings.Cut(err.Error(), ": strconv.")
		return withHint(errors.New(text), "%s", help)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return withHint(fmt.Errorf("unknown flag -%s", name), "%s; words that begin with a dash go after --", help)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	err = fmt.Errorf("unknown flag --%s", name)
	near := nearest(name, names)
	if most := cmd.Flags().ShorthandLookup("n"); most != nil && slices.Contains(howMany, name) {
		near = most.Name
	}
	if near != "" {
		return withHint(err, "did you mean --%s? %s", near, help)
	}
	return withHint(err, "%s; words that begin with a dash go after --", help)
}
