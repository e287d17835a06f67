package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/spf13/cobra"
)

// newPathCommand makes a command that changes the paths of a config and then
// brings the index up to date.
func newPathCommand(c *console, name, short string, change func(ctx context.Context, root, path string) (string, error), long string) *cobra.Command {
	var root string
	var noIndex, asJSON bool
	cmd := &cobra.Command{
		Use:     name + " <path>",
		Short:   short,
		Long:    long,
		Example: "  docent " + name + " docs",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return withHint(fmt.Errorf("%s needs one path", name), "for example: docent %s docs", name)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&noIndex, "no-index", false, "leave the index as it is")
	f.StringVar(&root, "root", "", "the project's folder (default: that of the nearest .docent.json, else this one)")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := change(cmd.Context(), root, args[0])
		if err != nil {
			return scanHint(err)
		}
		out := struct {
			Path  string              `json:"path"`
			Index *docent.IndexReport `json:"index,omitempty"`
		}{Path: path}
		if !noIndex {
			out.Index, err = docent.Index(cmd.Context(), root, false, docent.Options{})
			if errors.Is(err, docent.ErrNoDocuments) && name == "remove" {
				c.note("no documents are left")
			} else if err != nil {
				return libraryHint(err)
			}
		}
		if asJSON {
			return c.json(out)
		}
		fmt.Fprintf(c.out, "%sd %s\n", trimE(name)+"e", path)
		if out.Index != nil {
			fmt.Fprintln(c.out, out.Index.Text())
		}
		return nil
	}
	return cmd
}

// trimE lets "add" become "added" and "remove" "removed".
func trimE(s string) string {
	if s[len(s)-1] == 'e' {
		return s[:len(s)-1]
	}
	return s
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
