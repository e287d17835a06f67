package cli

import (
	"errors"
	"io"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

// newTools makes "docent tools".
func newTools(c *console) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "tools [tool ...]",
		Short: "print the tool definitions for a model's API",
		Long: `Print docent's operations as tool definitions, ready to be passed to a model's API: the
few that an agent needs, those that are named, or "all". "docent call" runs what the
model then asks for.`,
		Example: "  docent tools --format openai\n  docent tools search verify\n  docent tools all",
	}
	cmd.Flags().StringVar(&format, "format", "anthropic", "shape: "+strings.Join(tool.Formats, ", "))
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		defs, err := tool.Definitions(format, args...)
		if err != nil {
			return err
		}
		return c.json(defs)
	}
	return cmd
}

// newCall makes "docent call".
func newCall(c *console) *cobra.Command {
	var lib libraryFlags
	cmd := &cobra.Command{
		Use:   "call <tool> <json|->",
		Short: "run a tool call as a model makes it",
		Long: `Run one of the operations that "docent tools" lists, with its parameters as a JSON
object (- reads it from standard input), and print what the model shall be told.`,
		Example: `  docent call read '{"ref": "guide/auth.md#jwt", "limit": 20}'
  docent call grep '{"pattern": "price|cost"}'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return withHint(errors.New("call needs a tool and its parameters"), `for example: docent call search '{"query": "rotate keys"}'`)
			}
			return nil
		},
	}
	lib.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		t, err := tool.Find(args[0])
		if err != nil {
			if near := nearest(args[0], toolNames()); near != "" {
				return withHint(err, "did you mean docent call %s?", near)
			}
			return err
		}
		lib.words = !t.Vectors
		params := []byte("{}")
		if len(args) == 2 {
			params = []byte(args[1])
		}
		if string(params) == "-" {
			var err error
			if params, err = io.ReadAll(io.LimitReader(c.in, 1<<20)); err != nil {
				return err
			}
		}
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			text, err := tool.CallString(cmd.Context(), l, args[0], params)
			if err != nil {
				return err
			}
			return c.printf("%s\n", strings.TrimSuffix(text, "\n"))
		})
	}
	return cmd
}

func toolNames() []string {
	var names []string
	for _, t := range tool.All() {
		names = append(names, t.Name)
	}
	return names
}
