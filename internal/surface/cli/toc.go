package cli

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/browse"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

// whereDoc describes --where.
const whereDoc = "only files whose front matter meets this: status=draft, tag=security, date>2025-01; may be repeated"

func newTOC(c *console, t tool.Tool) *cobra.Command {
	var o browse.OutlineOptions
	var page answer.OverviewOptions
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
	f.IntVar(&page.Budget, "budget", 0, "most tokens: what does not fit becomes an overview")
	f.IntVar(&page.Offset, "offset", 0, "entries to skip: where the page before ended")
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
			page.Where = where
			found, err := tool.TableOfContents(ctx, l, append(args, "")[0], page)
			if err != nil {
				return err
			}
			lib.mark(found)
			if err := c.print(found, asJSON); err != nil {
				return err
			}
			if o, ok := found.(*answer.Outline); ok && len(o.Files) == 0 && len(where) > 0 {
				return errNothing
			}
			return nil
		})
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, n := range []struct {
			name  string
			value int
			least int
			most  int
		}{{"depth", o.Depth, 1, 6}, {"budget", page.Budget, answer.MinBudget, math.MaxInt32}, {"offset", page.Offset, 1, math.MaxInt32}} {
			if f.Changed(n.name) {
				if err := inRange(n.name, n.value, n.least, n.most); err != nil {
					return err
				}
			}
		}
		page.Depth = o.Depth
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
		if page.Budget == 0 && page.Offset == 0 {
			return c.print(outline, asJSON)
		}
		view, err := browse.OverviewOf(outline, "", page)
		if err != nil {
			return err
		}
		if view.Whole {
			return c.print(outline, asJSON)
		}
		return c.print(view, asJSON)
	}
	return cmd
}
