package cli

import (
	"errors"
	"fmt"
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
	if word == "version" {
		return withHint(err, "\"docent --version\" prints it")
	}
	if near := nearest(word, names); near != "" {
		return withHint(err, "did you mean docent %s? \"docent help\" lists the commands", near)
	}
	return withHint(err, "\"docent help\" lists the commands")
}

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
	if near := nearest(name, names); near != "" {
		return withHint(err, "did you mean --%s? %s", near, help)
	}
	return withHint(err, "%s; words that begin with a dash go after --", help)
}

// nearest returns the name closest to word, or "" if none is close: at most a third of
// its letters differ, or it begins with word.
func nearest(word string, names []string) string {
	best, bestDistance := "", (len(word)+1)/3
	for _, name := range names {
		d := distance(word, name)
		if strings.HasPrefix(name, word) && len(word) >= 3 {
			d = min(d, 1)
		}
		if d < bestDistance || d == bestDistance && best == "" {
			best, bestDistance = name, d
		}
	}
	return best
}

// distance returns the edit distance, with swapped neighbours as one edit.
func distance(a, b string) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
