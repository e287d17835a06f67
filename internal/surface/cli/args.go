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
