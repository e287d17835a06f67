package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// named has the flags of "docent index --name".
type named struct {
	name, description string
	windows           bool
	ignore            []string
	flags             *pflag.FlagSet
}

func (n *named) add(f *pflag.FlagSet) {
	n.flags = f
	f.StringVar(&n.name, "name", "", "build a named index of the given folder")
	f.StringVar(&n.description, "description", "", "with --name: one line about its content")
	f.BoolVar(&n.windows, "windows", false, "with --name or --db: overlapping windows of 64 to 320 tokens instead of sections; a named index keeps them until --windows=false")
	f.StringSliceVar(&n.ignore, "ignore", nil, "with --name or --db: patterns to skip, as in .gitignore; may be repeated; a named index keeps them until others are given")
}

// indexNamed builds the named index of a folder.
func (x *indexFlags) indexNamed(ctx context.Context, c *console, folder string, o docent.Options) error {
	n := &x.own
	set, err := x.in.set(docent.IndexSetOptions{Options: docent.Options{Note: c.noteText}})
	if err != nil {
		return err
	}
	defer set.Close()
	if folder == "" && !set.Has(n.name) { // a new index of this folder
		folder = "."
	}
	start := time.Now()
	how := docent.MakeOptions{Windows: n.windows, Sections: n.flags.Changed("windows") && !n.windows, Options: o}
	if n.flags.Changed("ignore") {
		how.Ignore = append([]string{}, n.ignore...)
	}
	made, err := set.Make(ctx, n.name, n.description, folder, how)
	if err != nil {
		return libraryHint(err)
	}
	took := time.Since(start).Seconds()
	if x.verbose {
		if err := listSkippedOf(ctx, c, set, n.name); err != nil {
			return err
		}
	}
	var sums *answer.SummaryReport
	if x.summaries {
		open := func(o docent.Options) (*docent.Library, error) {
			with, err := x.in.set(docent.IndexSetOptions{Options: o})
			if err != nil {
				return nil, err
			}
			return with.Library(n.name)
		}
		if sums, err = summarise(ctx, c, open, x.yes); err != nil {
			return err
		}
	}
	if x.asJSON {
		made.Centroid = nil
		return c.json(struct {
			*answer.NamedIndex
			Summaries *answer.SummaryReport `json:"summaries,omitempty"`
		}{made, sums})
	}
	err = c.printf("index %s: %s, %s, %.2f s\n", made.Name, count(made.Files, "file"), count(made.Chunks, "chunk"), took)
	return cmp.Or(err, printSummaries(c, sums))
}

// listSkippedOf prints which files a named index does not have, and why.
func listSkippedOf(ctx context.Context, c *console, set *docent.IndexSet, name string) error {
	lib, err := set.Library(name)
	if err != nil {
		return err
	}
	defer lib.Close()
	s, err := lib.Status(ctx, answer.StatusOptions{})
	if err == nil {
		listSkipped(c, s.Skipped)
	}
	return err
}

// newIndexes makes "docent indexes".
func newIndexes(c *console) *cobra.Command {
	var in namedFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "indexes",
		Short: "list the named indexes of this project, or of this user",
		Long: `List the named indexes of this project, or with --global of this user: what each is
about, its folder, its size, when it was last refreshed and whether files have changed
since. Queries refresh an index by themselves.

"docent index --name" builds one, "docent search --index" searches one, several or all
(the named ones and the project's own documents), and "docent indexes rm" deletes one.
Documents are never changed.`,
		Example: "  docent index --name api --description 'the HTTP API' docs/api\n  docent indexes\n  docent search --index all rotate keys\n  docent indexes rm api",
		Args:    noArgs,
	}
	f := flagsOf(cmd)
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	in.add(f)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		set, err := in.set(docent.IndexSetOptions{Options: docent.Options{Note: c.noteText}})
		if err != nil {
			return err
		}
		all, err := set.List()
		if err != nil {
			return err
		}
		for i := range all {
			all[i] = set.Inspect(cmd.Context(), all[i])
			all[i].Centroid = nil
		}
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if asJSON {
			if all == nil {
				all = []answer.NamedIndex{}
			}
			return c.json(all)
		}
		for _, n := range all {
			about := ""
			if n.Description != "" {
				about = clean(n.Description) + "  "
			}
			fmt.Fprintf(c.out, "%s  %s(%s, %s, %s, %s, %s: %s)\n", n.Name, about, clean(n.Root), count(n.Files, "file"), count(n.Chunks, "chunk"), n.Model,
				n.Updated.Format("2006-01-02 15:04"), clean(n.Freshness))
		}
		if len(all) == 0 {
			return errors.Join(errNothing, noIndexes(c))
		}
		return nil
	}
	cmd.AddCommand(newIndexesRemove(c))
	return cmd
}

func noIndexes(c *console) error {
	return c.printf("there are no named indexes: docent index --name docs <folder> builds one\n")
}

func newIndexesRemove(c *console) *cobra.Command {
	var in namedFlags
	cmd := &cobra.Command{
		Use: "rm <name>", Short: "delete a named index; the documents stay", Example: "  docent indexes rm api",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return withHint(errors.New("rm needs the name of an index"), "for example: docent indexes rm api")
			}
			return nil
		},
	}
	in.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		set, err := in.set(docent.IndexSetOptions{Options: docent.Options{Note: c.noteText}})
		if err != nil {
			return err
		}
		if err := set.Remove(cmd.Context(), args[0]); err != nil {
			return err
		}
		return c.printf("removed the index %s\n", args[0])
	}
	return cmd
}
