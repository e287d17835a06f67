package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/model/assist"
	"github.com/docent-md/docent/internal/store"
	"github.com/spf13/cobra"
)

// addStore adds them, and allows several paths with them.
func addStore(cmd *cobra.Command) *storeFlags {
	s := &storeFlags{}
	cmd.Flags().StringVar(&s.db, "db", "", "write to this SQLite file instead")
	s.cluster.add(cmd.Flags())
	without := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if s.given() {
			return nil
		}
		return without(cmd, args)
	}
	return s
}

// indexStore writes to a database or a cluster.
func indexStore(ctx context.Context, c *console, s *storeFlags, paths []string, o store.Options, asJSON, verbose bool) error {
	bar := c.progress("reading")
	o.Progress = func(p corpus.Progress) { bar.update(docent.Progress(p)) }
	o.Note, o.Sent = c.noteText, c.countBar("chunks")
	write := indexDB
	if s.cluster.urls != "" {
		write = indexCluster
	}
	r, err := write(ctx, c, s, paths, o)
	bar.done()
	if err != nil {
		return libraryHint(err)
	}
	if verbose {
		listSkipped(c, r.Skipped)
	}
	return c.report(asJSON, r, "%s\n", clean(r.Text()))
}

// indexDB writes records from a pipe, or documents, to a database.
func indexDB(ctx context.Context, c *console, s *storeFlags, paths []string, o store.Options) (r *answer.StoreReport, err error) {
	err = store.ErrNoRecords
	asked := slices.Equal(paths, []string{"-"})
	if asked || len(paths) == 0 && isPiped(c.in) {
		r, err = store.IndexRecords(ctx, s.db, c.in, o)
	}
	if errors.Is(err, store.ErrNoRecords) && !asked {
		r, err = store.IndexDB(ctx, s.db, paths, o)
	}
	return r, dbHint(err)
}

// isPiped reports whether standard input is a pipe or a file, and not a terminal or the
// null device.
func isPiped(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return in != nil
	}
	info, err := f.Stat()
	return err == nil && (info.Mode()&fs.ModeNamedPipe != 0 || info.Mode().IsRegular())
}

const exportHelp = `Write the documents of a folder, their chunks, vectors and links to a SQLite file,
replacing what docent wrote there before. docent index --db updates such a file.

Its tables are sources, sections, sections_fts, section_embeddings, references and meta
(docs/output.md describes them). search, section, read, toc, list, info, ls, status and
serve take it with --db.`

const exportExample = `  docent export --db docs.db
  docent export docs --db docs.db
  sqlite3 docs.db "SELECT id, title FROM sections WHERE source_id = 'guide/auth.md'"`

// newExport makes "docent export".
func newExport(c *console) *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "export [folder] --db <file>",
		Short:   "write documents and index to a SQLite file",
		Long:    exportHelp,
		Example: exportExample,
		Args:    atMostOne,
	}
	cmd.Flags().StringVar(&file, "db", "", "SQLite file to write")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if file == "" {
			return withHint(errors.New("export needs a file to write"), "for example: docent export --db docs.db")
		}
		lib := libraryFlags{root: append(args, "")[0]}
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			r, err := l.Export(cmd.Context(), file)
			if err != nil {
				return err
			}
			return c.report(asJSON, r, "%s\n", clean(r.Text()))
		})
	}
	return cmd
}

// storeOptions are the options of a library as a database is written with.
func storeOptions(o docent.Options) refresh.Options {
	out := refresh.Options{Embed: o.Embed, Model: o.Model, Note: o.Note, EmbedProgress: o.EmbedProgress, EmbedAll: true}
	if o.Summaries != "" {
		out.Summary = assist.OpenSummaries(o.Summaries).Of
	}
	if o.Endpoint != nil {
		out.Endpoint = func() (embedding.Endpoint, error) {
			e, err := o.Endpoint()
			if err != nil {
				return nil, err
			}
			return e, nil
		}
	}
	return out
}
