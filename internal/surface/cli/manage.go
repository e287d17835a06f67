package cli

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/project"
	"github.com/docent-md/docent/internal/store"
	"github.com/spf13/cobra"
)

const indexHelp = `Refresh the index: files whose content has changed are indexed again. Queries do this by
themselves; run it to do the work beforehand.

Chunks get vectors too, so that a question finds text in other words: from embeddings
that ship with docent and are adapted to the documents (builtin; base does not adapt
them), from an endpoint of your own that serves /v1/embeddings (openai; its address and
key come from your settings or from DOCENT_EMBED_URL, DOCENT_EMBED_MODEL and
DOCENT_EMBED_KEY), or not at all (none). An index keeps the kind it was built with. When
the model of the endpoint is another one, searches go by words until --embed openai has
all chunks embedded again; that and its price are printed, and no search starts it. An
endpoint elsewhere than on this machine is asked for many texts only after you agree; in a
script, --yes does.

--name builds a separate index of any folder; see "docent indexes". Without a folder it
refreshes the index of that name.

With --db, chunks are written to a SQLite file instead, which other programs can read
too: of the documents that are named, or those of the project, or the JSON Lines that
"docent chunks" prints, from a pipe. A document is replaced as a whole; other documents
in the file stay.

The index is in .docent beside .docent.json, or in the user's cache folder if there is
no config. It contains no text and can always be rebuilt.`

const indexExample = `  docent index
  docent index --full --root docs
  docent index --embed none
  docent index --name api docs/api
  docent index docs --db docsearch.db
  docent chunks *.md | docent index --db docsearch.db
  DOCENT_EMBED_URL=http://localhost:11434 DOCENT_EMBED_MODEL=embeddinggemma docent index --embed openai`

// indexFlags are the flags of "docent index".
type indexFlags struct {
	root, embed, model                    string
	full, asJSON, verbose, summaries, yes bool
	own                                   named
	in                                    namedFlags
	store                                 *storeFlags
}

// newIndex returns "docent index".
func newIndex(c *console) *cobra.Command {
	cmd := &cobra.Command{Use: "index [folder | paths --db <file>]", Short: "refresh the index", Long: indexHelp, Example: indexExample, Args: atMostOne}
	f := flagsOf(cmd)
	x := indexFlags{store: addStore(cmd)}
	f.BoolVar(&x.full, "full", false, "rebuild it")
	f.StringVar(&x.root, "root", "", "folder to index (default: that of the nearest .docent.json, else this one)")
	f.StringVar(&x.embed, "embed", "", "embeddings for semantic search: builtin, base, openai or none (default: what the index has, else builtin)")
	f.Lookup("embed").NoOptDefVal = "builtin"
	f.StringVar(&x.model, "model", "", "folder of a model from docent train")
	x.own.add(f)
	f.BoolVar(&x.in.global, "global", false, "with --name: an index of this user instead of this project")
	f.BoolVar(&x.summaries, "summaries", false, "have Claude summarize the targets of links (needs ANTHROPIC_API_KEY; docs/models.md)")
	f.BoolVar(&x.yes, "yes", false, "do not ask before spending money")
	f.BoolVar(&x.asJSON, "json", false, "one JSON document")
	f.BoolVarP(&x.verbose, "verbose", "v", false, "list the files that were skipped")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return x.run(cmd.Context(), c, args) }
	return cmd
}

// checkFlags refuses a flag that would have no effect on the index that is named.
func (x *indexFlags) checkFlags(folders int) error {
	isNamed, stored := x.own.name != "", x.store.given()
	return refuseUnless(x.own.flags, []flagRule{
		{"description", isNamed, `goes with --name; what a project is about is "description" in its .docent.json`},
		{"windows", isNamed || stored, "goes with --name, --db or --cluster"},
		{"ignore", isNamed || stored, `goes with --name, --db or --cluster; the patterns of a project are "ignore" in its .docent.json`},
		{"global", isNamed, "goes with --name"},
		{"full", !isNamed, "goes with a folder, --db or --cluster; docent indexes rm deletes a named index, and docent index --name builds it again"},
		{"yes", x.summaries || x.embed == embedding.Remote, "goes with --summaries or --embed openai: nothing else asks"},
		{"root", !(isNamed && x.in.global && folders > 0), "names a project, and --global is for indexes that belong to none: give one of them"},
	})
}

