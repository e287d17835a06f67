package cli

import (
	"cmp"
	"context"
	"errors"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/library/browse"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

// whereDoc describes --where.
const whereDoc = "only files whose front matter meets this: status=draft, tag=security, date>2025-01; may be repeated"

func newTOC(c *console, t tool.Tool) *cobra.Command {
	var o browse.OutlineOptions
	var asJSON, verbose bool
	var where []string
	var since string
	cmd := &cobra.Command{
		Use:     "toc [file|folder|-] ...",
		Short:   t.Doc,
		Long:    t.Help,
		Example: t.Example,
	}
	var lib libraryFlags
	f := flagsOf(cmd)
	f.IntVar(&o.Depth, "depth", 0, "deepest heading level to show, 1 to 6 (default: all of a file, none of a folder)")
	f.StringArrayVar(&where, "where", nil, whereDoc)
	f.StringVar(&since, "changed-since", "", "only files that were changed since: 30d, 2025-01-01, 'last week'")
	f.StringVar(&o.Tokens, "tokens", "", "tokenizer to estimate: o200k, claude or chars4 (default: that of .docent.json, else o200k)")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	f.BoolVarP(&verbose, "verbose", "v", false, "list the files that were skipped")
	lib.add(f)
	ask := func(ctx context.Context, args []string) error {
		if err := refuseUnless(f, []flagRule{
			{"tokens", false, `goes with files that are named; an index counts as "tokens" in .docent.json says`},
			{"verbose", false, "goes with files that are named; docent index --verbose lists what an index skips"},
		}); err != nil {
			return err
		}
		lib.words = true
		if since != "" {
			where = append(where, docent.ChangedSince+since)
		}
		return lib.with(ctx, c, func(l *docent.Library) error {
			if len(args) > 1 {
				return errors.New("with --root or a named index, toc takes only one file or folder")
			}
			outline, err := l.Outline(ctx, append(args, "")[0], o.Depth, where...)
			if err != nil {
				return err
			}
			lib.mark(outline)
			if err := c.print(outline, asJSON); err != nil || len(outline.Files) > 0 || len(where) == 0 {
				return err
			}
			return errNothing
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
		if err := refuseUnless(f, []flagRule{
			{"where", false, "goes with an index: name one with --root or --index"},
			{"changed-since", false, "goes with an index: name one with --root or --index"},
			{"no-refresh", false, "goes with an index: name one with --root or --index"},
			{"global", false, "goes with --index"},
			{"tenant", false, "goes with --cluster"},
		}); err != nil {
			return err
		}
		scan := corpus.ScanOptions{Stdin: c.in}
		if project, err := corpus.Find(""); err == nil && project.File != "" {
			scan.Project, o.Tokens = project, cmp.Or(o.Tokens, project.Config.Tokens)
		}
		outline, report, err := browse.Contents(cmd.Context(), args, scan, o)
		if errors.Is(err, docent.ErrNoPath) && len(args) == 1 && corpus.Indexed("") { // no file of that name: a Ref
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
