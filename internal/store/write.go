package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/store/sqlite"
	"github.com/docent-md/docent/internal/wholefile"
)

// Options tune the writing of a database. The zero value is a good default.
type Options struct {
	refresh.Options
	Full bool                  // rebuild it
	Sent func(done, total int) // called now and then while chunks are written; may be nil
	Root string                // of the project whose settings count; "" means the one that contains the working directory

	Windows bool     // overlapping windows instead of sections
	Ignore  []string // patterns to skip besides those of the project

	// Summarise has a language model summarise what links in the documents lead to, before
	// they are written; all are, since any may show a new summary. It may be nil.
	Summarise func(ctx context.Context, v *snapshot.View) error
}

// corpus returns the project whose settings count, with these options applied.
func (o Options) corpus() (*corpus.Corpus, error) {
	c, err := o.Find(o.Root)
	if err == nil {
		c.Vary(o.Windows, o.Ignore)
	}
	return c, err
}

// batch is how many chunks are written in one transaction: enough that its cost is
// small compared to theirs.
const batch = 2000

// clusterBatch is the same for a cluster: at most that many are sent again after a run
// was interrupted.
const clusterBatch = 1000

// IndexDB refreshes a database with the documents that paths name, as Scan names them;
// without paths, with those of the project. Documents that other calls wrote stay. Each
// is replaced as a whole or not at all.
func IndexDB(ctx context.Context, file string, paths []string, o Options) (*answer.StoreReport, error) {
	start := time.Now()
	c, err := o.corpus()
	if err != nil {
		return nil, err
	}
	files, skipped, err := collect(ctx, c, paths, o)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 && (len(paths) > 0 || !exists(file)) {
		where := paths
		if len(where) == 0 {
			where = []string{c.Dir}
		}
		return nil, corpus.NoDocuments(where, answer.Report{Skipped: skipped})
	}
	r := &answer.StoreReport{Database: file, Skips: len(skipped), Skipped: skipped[:min(len(skipped), snapshot.MaxSkips)]}
	if r.Skipped == nil {
		r.Skipped = []answer.Skip{}
	}
	err = withDatabase(ctx, file, o.Full, o.Note, func(db writable) error {
		w := &writer{ctx: ctx, db: db, c: c, o: o, report: r}
		return w.documents(files, paths)
	})
	if err != nil {
		return nil, err
	}
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

// Export writes a view to a database, in place of whatever docent wrote there.
func Export(ctx context.Context, v *snapshot.View, file string, note func(string)) (*answer.StoreReport, error) {
	start := time.Now()
	r := &answer.StoreReport{Database: file, Skipped: []answer.Skip{}}
	err := withDatabase(ctx, file, true, note, func(db writable) error {
		w := &writer{ctx: ctx, db: db, c: v.Corpus, report: r}
		return w.library(v, nil, func(string) string { return "." })
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

// withDatabase opens a database for fn. A full build goes to a new file, which replaces
// the old one when it is done; one that is damaged is moved aside, and note told where.
func withDatabase(ctx context.Context, file string, full bool, note func(string), fn func(writable) error) error {
	target, damaged := file, false
	if full {
		old, err := sqlite.Open(ctx, file)
		switch {
		case err == nil:
			damaged = old.Check(ctx) != nil
			_ = old.Close()
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, sqlite.ErrFormat):
		case errors.Is(err, sqlite.ErrDamaged):
			damaged = true
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
	err = fn(sqliteBackend{db})
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if !full {
		return err
	}
	if err == nil { // closing a file says nothing of a log that could not be folded into it
		err = sqlite.FoldLog(ctx, target)
	}
	switch {
	case err != nil:
	case damaged:
		err = moveAside(file, note)
	default: // a program that is killed between the next two steps leaves the old file without its log
		err = sqlite.FoldLog(ctx, file)
	}
	if err == nil {
		// SQLite must not apply the log of the old file to the new one.
		removeLog(file)
		err = wholefile.Replace(target, file)
	}
	if err != nil {
		removeDB(target)
	}
	return err
}

// moveAside gives a damaged database and its log another name, which no file has.
func moveAside(file string, note func(string)) error {
	aside := file + ".damaged"
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s.damaged-%d", file, n)
	}
	if err := wholefile.Replace(file, aside); err != nil {
		return err
	}
	if note != nil {
		note(fmt.Sprintf("%s was damaged: it is now %s", file, aside))
	}
	if exists(file + "-wal") {
		return wholefile.Replace(file+"-wal", aside+"-wal")
	}
	return nil
}

// removeDB removes a database and its log files.
func removeDB(file string) {
	removeLog(file)
	_ = os.Remove(file)
}

func removeLog(file string) {
	_ = os.Remove(file + "-wal")
	_ = os.Remove(file + "-shm")
}
