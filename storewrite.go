package docent

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/backend"
	"github.com/docent-md/docent/internal/backend/sqlite"
	"github.com/docent-md/docent/internal/crawl"
	"github.com/docent-md/docent/internal/markdown"
	"github.com/docent-md/docent/internal/texts"
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

// collect reads the documents that paths name, or those of the project, in the
// order of their names.
func (c *corpus) collect(ctx context.Context, paths []string, o StoreOptions) ([]crawl.File, []Skip, error) {
	var files []crawl.File
	var read int64
	keep := func(f crawl.File) error {
		files = append(files, f)
		read += f.Size
		if o.Progress != nil {
			o.Progress(Progress{Files: len(files), Bytes: read})
		}
		return nil
	}
	var skipped []Skip
	if len(paths) == 0 {
		src, err := c.openSource()
		if err != nil {
			return nil, nil, err
		}
		defer src.close()
		if skipped, err = src.walk(ctx, keep); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range paths {
		info, err := statPath(p, ScanOptions{})
		if err != nil {
			return nil, nil, err
		}
		name := filepath.ToSlash(filepath.Clean(p))
		if !info.IsDir() {
			f, err := readNamed(p)
			if err != nil {
				return nil, nil, err
			}
			f.Path = name
			_ = keep(f)
			continue
		}
		tree, err := crawl.Open(p)
		if err != nil {
			return nil, nil, err
		}
		found, err := tree.Walk(ctx, crawl.Options{Ignore: c.config.Ignore}, func(f crawl.File) error {
			f.Path = path.Join(name, f.Path)
			return keep(f)
		})
		_ = tree.Close()
		for _, s := range found.Skipped {
			skipped = append(skipped, newSkip(name, s))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	slices.SortStableFunc(files, func(a, b crawl.File) int { return cmp.Compare(a.Path, b.Path) })
	files = slices.CompactFunc(files, func(a, b crawl.File) bool { return a.Path == b.Path })
	return files, skipped, nil
}

// A storeWriter brings one database up to date.
type storeWriter struct {
	ctx    context.Context
	db     writableStore
	c      *corpus
	o      StoreOptions
	report *StoreReport

	loose map[string]int // references that led nowhere, of documents that have not changed

	tx      storeTx
	pending int // chunks in it
	batch   int // how many of them end it; 0 for batch
}

// documents writes what has changed among files, and removes what has gone.
func (w *storeWriter) documents(files []crawl.File, paths []string) error {
	old, err := (&stored{store: w.db, name: w.report.Database}).load(w.ctx, w.c.choice)
	if err != nil {
		return err
	}
	have, err := w.db.Files(w.ctx)
	if err != nil {
		return err
	}
	settings, err := w.settings()
	if err != nil {
		return err
	}
	before, err := w.db.Meta(w.ctx, metaSettings)
	if err != nil {
		return err
	}
	if before != nil && string(before) != string(settings) {
		return fmt.Errorf("%s: was made with other settings: --full makes it anew", w.report.Database)
	}
	// What is in the database decides on the model; where nothing is, the user.
	e := &embedding{by: old.by, progress: w.o.EmbedProgress}
	switch {
	case len(have) == 0:
		if _, e, err = w.c.settle(w.o.Options); err != nil {
			return err
		}
	case old.model == nil:
		if k := w.c.choice.kind; k != "" && k != noModel {
			return fmt.Errorf("%s: was made without vectors: --full makes it anew", w.report.Database)
		}
		e = nil
	case old.by == nil:
		return fmt.Errorf("%s: %s", w.report.Database, old.note)
	case !w.keepsModel(old.model):
		return fmt.Errorf("%s: was made with the model %s: --full makes it anew", w.report.Database, old.model.text())
	}
	origin := originOf(paths)
	known := make(map[string]backend.File, len(have))
	for _, f := range have {
		known[f.Path] = f
	}
	changed := map[string]bool{}
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.Path] = true
		if k, ok := known[f.Path]; !ok || k.Hash != hashOfFile(f.Data) || k.Origin != origin(f.Path) {
			changed[f.Path] = true
		}
	}
	var gone []string
	for _, f := range have {
		if !there[f.Path] && isBelow(f.Origin, paths) {
			gone = append(gone, f.Path)
		}
	}
	if len(changed) > 0 {
		// What led nowhere may lead somewhere now.
		loose, err := w.db.Unresolved(w.ctx)
		if err != nil {
			return err
		}
		for p, n := range loose {
			if there[p] && !changed[p] {
				if w.loose == nil {
					w.loose = map[string]int{}
				}
				w.loose[p] = n
			}
		}
	}
	if len(changed)+len(gone) > 0 {
		lib, err := w.c.inMemory(w.ctx, files, e, "")
		if err != nil {
			return err
		}
		if err := w.library(lib, func(p string) bool { return changed[p] }, origin); err != nil {
			return err
		}
		if err := w.remove(gone); err != nil {
			return err
		}
	}
	w.report.Kept = len(files) - w.report.Written
	return w.sum()
}

// keepsModel reports whether the user's choice allows the model a database has.
func (w *storeWriter) keepsModel(m *modelInfo) bool {
	k := w.c.choice.kind
	return k == "" || k == m.Kind
}

// originOf says below which of the paths each file was found.
func originOf(paths []string) func(string) string {
	if len(paths) == 0 {
		return func(string) string { return "." }
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = filepath.ToSlash(filepath.Clean(p))
	}
	return func(file string) string {
		for _, n := range names {
			if file == n || n == "." || strings.HasPrefix(file, n+"/") {
				return n
			}
		}
		return "."
	}
}

// isBelow reports whether what was found below origin should be found again below
// paths.
func isBelow(origin string, paths []string) bool {
	if len(paths) == 0 {
		return origin == "."
	}
	return slices.ContainsFunc(paths, func(p string) bool { return origin == filepath.ToSlash(filepath.Clean(p)) })
}

func hashOfFile(data []byte) string {
	h := contentHash(data)
	return hex.EncodeToString(h[:])
}

// settings are those of the corpus, as they are kept.
func (w *storeWriter) settings() ([]byte, error) {
	p := w.c.policy()
	p.Paths, p.Ignore = nil, nil // which documents there are is not how they are cut
	return json.Marshal(storeSettings{Policy: p, Boost: w.c.config.Boost})
}

// library writes documents of a library; with a nil want, all of them.
func (w *storeWriter) library(l *Library, want func(string) bool, origin func(string) string) error {
	files, err := l.live()
	if err != nil {
		return err
	}
	walk, err := l.newWalk()
	if err != nil {
		return err
	}
	model, delta, err := l.modelParts()
	if err != nil {
		return err
	}
	settings, err := w.settings()
	if err != nil {
		return err
	}
	total, done := 0, 0
	for _, k := range files {
		if want == nil || want(k.path) {
			total += k.file.Chunks
		}
	}
	if err := w.begin(); err != nil {
		return err
	}
	defer w.rollback()
	if err := w.describe(settings, model, delta); err != nil {
		return err
	}
	for _, k := range files {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		led, again := w.loose[k.path]
		if want != nil && !want(k.path) && !again {
			continue
		}
		f, err := l.storedFile(k, walk)
		if err != nil {
			return err
		}
		if again {
			if leadNowhere(f) == led {
				continue
			}
			total += len(f.Chunks)
		}
		f.Origin = origin(k.path)
		if err := w.put(f); err != nil {
			return err
		}
		done += len(f.Chunks)
		if w.o.Sent != nil {
			w.o.Sent(done, total)
		}
	}
	if err := w.finish(); err != nil {
		return err
	}
	return w.sum()
}

// leadNowhere counts the references of a document that do.
func leadNowhere(f *backend.File) (n int) {
	for _, c := range f.Chunks {
		for _, r := range c.Refs {
			if r.To == "" {
				n++
			}
		}
	}
	return n
}

// describe writes what the database says of itself.
func (w *storeWriter) describe(settings []byte, model *modelInfo, delta []byte) error {
	meta := map[string][]byte{metaSettings: settings, metaCorpus: []byte(filepath.Base(w.c.dir))}
	if model != nil {
		raw, err := json.Marshal(model)
		if err != nil {
			return err
		}
		meta[metaModel], meta[metaDelta] = raw, delta
	}
	for _, key := range []string{metaCorpus, metaSettings, metaModel, metaDelta} {
		if meta[key] == nil {
			continue
		}
		if err := w.tx.SetMeta(key, meta[key]); err != nil {
			return err
		}
	}
	return nil
}

func (w *storeWriter) begin() (err error) {
	w.tx, err = w.db.begin(w.ctx)
	w.pending = 0
	return err
}

func (w *storeWriter) rollback() {
	if w.tx != nil {
		w.tx.Rollback()
		w.tx = nil
	}
}

// finish ends the last transaction, when every section that a reference can lead to
// is there.
func (w *storeWriter) finish() error {
	if err := w.tx.Loose(); err != nil {
		return err
	}
	return w.commit()
}

// commit ends the transaction, which changes the generation.
func (w *storeWriter) commit() error {
	now := time.Now()
	err := w.tx.SetMeta(metaGeneration, []byte(strconv.FormatInt(now.UnixNano(), 36)))
	if err == nil {
		err = w.tx.SetMeta(metaUpdated, []byte(now.UTC().Format(time.RFC3339)))
	}
	if err == nil {
		err = w.tx.Commit()
	}
	if err != nil {
		w.rollback()
	}
	w.tx = nil
	return err
}

// put writes a document, and begins the next transaction when this one is large.
func (w *storeWriter) put(f *backend.File) error {
	if err := w.tx.Put(f); err != nil {
		return err
	}
	w.report.Written++
	if w.pending += len(f.Chunks); w.pending < cmp.Or(w.batch, batch) {
		return nil
	}
	if err := w.commit(); err != nil {
		return err
	}
	return w.begin()
}

// remove takes documents out.
func (w *storeWriter) remove(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	if err := w.begin(); err != nil {
		return err
	}
	defer w.rollback()
	for _, p := range paths {
		if err := w.tx.Remove(p); err != nil {
			return err
		}
	}
	w.report.Removed = len(paths)
	return w.finish()
}

// sum fills in what the database holds now.
func (w *storeWriter) sum() error {
	st, err := (&stored{store: w.db, name: w.report.Database}).load(w.ctx, w.c.choice)
	if err != nil {
		return err
	}
	w.report.Files, w.report.Chunks, w.report.Model = st.stats.Files, st.stats.Chunks, noModel
	if st.model != nil {
		w.report.Model = st.model.text()
	}
	w.report.Size = w.db.Size(w.ctx)
	return nil
}

// modelParts are what vectors of the library come from; nil when there are none.
func (l *Library) modelParts() (*modelInfo, []byte, error) {
	m, err := l.segs[0].meaning()
	if err != nil || m == nil {
		return nil, nil, err
	}
	if m.delta == nil {
		return &m.model, nil, nil
	}
	delta, err := m.delta.Bytes(0, m.delta.Len())
	return &m.model, delta, err
}

// storedFile makes a document of the library ready to be stored, with its vectors
// and references.
func (l *Library) storedFile(k known, w *walk) (*backend.File, error) {
	data, err := l.text(k)
	if err != nil {
		return nil, err
	}
	d := markdown.Parse(k.path, data)
	f := storedFile(&d, split(&d, l.policy))
	f.Hash = hashOfFile(data)
	if f.Text, err = texts.Squeeze(data); err != nil {
		return nil, err
	}
	if len(f.Chunks) != k.file.Chunks {
		return nil, &StaleError{[]string{k.path}}
	}
	m, err := l.segs[k.seg].meaning()
	if err != nil {
		return nil, err
	}
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if m != nil {
			if c.Vector, err = m.vectors.Row(k.file.FirstChunk + i); err != nil {
				return nil, err
			}
		}
		refs, err := w.references(node{k.id(), 0}, doc.Lines{Start: c.Lines[0], End: c.Lines[1]})
		if err != nil {
			return nil, err
		}
		seen := map[string]bool{}
		for _, r := range refs {
			x := backend.Reference{Text: r.RefText, Summary: r.Summary}
			if x.Text == "" {
				x.Text = r.Target
			}
			if seen[x.Text] {
				continue
			}
			seen[x.Text] = true
			if r.SectionID != nil {
				x.To = *r.SectionID
				if x.To, err = w.rowOf(x.To); err != nil {
					return nil, err
				}
			}
			c.Refs = append(c.Refs, x)
		}
	}
	return f, nil
}

// rowOf is the id that a section has in a store: a document is its first section.
func (w *walk) rowOf(ref string) (string, error) {
	if strings.Contains(ref, "#") {
		return ref, nil
	}
	k, ok, err := w.l.find(ref)
	if err != nil || !ok {
		return ref, err
	}
	s, err := w.l.section(k, 0)
	return refIn(ref, s.Anchor), err
}