// run refreshes the index that the flags name: of the project, of a name, or in a
// database or a cluster.
func (x *indexFlags) run(ctx context.Context, c *console, args []string) error {
	if err := cmp.Or(x.store.checkTarget(x.own.name), x.checkFlags(len(args))); err != nil {
		return err
	}
	remote := c.remote("index")
	remote.yes = x.yes
	defer remote.close()
	o := docent.Options{Embed: x.embed, Model: x.model, Endpoint: remote.get, EmbedProgress: c.countBar("vectors"), Summaries: summariesFile()}
	if x.store.given() {
		configNotes(c, x.root)
		so := store.Options{Full: x.full, Root: x.root, Windows: x.own.windows, Ignore: x.own.ignore, Options: storeOptions(o)}
		if x.summaries {
			var done func() error
			var err error
			if so.Summarise, done, err = summariser(c, x.yes); err != nil {
				return err
			}
			defer done()
		}
		return indexStore(ctx, c, x.store, args, so, x.asJSON, x.verbose)
	}
	folder := x.root
	if len(args) > 0 {
		if folder = args[0]; x.root != "" && x.own.name == "" {
			return errors.New("index: give a folder or --root, not both")
		}
	}
	configNotes(c, folder)
	bar := c.progress("indexing")
	o.Progress, o.Note = bar.update, c.noteText
	if x.own.name != "" {
		defer bar.done()
		if len(args) > 0 || !x.in.global {
			x.in.root = x.root
		}
		return x.indexNamed(ctx, c, folder, o)
	}
	bar.gc.set(gcComparing)
	r, err := docent.Index(ctx, folder, x.full, o)
	bar.done()
	switch {
	case errors.Is(err, docent.ErrNoPath) && len(args) > 0 && x.embed != "":
		return withHint(err, "the models that --embed can name are %s", strings.Join(embedding.Kinds, ", "))
	case err != nil:
		return libraryHint(err)
	}
	return x.report(ctx, c, folder, r)
}

// report prints what was indexed, and writes summaries first if they are wanted.
func (x *indexFlags) report(ctx context.Context, c *console, folder string, r *answer.IndexReport) error {
	if x.verbose {
		listSkipped(c, r.Skipped)
	}
	var sums *answer.SummaryReport
	if x.summaries {
		var err error
		open := func(o docent.Options) (*docent.Library, error) { return docent.Open(ctx, folder, o) }
		if sums, err = summarise(ctx, c, open, x.yes); err != nil {
			return err
		}
	}
	if x.asJSON {
		return c.json(struct {
			*answer.IndexReport
			Summaries *answer.SummaryReport `json:"summaries,omitempty"`
		}{r, sums})
	}
	return cmp.Or(c.printf("%s\n", r.Text()), printSummaries(c, sums))
}

// printSummaries prints how many summaries were written, if any were wanted.
func printSummaries(c *console, sums *answer.SummaryReport) error {
	if sums == nil {
		return nil
	}
	if sums.Error != "" {
		c.note("%s", clean(sums.Error))
	}
	return c.printf("summaries: %d written, %d known before, %d failed\n", sums.Written, sums.Known, sums.Failed)
}

// newInit returns "docent init".
func newInit(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "init [folder]",
		Short: "write a .docent.json with all defaults",
		Long: `Write a .docent.json with all defaults into a folder (default: this one). docent works
without one: a config says which folders are indexed, how they are split and ranked, and
puts the index into the project.`,
		Example: "  docent init",
		Args:    atMostOne,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := project.Init(cmd.Context(), append(args, ".")[0])
		if err != nil {
			return err
		}
		return c.report(asJSON, map[string]string{"config": path}, "wrote %s\n", path)
	}
	return cmd
}
