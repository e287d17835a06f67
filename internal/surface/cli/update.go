package cli

import (
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/spf13/cobra"
)

const updateHelp = `Fetch the sources of a project again, all of them or those that are named: by folder,
by its last part, or by address. What has not changed is not sent again. A folder is
replaced as a whole; when something fails it stays as it was. Files that are gone there
are removed here.

A folder that holds files of your own is left alone. A source that is not on GitHub is
gone to only if you added it yourself, or say --approve: a config that came with a clone
may name any address.`

// newUpdate makes "docent update".
func newUpdate(c *console) *cobra.Command {
	var root string
	var noIndex, asJSON, approve, verbose bool
	cmd := &cobra.Command{
		Use:     "update [source]...",
		Short:   "fetch sources again",
		Long:    updateHelp,
		Example: "  docent update\n  docent update react\n  docent update ref-docs/site --approve",
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&approve, "approve", false, "go where the named sources lead, now and from now on")
	sourceFlags(cmd, &root, &noIndex, &asJSON)
	f.BoolVarP(&verbose, "verbose", "v", false, "list the files that were added, changed, removed and left out")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if approve && len(args) == 0 {
			return withHint(errors.New("--approve needs the sources it is for"), "\"docent sources\" lists them with their addresses")
		}
		bar := c.fetching()
		o := c.sourceOptions(bar)
		o.Approve = approve
		reports, err := docent.UpdateSources(cmd.Context(), root, args, o)
		bar.done()
		if err != nil {
			return sourceHint(err)
		}
		failed := false
		for _, r := range reports {
			c.leftOut(r, verbose)
			if !asJSON {
				c.updated(r, verbose)
			}
			if r.Err != nil {
				failed = true
				c.complain(sourceHint(r.Err))
			}
		}
		if err := c.out.Flush(); err != nil {
			return err
		}
		// What was fetched is indexed whatever became of the rest.
		index, err := c.reindex(cmd.Context(), root, noIndex || len(reports) == 0)
		if err != nil {
			return err
		}
		if asJSON {
			err = c.json(struct {
				Sources []*docent.SourceReport `json:"sources"`
				Index   *docent.IndexReport    `json:"index,omitempty"`
			}{reports, index})
		} else {
			err = c.indexLine(index)
		}
		switch {
		case err != nil:
			return err
		case failed:
			return errSaid
		case len(reports) == 0:
			c.note("%s", noSources)
			return errNothing
		}
		return nil
	}
	return cmd
}

const noSources = `no sources here: "docent add owner/repo" fetches docs from GitHub`

// updated prints what became of a source.
func (c *console) updated(r *docent.SourceReport, verbose bool) {
	fmt.Fprintf(c.out, "%s: %s (%s)\n", r.Path, r.Summary(), clean(r.Text()))
	if !verbose {
		return
	}
	for _, l := range []struct {
		sign  string
		names []string
	}{{"+", r.Added}, {"~", r.Changed}, {"-", r.Removed}} {
		for _, name := range l.names {
			fmt.Fprintf(c.out, "  %s %s\n", l.sign, clean(name))
		}
	}
}

// sourceHint adds the way out to what went wrong with a source.
func sourceHint(err error) error {
	if u, ok := errors.AsType[*docent.UnapprovedError](err); ok {
		return withHint(err, "if you trust that address: docent update %s --approve", clean(u.Path))
	}
	if errors.Is(err, docent.ErrNoSource) {
		return withHint(err, "\"docent sources\" lists them")
	}
	return err
}

// newRemove makes "docent remove".
func newRemove(c *console) *cobra.Command {
	var root string
	var noIndex, asJSON, del bool
	cmd := &cobra.Command{
		Use:   "remove <source or path>",
		Short: "take a source, folder or file out of the docs",
		Long: `Take a path out of .docent.json, and its source where it has one, and bring the index up
to date. A source can be named by its folder, the last part of that, or its address.

Files stay where they are. With --delete the folder of a source goes too, unless it
holds files of your own or files you changed; what was not fetched is never deleted.`,
		Example: "  docent remove docs\n  docent remove react --delete",
		Args:    oneArg("a source or path", "docent remove docs"),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&del, "delete", false, "delete the files that were fetched")
	sourceFlags(cmd, &root, &noIndex, &asJSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := docent.RemoveSource(cmd.Context(), root, args[0], del)
		if err != nil {
			return sourceHint(err)
		}
		switch {
		case r.Covered && r.URL == "":
			c.note("other paths of the config still cover %s, or some of it: that stays indexed", clean(r.Path))
		case r.Covered:
			c.note("the files stay in %s, which other paths of the config still cover: --delete would have removed them", clean(r.Path))
		}
		index, err := c.reindex(cmd.Context(), root, noIndex)
		if errors.Is(err, docent.ErrNoDocuments) {
			c.note("no documents are left")
		} else if err != nil {
			return err
		}
		if asJSON {
			return c.json(struct {
				*docent.Removal
				Index *docent.IndexReport `json:"index,omitempty"`
			}{r, index})
		}
		what := ""
		if r.Deleted {
			what = " and its files"
		}
		fmt.Fprintf(c.out, "removed %s%s\n", r.Path, what)
		return c.indexLine(index)
	}
	return cmd
}
