package cli

import (
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/project"
	"github.com/spf13/cobra"
)

const updateHelp = `Fetch the sources of a project again, all of them or those named by folder, by the last
part of the folder, or by address. Unchanged sources are not downloaded again. A folder is
replaced as a whole; if anything fails it stays as it was. Files that were removed at the
source are removed here.

A folder with files of your own is not changed. A source outside GitHub is fetched only if
you added it yourself or give --approve, because the config of a cloned project may name
any address.`

// newUpdate returns "docent update".
func newUpdate(c *console) *cobra.Command {
	var root string
	var noIndex, asJSON, approve, verbose bool
	cmd := &cobra.Command{
		Use:     "update [source]...",
		Short:   "fetch sources again",
		Long:    updateHelp,
		Example: "  docent update\n  docent update react\n  docent update ref-docs/site --approve",
	}
	f := flagsOf(cmd)
	f.BoolVar(&approve, "approve", false, "trust the addresses of the named sources, now and later")
	sourceFlags(cmd, &root, &noIndex, &asJSON)
	f.BoolVarP(&verbose, "verbose", "v", false, "list the files that were added, changed, removed and skipped")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if approve && len(args) == 0 {
			return withHint(errors.New("--approve needs the names of sources"), "\"docent sources\" lists them with their addresses")
		}
		bar := &bar{c: c}
		o := sourceOptions(bar)
		o.Approve = approve
		reports, err := project.UpdateSources(cmd.Context(), root, args, o)
		bar.done()
		if err != nil {
			return sourceHint(err)
		}
		failed := false
		for _, r := range reports {
			leftOut(c, r, verbose)
			if !asJSON {
				reportUpdate(c, r, verbose)
			}
			if r.Err != nil {
				failed = true
				c.complain(sourceHint(r.Err))
			}
		}
		if err := c.out.Flush(); err != nil {
			return err
		}
		// Index what was fetched even if other sources failed.
		index, err := reindex(cmd.Context(), c, root, noIndex || len(reports) == 0)
		if err != nil {
			return err
		}
		if asJSON {
			err = c.json(struct {
				Sources []*project.SourceReport `json:"sources"`
				Index   *answer.IndexReport     `json:"index,omitempty"`
			}{reports, index})
		} else {
			err = indexLine(c, index)
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

// reportUpdate prints the result of updating a source.
func reportUpdate(c *console, r *project.SourceReport, verbose bool) {
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

// sourceHint adds to an error of a source what to do next.
func sourceHint(err error) error {
	if u, ok := errors.AsType[*project.UnapprovedError](err); ok {
		return withHint(err, "if you trust that address: docent update %s --approve", clean(u.Path))
	}
	if errors.Is(err, project.ErrNoSource) {
		return withHint(err, "\"docent sources\" lists them")
	}
	return err
}

// newRemove returns "docent remove".
func newRemove(c *console) *cobra.Command {
	var root string
	var noIndex, asJSON, del bool
	cmd := &cobra.Command{
		Use:   "remove <source or path>",
		Short: "remove a source, folder or file from the docs",
		Long: `Remove a path from .docent.json, and its source if it has one, and refresh the index. A
source can be named by its folder, the last part of that, or its address.

Files stay on disk. With --delete the folder of a source is deleted too, unless it has
files of your own or files you changed; what was not fetched is never deleted.`,
		Example: "  docent remove docs\n  docent remove react --delete",
		Args:    oneArg("a source or path", "docent remove docs"),
	}
	f := flagsOf(cmd)
	f.BoolVar(&del, "delete", false, "delete the files that were fetched")
	sourceFlags(cmd, &root, &noIndex, &asJSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := project.RemoveSource(cmd.Context(), root, args[0], del)
		if err != nil {
			return sourceHint(err)
		}
		switch {
		case r.Covered && r.URL == "":
			c.note("other paths of the config still cover %s, or some of it: that stays indexed", clean(r.Path))
		case r.Covered:
			c.note("the files stay in %s, which other paths of the config still cover: --delete would have removed them", clean(r.Path))
		}
		index, err := reindex(cmd.Context(), c, root, noIndex)
		if errors.Is(err, docent.ErrNoDocuments) {
			c.note("no documents are left")
		} else if err != nil {
			return err
		}
		if asJSON {
			return c.json(struct {
				*project.Removal
				Index *answer.IndexReport `json:"index,omitempty"`
			}{r, index})
		}
		what := ""
		if r.Deleted {
			what = " and its files"
		}
		fmt.Fprintf(c.out, "removed %s%s\n", r.Path, what)
		return indexLine(c, index)
	}
	return cmd
}
