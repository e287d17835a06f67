package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/source/settings"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// namedFlags say which catalogue of named indexes is meant.
type namedFlags struct {
	global bool
	root   string
}

func (n *namedFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&n.global, "global", false, "the indexes of this user instead of this project's")
	f.StringVar(&n.root, "root", "", "folder of the project (default: that of the nearest .docent.json, else this one)")
}

// catalogue opens it.
func (n namedFlags) catalogue() (*docent.Catalogue, error) {
	if !n.global {
		return docent.ProjectCatalogue(n.root)
	}
	dir, err := settings.DataDir()
	if err != nil {
		return nil, err
	}
	return docent.UserCatalogue(filepath.Join(dir, "indexes")), nil
}

// named is what "docent index --name" makes.
type named struct {
	name, description string
	windows           bool
	ignore            []string
	flags             *pflag.FlagSet
}

func (n *named) add(f *pflag.FlagSet) {
	n.flags = f
	f.StringVar(&n.name, "name", "", "make an index of this name, of the folder that is given")
	f.StringVar(&n.description, "description", "", "with --name: what it is about, in a line")
	f.BoolVar(&n.windows, "windows", false, "with --name: overlapping windows of 64 to 320 tokens instead of sections; kept until --windows=false")
	f.StringSliceVar(&n.ignore, "ignore", nil, "with --name: patterns to skip, as in .gitignore; may be repeated; kept until others are given")
}

// index makes the named index of a folder.
func (n *named) index(ctx context.Context, c *console, in namedFlags, folder string, o docent.Options, asJSON bool) error {
	cat, err := in.catalogue()
	if err != nil {
		return err
	}
	if folder == "" && cat.Has(n.name) != nil { // a new one, of this folder
		folder = "."
	}
	start := time.Now()
	how := docent.NamedOptions{Windows: n.windows, Sections: n.flags.Changed("windows") && !n.windows, Options: o}
	if n.flags.Changed("ignore") {
		how.Ignore = append([]string{}, n.ignore...)
	}
	made, err := cat.IndexDirectory(ctx, n.name, n.description, folder, how)
	if err != nil {
		return libraryHint(err)
	}
	if asJSON {
		made.Centroid = nil
		return c.json(made)
	}
	_, err = fmt.Fprintf(c.out, "index %s: %s, %s, %.2f s\n", made.Name, count(made.Files, "file"), count(made.Chunks, "chunk"), time.Since(start).Seconds())
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
about, of which folder, how large it is, when it was last brought up to date and
whether files have changed since: asking takes them in.
"docent index --name" makes one, "docent search --index" asks one, several or all (which
are the named ones and the project's own documents), and "docent indexes rm" deletes one.
Documents are never touched.`,
		Example: "  docent index --name api --description 'the HTTP API' docs/api\n  docent indexes\n  docent search --index all rotate keys\n  docent indexes rm api",
		Args:    noArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	in.add(f)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cat, err := in.catalogue()
		if err != nil {
			return err
		}
		all, err := cat.List()
		if err != nil {
			return err
		}
		for i := range all {
			all[i] = cat.Inspect(cmd.Context(), all[i])
			all[i].Centroid = nil
		}
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if asJSON {
			if all == nil {
				all = []docent.NamedIndex{}
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
	_, err := fmt.Fprintln(c.out, "there are no named indexes: docent index --name docs <folder> makes one")
	return err
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
		cat, err := in.catalogue()
		if err != nil {
			return err
		}
		if err := cat.Remove(cmd.Context(), args[0]); err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "removed the index %s\n", args[0])
		return err
	}
	return cmd
}

// searchNamed answers from one or several named indexes.
func (l *libraryFlags) searchNamed(ctx context.Context, c *console, q docent.Query) (*docent.Answer, error) {
	if err := l.oneThing(); err != nil {
		return nil, err
	}
	cat, err := namedFlags{l.global, l.root}.catalogue()
	if err != nil {
		return nil, err
	}
	a, err := cat.Search(ctx, l.index, q, l.options(c))
	return a, libraryHint(err)
}

// named takes the index off a Ref that begins with one, and has it asked.
func (l *libraryFlags) named(ref *string) error {
	if l.index != "" || l.db != "" || l.cluster.urls != "" || isFile(l.root) || !strings.Contains(*ref, ":") {
		return nil
	}
	cat, err := namedFlags{l.global, l.root}.catalogue()
	if err != nil {
		return err
	}
	if index, rest, ok := cat.Cut(*ref); ok {
		l.index, *ref = index, rest
	}
	return nil
}
