package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/spf13/cobra"
)

// newIndex makes "docent index".
func newIndex(c *console) *cobra.Command {
	var root string
	var full, asJSON, verbose, summaries, yes bool
	var embed, model string
	var own named
	var in namedFlags
	cmd := &cobra.Command{
		Use:   "index [folder | paths --db <file>]",
		Short: "bring the index up to date",
		Long: `Bring the index up to date with the files: what changed since is taken in, by content.
Asking commands do this by themselves; run it to have the work done beforehand.

Chunks get vectors too, so that a question finds what is meant by other words: from a
table that ships with docent and is adapted to the documents (builtin; base leaves it
as it is), from an endpoint of your own that serves /v1/embeddings (openai; its address
and key come from your settings or from DOCENT_EMBED_URL, DOCENT_EMBED_MODEL and
DOCENT_EMBED_KEY), or not at all (none). An index keeps the kind it was made with.

--name makes an index of its own of any folder; see "docent indexes". Without a folder
it brings the index of that name up to date.

With --db, chunks are written to a SQLite file instead, which other programs can read
too: the documents that are named, or those of the project, or the JSON Lines that
"docent chunks" prints, from a pipe. A document is replaced as a whole; others that the
file holds stay.

The index lies in .docent beside .docent.json, or in the user's cache folder where
there is no config. It holds no text and can always be made again.`,
		Example: "  docent index\n  docent index --full --root docs\n  docent index --embed none\n  docent index --name api docs/api\n  docent index docs --db docsearch.db\n  docent chunks *.md | docent index --db docsearch.db\n  DOCENT_EMBED_URL=http://localhost:11434 DOCENT_EMBED_MODEL=embeddinggemma docent index --embed openai",
		Args:    atMostOne,
	}
	f := cmd.Flags()
	f.SortFlags = false
	place := addStore(cmd)
	f.BoolVar(&full, "full", false, "make it anew")
	f.StringVar(&root, "root", "", "folder to index (default: that of the nearest .docent.json, else this one)")
	f.StringVar(&embed, "embed", "", "model for searching by meaning: builtin, base, openai or none (default: what the index has, else builtin)")
	f.Lookup("embed").NoOptDefVal = "builtin"
	f.StringVar(&model, "model", "", "folder of a model that docent train made")
	own.add(f)
	f.BoolVar(&in.global, "global", false, "with --name: an index of this user instead of this project")
	f.BoolVar(&summaries, "summaries", false, "have a language model sum up what links lead to (needs ANTHROPIC_API_KEY)")
	f.BoolVar(&yes, "yes", false, "do not ask before spending money")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	f.BoolVarP(&verbose, "verbose", "v", false, "list the files that were skipped")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		remote := c.remote("index")
		defer remote.close()
		if err := place.onePlace(own.name); err != nil {
			return err
		}
		if place.given() {
			return c.indexStore(cmd.Context(), place, args, docent.StoreOptions{
				Full: full, Root: root, Options: docent.Options{Embed: embed, Model: model, Remote: remote.get, EmbedProgress: c.embedBar()},
			}, asJSON, verbose)
		}
		folder := root
		if len(args) > 0 {
			if folder = args[0]; root != "" && own.name == "" {
				return errors.New("index: give a folder or --root, not both")
			}
		}
		c.unknownKeys(docent.UnknownKeys(folder))
		bar := c.progress("indexing")
		o := docent.Options{
			Progress: bar.update, Note: func(s string) { c.note("%s", s) },
			Embed: embed, Model: model, Remote: remote.get, EmbedProgress: c.embedBar(),
		}
		if own.name != "" {
			in.root = root
			err := own.index(cmd.Context(), c, in, folder, o, asJSON)
			bar.done()
			return err
		}
		bar.garbage.allow(whileComparing)
		r, err := docent.Index(cmd.Context(), folder, full, o)
		bar.done()
		if err != nil && len(args) > 0 && embed != "" && errors.Is(err, docent.ErrNoPath) {
			return withHint(err, "the models that --embed can name are %s", strings.Join(docent.ModelKinds, ", "))
		}
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
			if sums, err = c.summarise(cmd.Context(), folder, yes); err != nil {
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

// joinEmbed lets the value of --embed stand apart from it, which a flag that can do
// without a value does not allow by itself.
func joinEmbed(args []string) []string {
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "--embed" && i+1 < len(args) && slices.Contains(docent.ModelKinds, args[i+1]) {
			joined := append(slices.Clone(args[:i]), a+"="+args[i+1])
			return append(joined, args[i+2:]...)
		}
	}
	return args
}
