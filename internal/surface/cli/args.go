package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

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
