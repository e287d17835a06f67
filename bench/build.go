//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// build measures how an index is made and kept up to date.
func (b *bench) build(ctx context.Context) error {
	b.section("Index",
		"`docent index --full` is a whole process that reads, parses, cuts and indexes all files, with their links and code, and writes the index to disk;",
		"compared with FTS5 without vectors, as FTS5 has none.",
		"FTS5 gets docent's chunks from memory: \"index alone\" is its inserts in one transaction; \"whole database\" is with the texts stored",
		"and the index optimised, as it is searched below; \"from files\" adds docent's parser and chunker, the same work as `docent index`.",
		"sqlite3 is the shell, building the index alone from a table by `rebuild`.")
	if err := b.buildAll(ctx); err != nil {
		return err
	}
	if err := b.buildFew(ctx); err != nil {
		return err
	}
	return b.buildOne(ctx)
}

func (b *bench) buildAll(ctx context.Context) error {
	// The index alone, into a database that has the texts.
	db, err := newFTS(ctx, filepath.Join(b.tmp, "build.db"), b.corpus.chunks)
	if err != nil {
		return err
	}
	defer os.Remove(db.file)
	defer db.Close()
	alone := func(ctx context.Context) (use, error) {
		if err := db.empty(ctx); err != nil {
			return use{}, err
		}
		return timed(func() error { return db.fill(ctx, b.corpus.chunks) })
	}
	whole := func(ctx context.Context) (use, error) {
		return timed(func() error { _, err := b.ftsFile(ctx, b.corpus.chunks); return err })
	}
	files := func(ctx context.Context) (use, error) {
		return timed(func() error {
			chunks, err := cut(ctx, b.corpus.dir)
			if err != nil {
				return err
			}
			_, err = b.ftsFile(ctx, chunks)
			return err
		})
	}
	// The shell works on a file of its own, which holds the texts only.
	var shell rival
	if b.sqlite != "" {
		plain, err := newFTS(ctx, filepath.Join(b.tmp, "plain.db"), b.corpus.chunks)
		if err != nil {
			return err
		}
		defer os.Remove(plain.file)
		if err := plain.exec(ctx, "PRAGMA journal_mode=DELETE"); err != nil {
			return err
		}
		if err := plain.Close(); err != nil {
			return err
		}
		shell = b.usage.command(b.sqlite, "-batch", plain.file,
			"PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536; DROP TABLE IF EXISTS fts; "+ftsIndex+"; INSERT INTO fts(fts) VALUES('rebuild'); SELECT 1")
	}
	us, err := contest(ctx, max(b.rounds/3, 3), b.ask("index", "--full", "--embed", "none", "--root", b.corpus.dir), alone, whole, files, shell,
		b.ask("index", "--full", "--embed", "builtin", "--root", b.corpus.dir))
	if err != nil {
		return err
	}
	all := fmt.Sprintf("%d files", len(b.corpus.files))
	b.versus("index "+all+", CPU", cpus(us[0]), side{"FTS5 (modernc), index alone", cpus(us[1])}, "ms", 2)
	b.versus("index "+all+", CPU", cpus(us[0]), side{"FTS5 (modernc), whole database", cpus(us[2])}, "ms", 0)
	b.versus("index "+all+", CPU", cpus(us[0]), side{"FTS5 (modernc), from files", cpus(us[3])}, "ms", 0)
	b.versus("index "+all+", CPU", cpus(us[0]), side{"FTS5 (sqlite3), index alone", cpus(us[4])}, "ms", 0)
	b.versus("index "+all+", wall", walls(us[0]), side{"FTS5 (modernc), index alone", walls(us[1])}, "ms", 0)
	b.versus("index "+all+", words only, CPU", cpus(us[0]), side{"with vectors, table adapted", cpus(us[5])}, "ms", 0)
	b.limit("index "+all+", words only, peak memory", peaks(us[0]), "MB", 400)
	b.limit("index "+all+", with vectors, peak memory", peaks(us[5]), "MB", 400)
	return nil
}

func (b *bench) buildFew(ctx context.Context) error {
	dir, err := b.corpus.sample(50, filepath.Join(b.tmp, "fifty"))
	if err != nil {
		return err
	}
	us, err := contest(ctx, 3*b.rounds, b.ask("index", "--full", "--root", dir))
	if err != nil {
		return err
	}
	b.limit("index 50 files, wall", walls(us[0]), "ms", 100)
	b.limit("index 50 files, CPU", cpus(us[0]), "ms", 0)
	return nil
}

// buildOne changes one file after another and takes each in: by the command,
// which looks at all files to find it, and by the library, which finds it changed
// when it is read.
func (b *bench) buildOne(ctx context.Context) error {
	if err := b.reindex(ctx); err != nil {
		return err
	}
	index := b.ask("index", "--root", b.corpus.dir)
	command := func(ctx context.Context) (use, error) {
		if _, err := b.corpus.edit(); err != nil {
			return use{}, err
		}
		return index(ctx)
	}
	library := func(ctx context.Context) (use, error) {
		lib, err := docent.Open(ctx, b.corpus.dir, docent.Options{})
		if err != nil {
			return use{}, err
		}
		defer lib.Close()
		name, err := b.corpus.edit()
		if err != nil {
			return use{}, err
		}
		return timed(func() error {
			_, err := lib.Read(ctx, filepath.ToSlash(name), answer.ReadOptions{Limit: 1})
			return err
		})
	}
	us, err := contest(ctx, 2*b.rounds, command, library, index)
	if err != nil {
		return err
	}
	one := fmt.Sprintf("one changed file of %d", len(b.corpus.files))
	b.limit(one+", read by an open library, wall", walls(us[1]), "ms", 50)
	b.limit(one+", read by an open library, CPU", cpus(us[1]), "ms", 0)
	b.limit(one+", `docent index`, wall", walls(us[0]), "ms", 50)
	b.limit(one+", `docent index`, CPU", cpus(us[0]), "ms", 0)
	b.limit("nothing changed, `docent index`, wall", walls(us[2]), "ms", 0)
	b.limit("nothing changed, `docent index`, CPU", cpus(us[2]), "ms", 0)
	return nil
}
