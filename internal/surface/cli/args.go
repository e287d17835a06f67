package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagsOf returns the flags of a command, which help lists in the order they are added.
func flagsOf(cmd *cobra.Command) *pflag.FlagSet {
	f := cmd.Flags()
	f.SortFlags = false
	return f
}

// A flagRule says where a flag has an effect.
type flagRule struct {
	flag  string
	ok    bool   // it has one here
	where string // it has one, for people
}

// refuseUnless returns an error for the first flag that was given where it has no effect:
// ignoring it would do something else than was asked for.
func refuseUnless(f *pflag.FlagSet, rules []flagRule) error {
	for _, r := range rules {
		if !r.ok && f.Changed(r.flag) {
			return fmt.Errorf("--%s %s", r.flag, r.where)
		}
	}
	return nil
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return withHint(fmt.Errorf("%s takes no arguments: %s", cmd.Name(), args[0]), "%q shows how it is used", cmd.CommandPath()+" --help")
	}
	return nil
}

func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return errors.New(cmd.Name() + " takes one argument at most")
	}
	return nil
}

// joinEmbed joins "--embed none" to "--embed=none", which pflag requires of a flag whose
// value is optional.
func joinEmbed(args []string) []string {
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "--embed" && i+1 < len(args) && slices.Contains(embedding.Kinds, args[i+1]) {
			joined := append(slices.Clone(args[:i]), a+"="+args[i+1])
			return append(joined, args[i+2:]...)
		}
	}
	return args
}
