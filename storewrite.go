package docent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/docent-md/docent/internal/store/sqlite"
)

// A StoreReport sums up what was written to a database.
type StoreReport struct {
	Database string  `json:"database"`
	Files    int     `json:"files"` // in it now
	Chunks   int     `json:"chunks"`
	Written  int     `json:"written"` // documents that were new or had changed
	Kept     int     `json:"kept"`    // that were there as they are
	Removed  int     `json:"removed"` // that are not there any more
	Size     int64   `json:"size"`
	Model    string  `json:"model"`
	Seconds  float64 `json:"seconds"`
	Skips    int     `json:"skips"`
	Skipped  []Skip  `json:"skipped"`
}

// Text gives the report in a sentence.
func (r *StoreReport) Text() string {
	what := "up to date"
	if r.Written+r.Removed > 0 {
		what = plural(r.Written, "file") + " written"
		if r.Kept > 0 {
			what += ", " + commas(r.Kept) + " there already"
		}
		if r.Removed > 0 {
			what += ", " + commas(r.Removed) + " removed"
		}
	}
	text := fmt.Sprintf("%s: %s; it holds %s, %s", r.Database, what, plural(r.Files, "file"), plural(r.Chunks, "chunk"))
	if r.Size > 0 {
		text += ", " + byteSize(r.Size)
	}
	text += fmt.Sprintf(", %.2f s", r.Seconds)
	if r.Skips > 0 {
		text += fmt.Sprintf("; %s skipped", plural(r.Skips, "file"))
	}
	return text
}

// StoreOptions tune the writing of a database. The zero value is a good default.
type StoreOptions struct {
	Options
	Full bool                  // make it anew
	Sent func(done, total int) // called now and then while chunks are written; may be nil
	Root string                // of the project whose settings count; "" for the one one stands in
}

// batch is how many chunks are written in one transaction: as many as make its cost
// small beside theirs.
const batch = 2000

// clusterBatch is how many are sent before their documents count: so many at most are
// sent again when a run broke off.
const clusterBatch = 1000

// IndexDB brings a database up to date with the documents that paths name, as Scan
// names them; with none, with those of the project. Documents that other calls
// brought stay. Each is replaced as a whole or not at all.
func IndexDB(ctx context.Context, file string, paths []string, o StoreOptions) (*StoreReport, error) {
	start := time.Now()
	c, err := findCorpus(o.Root)
	if err != nil {
		return nil, err
	}
	c.assist(o.Options)
	if err := c.choose(o.Options); err != nil {
		return nil, err
	}
	files, skipped, err := c.collect(ctx, paths, o)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 && (len(paths) > 0 || !exists(file)) {
		where := paths
		if len(where) == 0 {
			where = []string{c.dir}
		}
		return nil, noDocuments(where, Report{Skipped: skipped})
	}
	r := &StoreReport{Database: file, Skips: len(skipped), Skipped: skipped[:min(len(skipped), maxSkips)]}
	if r.Skipped == nil {
		r.Skipped = []Skip{}
	}
	err = writing(ctx, file, o.Full, func(db writableStore) error {
		w := &storeWriter{ctx: ctx, db: db, c: c, o: o, report: r}
		return w.documents(files, paths)
	})
	if err != nil {
		return nil, err
	}
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

// Export writes the library to a database, in place of whatever is there.
func (l *Library) Export(ctx context.Context, file string) (*StoreReport, error) {
	if l.stored != nil {
		return nil, fmt.Errorf("export: %w", ErrNotStored)
	}
	start := time.Now()
	r := &StoreReport{Database: file, Skipped: []Skip{}}
	err := writing(ctx, file, true, func(db writableStore) error {
		w := &storeWriter{ctx: ctx, db: db, c: l.corpus, report: r}
		return w.library(l, nil, func(string) string { return "." })
	})
	if err != nil {
		return nil, err
	}
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// writing opens a database for fn. A full one is made beside the old one and takes
// its place when it is done.
func writing(ctx context.Context, file string, full bool, fn func(writableStore) error) error {
	target := file
	if full {
		old, err := sqlite.Open(ctx, file)
		switch {
		case err == nil:
			_ = old.Close()
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, sqlite.ErrFormat):
		default:
			return err // never write over what is not ours
		}
		target = file + ".new"
		removeDB(target)
	}
	db, err := sqlite.Create(ctx, target)
	if err != nil {
		return err
	}
	err = fn(sqliteStore{db})
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if !full {
		return err
	}
	if err == nil {
		// The log of the old file must not be taken for that of the new one.
		removeLog(file)
		err = os.Rename(target, file)
	}
	if err != nil {
		removeDB(target)
	}
	return err
}

// removeDB removes a database and what SQLite keeps beside it.
func removeDB(file string) {
	removeLog(file)
	_ = os.Remove(file)
}

func removeLog(file string) {
	_ = os.Remove(file + "-wal")
	_ = os.Remove(file + "-shm")
}
