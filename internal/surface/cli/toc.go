package cli

import (
	"context"
	"errors"

	"github.com/docent-md/docent"
	"github.com/spf13/cobra"
)

const tocHelp = `Print the heading tree of a file, with the Ref, the lines and the price in tokens of
each section; of a folder, its files with their titles and totals. With --depth a
folder's headings are shown too.

Paths are files and folders on disk, or - for standard input; one that is not there is
looked up among the documents of the project. Without any, all documents
of the project are shown. With --root, what is named (all of it by default) is looked up in
that folder, index or pack.`

const tocExample = `  docent toc
  docent toc guide/auth.md
  docent toc docs --depth 2`

func newTOC(c *console) *cobra.Command {
	var o docent.OutlineOptions
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:     "toc [file|folder|-] ...",
		Short:   "list the headings of a file or the files of a folder, with prices",
		Long:    tocHelp,
		Example: tocExample,
	}
	var lib libraryFlags
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.Depth, "depth", 0, "deepest heading level to show, 1 to 6 (default: all of a file, none of a folder)")
	f.StringVar(&o.Tokens, "tokens", "", "how tokens are counted: o200k, claude or chars4 (default o200k)")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	f.BoolVarP(&verbose, "verbose", "v", false, "list the files that were skipped")
	lib.add(f)
	ask := func(ctx context.Context, args []string) error {
		lib.words = true
		return lib.with(ctx, c, func(l *docent.Library) error {
			if len(args) > 1 {
				return errors.New("with --root or a named index, toc takes one file or folder")
			}
			outline, err := l.Outline(ctx, append(args, "")[0], o.Depth)
			if err != nil {
				return err
			}
			lib.mark(outline)
			return c.print(outline, asJSON)
		})
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.Changed("depth") {
			if err := inRange("depth", o.Depth, 1, 6); err != nil {
				return err
			}
		}
		if len(args) > 0 {
			if err := lib.named(&args[0]); err != nil {
				return err
			}
		}
		if len(args) == 0 || f.Changed("root") || lib.index != "" || lib.db != "" || lib.cluster.urls != "" {
			return ask(cmd.Context(), args)
		}
		outline, report, err := docent.Contents(cmd.Context(), args, docent.ScanOptions{Stdin: c.in}, o)
		if errors.Is(err, docent.ErrNoPath) && len(args) == 1 && docent.Indexed("") { // no file of that name: a Ref
			return ask(cmd.Context(), args)
		}
		if err != nil {
			return scanHint(err)
		}
		c.skipped(report, verbose)
		return c.print(outline, asJSON)
	}
	return cmd
}
