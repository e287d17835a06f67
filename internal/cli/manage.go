package cli

import (
	"fmt"

	"github.com/docent-md/docent"
	"github.com/spf13/cobra"
)

// newIndex makes "docent index".
func newIndex(c *console) *cobra.Command {
	var root string
	var full, asJSON, verbose, summaries, yes bool
	var embed, model string
	cmd := &cobra.Command{
		Use:   "index [paths --db <file>]",
		Short: "bring the index up to date",
		Long: `Bring the index up to date with the files: what changed since is taken in, by content.
Asking commands do this by themselves; run it to have the work done beforehand.

Chunks get vectors too, so that a question finds what is meant by other words: from a
table that ships with docent and is adapted to the documents (builtin), from an
endpoint of your own that serves /v1/embeddings (openai; its address and key come from
your settings or from DOCENT_EMBED_URL, DOCENT_EMBED_MODEL and DOCENT_EMBED_KEY), or not
at all (none). An index keeps the kind it was made with.

With --db, chunks are written to a SQLite file instead, which other programs can read
too: the documents that are named, or those of the project, or the JSON Lines that
"docent chunks" prints, from a pipe. A document is replaced as a whole; others that the
file holds stay.

The index lies in .docent beside .docent.json, or in the user's cache folder where
there is no config. It holds no text and can always be made again.`,
		Example: "  docent index\n  docent index --full --root docs\n  docent index --embed none\n  docent index docs --db docsearch.db\n  docent chunks *.md | docent index --db docsearch.db\n  DOCENT_EMBED_URL=http://localhost:11434 DOCENT_EMBED_MODEL=embeddinggemma docent index --embed openai",
		Args:    noArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	db := dbFlag(cmd)
	f.BoolVar(&full, "full", false, "make it anew")
	f.StringVar(&root, "root", "", "folder to index (default: that of the nearest .docent.json, else this one)")
	f.StringVar(&embed, "embed", "", "model for searching by meaning: builtin, openai or none (default: what the index has, else builtin)")
	f.Lookup("embed").NoOptDefVal = "builtin"
	f.StringVar(&model, "model", "", "folder of a model that docent train made")
	f.BoolVar(&summaries, "summaries", false, "have a language model sum up what links lead to (needs ANTHROPIC_API_KEY)")
	f.BoolVar(&yes, "yes", false, "do not ask before spending money")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	f.BoolVarP(&verbose, "verbose", "v", false, "list the files that were skipped")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		bar := c.progress("indexing")
		remote := c.remote("index")
		defer remote.close()
		embed, args := modelArg(cmd, args)
		if *db != "" {
			return c.indexDB(cmd.Context(), *db, args, docent.StoreOptions{
				Full: full, Root: root, Options: docent.Options{Embed: embed, Model: model, Remote: remote.get, EmbedProgress: c.embedBar()},
			}, asJSON, verbose)
		}
		r, err := docent.Index(cmd.Context(), root, full, docent.Options{
			Progress: bar.update, Note: func(s string) { c.note("%s", s) },
			Embed: embed, Model: model, Remote: remote.get, EmbedProgress: c.embedBar(),
		})
		bar.done()
		if err != nil {
			return libraryHint(err)
		}
		if verbose {
			for _, s := range r.Skipped {
				c.note("skipped %s: %s", clean(s.Path), s.Reason)
			}
		}
		var sums *docent.SummaryReport
		if summaries {
			if sums, err = c.summarise(cmd.Context(), root, yes); err != nil {
				return err
			}
		}
		if asJSON {
			return c.json(struct {
				*docent.IndexReport
				Summaries *docent.SummaryReport `json:"summaries,omitempty"`
			}{r, sums})
		}
		_, err = fmt.Fprintln(c.out, r.Text())
		if err == nil && sums != nil {
			_, err = fmt.Fprintf(c.out, "summaries: %d written, %d known before, %d failed\n", sums.Written, sums.Known, sums.Failed)
		}
		if err == nil && sums != nil && sums.Error != "" {
			c.note("%s", clean(sums.Error))
		}
		return err
	}
	return cmd
}

// newInit makes "docent init".
func newInit(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "init [folder]",
		Short: "write a .docent.json with all defaults",
		Long: `Write a .docent.json with all defaults into a folder (this one unless named). docent
works without: a config says which folders make up the docs, how they are cut and
ranked, and keeps the index in the project.`,
		Example: "  docent init",
		Args:    atMostOne,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir := "."
		if len(args) > 0 {
			dir = args[0]
		}
		path, err := docent.Init(cmd.Context(), dir)
		if err != nil {
			return err
		}
		if asJSON {
			return c.json(map[string]string{"config": path})
		}
		_, err = fmt.Fprintf(c.out, "wrote %s\n", path)
		return err
	}
	return cmd
}

// newAdd and newRemove make "docent add" and "docent remove".
func newAdd(c *console) *cobra.Command {
	return newPathCommand(c, "add", "add a folder or file of this project to its docs", docent.AddPath,
		`Add a folder or file of this project to the paths in .docent.json, which is made where
there is none, and bring the index up to date.`)
}

func newRemove(c *console) *cobra.Command {
	return newPathCommand(c, "remove", "take a folder or file out of the docs", docent.RemovePath,
		`Take a path out of .docent.json and bring the index up to date. Files stay where they
are.`)
}
