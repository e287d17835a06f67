package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/surface/mcp"
	"github.com/spf13/cobra"
)

// storeFlags say where "docent index" writes to instead of the index.
type storeFlags struct {
	db      string
	cluster clusterFlags
}

// addStore gives "docent index" the flags with which it takes paths.
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

// given reports whether there is such a place. The environment does not count: the
// index of a project is not sent away because of it.
func (s *storeFlags) given() bool { return s.db != "" || s.cluster.urls != "" }

// indexStore writes to a database or a cluster.
func (c *console) indexStore(ctx context.Context, s *storeFlags, paths []string, o docent.StoreOptions, asJSON, verbose bool) error {
	bar := c.progress("reading")
	o.Progress, o.Note, o.Sent = bar.update, func(s string) { c.note("%s", s) }, c.countBar("chunks")
	write := c.indexDB
	if s.cluster.urls != "" {
		write = c.indexCluster
	}
	r, err := write(ctx, s, paths, o)
	bar.done()
	if err != nil {
		return libraryHint(err)
	}
	if verbose {
		for _, s := range r.Skipped {
			c.note("skipped %s: %s", clean(s.Path), s.Reason)
		}
	}
	return c.stored(r, asJSON)
}

// indexDB writes to a database: records from a pipe, or documents.
func (c *console) indexDB(ctx context.Context, s *storeFlags, paths []string, o docent.StoreOptions) (r *docent.StoreReport, err error) {
	err = docent.ErrNoRecords
	asked := slices.Equal(paths, []string{"-"})
	if asked || len(paths) == 0 && isPiped(c.in) {
		r, err = docent.IndexRecords(ctx, s.db, c.in, o)
	}
	if errors.Is(err, docent.ErrNoRecords) && !asked {
		r, err = docent.IndexDB(ctx, s.db, paths, o)
	}
	return r, dbHint(err)
}

func (c *console) stored(r *docent.StoreReport, asJSON bool) error {
	if asJSON {
		return c.json(r)
	}
	_, err := fmt.Fprintln(c.out, clean(r.Text()))
	return err
}

// isPiped reports whether something is written to us: by another program, or from a
// file. A terminal and the null device are neither.
func isPiped(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return in != nil
	}
	info, err := f.Stat()
	return err == nil && (info.Mode()&fs.ModeNamedPipe != 0 || info.Mode().IsRegular())
}

// openDB opens the database that --db names.
func (l *libraryFlags) openDB(ctx context.Context, o docent.Options) (*docent.Keeper, error) {
	lib, err := docent.OpenDB(ctx, l.db, o)
	if err != nil {
		return nil, dbHint(err)
	}
	return docent.NewKeeper(lib, o), nil
}

func dbHint(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return withHint(err, "docent index <paths> --db <file> makes one")
	}
	return err
}

// storedTools are what agents are offered of a database or a cluster.
const storedTools = "search,get_section,read,toc"

// serveDB is serve for a database. What others write to it is seen at once.
func (l *libraryFlags) serveDB(c *console, o *mcp.Options) error {
	k, err := l.openDB(context.Background(), docent.Options{})
	if err != nil {
		return err
	}
	_ = k.Close()
	remote := c.remote("serve")
	o.Name, o.Version, o.Fixed = docent.NameOf(l.db), version(), true
	o.Note = func(s string) { c.note("%s", s) }
	if o.Tools == "" || o.Tools == "default" || o.Tools == "all" {
		o.Tools = storedTools
	}
	o.Open = func(ctx context.Context, opts docent.Options) (*docent.Library, error) {
		opts.Assistant, opts.Summaries, opts.Remote = l.assistant, summariesFile(), remote.get
		return docent.OpenDB(ctx, l.db, opts)
	}
	return nil
}

const exportHelp = `Write the documents of a folder, their chunks, vectors and links to a SQLite file, in
place of whatever docent wrote there before. docent index --db keeps such a file up to
date afterwards.

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
	cmd.Flags().StringVar(&file, "db", "", "the SQLite file to write")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if file == "" {
			return withHint(errors.New("export needs a file to write"), "for example: docent export --db docs.db")
		}
		lib := libraryFlags{}
		if len(args) > 0 {
			lib.root = args[0]
		}
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			r, err := l.Export(cmd.Context(), file)
			if err != nil {
				return err
			}
			return c.stored(r, asJSON)
		})
	}
	return cmd
}
