//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/docent-md/docent"
)

// pack measures one file that holds documents and index, and small corpora.
func (b *bench) pack(ctx context.Context) error {
	if err := b.reindex(ctx); err != nil {
		return err
	}
	file := filepath.Join(b.tmp, "corpus.docent")
	packing, err := contest(ctx, 3, b.ask("pack", b.corpus.dir, "-o", file))
	if err != nil {
		return err
	}
	packed, err := size(file)
	if err != nil {
		return err
	}
	open := func(then func(*docent.Library) error) rival {
		return func(ctx context.Context) (use, error) {
			return timed(func() error {
				lib, err := docent.Open(ctx, file, docent.Options{})
				if err != nil {
					return err
				}
				defer lib.Close()
				return then(lib)
			})
		}
	}
	word := patterns[0].text
	us, err := contest(ctx, 4*b.rounds,
		open(func(*docent.Library) error { return nil }),
		open(func(l *docent.Library) error { return grepOnce(ctx, l, word, false) }),
		open(func(l *docent.Library) error {
			_, err := l.Search(ctx, docent.Query{Text: word, Limit: best})
			return err
		}),
		b.ask("search", word, "--root", file))
	if err != nil {
		return err
	}
	b.section("Packed file",
		"`docent pack` of the corpus; then, in process, open, and open with the first grep or search, each time anew. 500 documents: `docent ls` in a",
		"folder that has no index yet, which makes it, and then once more; in process docent.FromFS, which makes it in memory.")
	raw := spreadOf([]float64{float64(b.corpus.bytes) / 1e6})
	b.versus("size", packed, side{"the documents", raw}, "MB", 1/0.8)
	b.limit("pack, CPU", cpus(packing[0]), "ms", 0)
	b.limit("open, wall", walls(us[0]), "ms", 5)
	b.limit("open, CPU", cpus(us[0]), "ms", 0)
	b.limit("open and first grep, CPU", cpus(us[1]), "ms", 10)
	b.limit("open and first search, CPU", cpus(us[2]), "ms", 0)
	b.limit("`docent search` in the pack, CPU", cpus(us[3]), "ms", 0)
	b.limit("`docent search` in the pack, peak memory", peaks(us[3]), "MB", 0)
	return b.openSmall(ctx)
}

func (b *bench) openSmall(ctx context.Context) error {
	dir, err := b.corpus.sample(500, filepath.Join(b.tmp, "fivehundred"))
	if err != nil {
		return err
	}
	list := b.ask("ls", "--root", dir)
	first := func(ctx context.Context) (use, error) {
		old, err := filepath.Glob(filepath.Join(b.tmp, "cache", "docent", "index", "fivehundred-*"))
		if err != nil {
			return use{}, err
		}
		for _, o := range old {
			if err := os.RemoveAll(o); err != nil {
				return use{}, err
			}
		}
		return list(ctx)
	}
	memory := func(ctx context.Context) (use, error) {
		return timed(func() error {
			lib, err := docent.FromFS(ctx, os.DirFS(dir))
			if err != nil {
				return err
			}
			return lib.Close()
		})
	}
	again := func(ctx context.Context) (use, error) {
		return timed(func() error {
			lib, err := docent.Open(ctx, dir, docent.Options{})
			if err != nil {
				return err
			}
			return lib.Close()
		})
	}
	later := func(ctx context.Context) (use, error) {
		if _, err := first(ctx); err != nil { // which makes an index by words
			return use{}, err
		}
		return again(ctx)
	}
	us, err := contest(ctx, b.rounds, first, list, memory)
	if err != nil {
		return err
	}
	open, err := contest(ctx, b.rounds, later)
	if err != nil {
		return err
	}
	there, err := contest(ctx, b.rounds, again)
	if err != nil {
		return err
	}
	b.limit("open 500 documents, in process, wall", walls(there[0]), "ms", 100)
	b.limit("open 500 documents, in process, vectors added to an index by words, wall", walls(open[0]), "ms", 0)
	b.limit("open 500 documents, as a command, wall", walls(us[1]), "ms", 100)
	b.limit("open 500 documents, as a command, peak memory", peaks(us[1]), "MB", 38)
	b.limit("open 500 documents, no index yet, as a command, wall", walls(us[0]), "ms", 100)
	b.limit("open 500 documents, no index yet, as a command, CPU", cpus(us[0]), "ms", 0)
	b.limit("open 500 documents, no index yet, as a command, peak memory", peaks(us[0]), "MB", 38)
	b.limit("open 500 documents, index in memory, wall", walls(us[2]), "ms", 100)
	b.limit("open 500 documents, index in memory, CPU", cpus(us[2]), "ms", 0)
	return nil
}
