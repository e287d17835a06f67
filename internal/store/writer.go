package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/links"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/store/backend"
)

// A writer refreshes one database.
type writer struct {
	ctx    context.Context
	db     writable
	c      *corpus.Corpus
	o      Options
	report *answer.StoreReport

	// Of documents that have not changed: the number of unresolved references, and the
	// references to what has changed or gone.
	dangling map[string]int
	refs     map[string][]backend.Reference

	tx      transaction
	pending int // chunks in it
	batch   int // how many of them end it; 0 for batch
}

// documents writes what has changed among files, and removes what has gone.
func (w *writer) documents(files []crawl.File, paths []string) error {
	if c := w.c.Config; len(c.Synonyms)+len(c.Folders) > 0 && w.o.Note != nil {
		w.o.Note("synonyms and folders of .docent.json are not kept in a database: questions to it go without them")
	}
	have, err := w.db.Files(w.ctx)
	if err != nil {
		return err
	}
	e, err := w.maker(len(have) == 0)
	if err != nil {
		return err
	}
	origin := originOf(paths)
	c := compareFiles(have, files, origin, paths)
	if w.o.Summarise != nil {
		if err := w.summarise(files, &c); err != nil {
			return err
		}
	}
	if len(c.changed)+len(c.gone) > 0 {
		if err := w.noteReferences(c); err != nil {
			return err
		}
		v, err := inMemory(w.ctx, w.c, files, e, "")
		if err != nil {
			return err
		}
		if err := w.library(v, func(p string) bool { return c.changed[p] }, origin); err != nil {
			return err
		}
		if err := w.remove(c.gone); err != nil {
			return err
		}
	}
	w.report.Kept = len(files) - w.report.Written
	return w.sum()
}

// summarise has what links lead to summarised, and marks all documents as changed.
func (w *writer) summarise(files []crawl.File, c *comparison) error {
	v, err := inMemory(w.ctx, w.c, files, nil, "")
	if err != nil {
		return err
	}
	for _, f := range files {
		c.changed[f.Path] = true
	}
	return w.o.Summarise(w.ctx, v)
}

// maker returns what embeds changed documents. What is in the database decides on the
// model; where nothing is, the user.
func (w *writer) maker(empty bool) (*embedding.Maker, error) {
	old, err := w.load()
	if err != nil {
		return nil, err
	}
	settings, err := w.settings()
	if err != nil {
		return nil, err
	}
	before, err := w.db.Meta(w.ctx, metaSettings)
	if err != nil {
		return nil, err
	}
	if before != nil && string(before) != string(settings) {
		return nil, fmt.Errorf("%s: was made with other settings: --full rebuilds it", w.report.Database)
	}
	switch {
	case empty:
		_, e, err := refresh.ResolveModel(w.c, w.o.Options)
		return e, err
	case old.model == nil:
		if k := w.c.Choice.Kind; k != "" && k != embedding.None {
			return nil, fmt.Errorf("%s: was made without vectors: --full rebuilds it", w.report.Database)
		}
		return nil, nil
	case old.by == nil:
		return nil, fmt.Errorf("%s: %s", w.report.Database, old.note)
	case !w.allowsModel(old.model):
		return nil, fmt.Errorf("%s: was made with the model %s: --full rebuilds it", w.report.Database, old.model.Text())
	}
	return &embedding.Maker{By: old.by, Progress: w.o.EmbedProgress}, nil
}

// load reads the metadata of the database.
func (w *writer) load() (*state, error) {
	return (&Database{Backend: w.db, name: w.report.Database, options: w.o.Options}).load(w.ctx)
}

// A comparison is what differs between a database and files.
type comparison struct {
	there    map[string]bool // paths of the files
	changed  map[string]bool // of those that are new, or not what the database has
	replaced []string        // of documents in the database that have changed
	gone     []string        // of those that are not there any more
}

func compareFiles(have []backend.File, files []crawl.File, origin func(string) string, paths []string) comparison {
	known := make(map[string]backend.File, len(have))
	for _, f := range have {
		known[f.Path] = f
	}
	c := comparison{there: make(map[string]bool, len(files)), changed: map[string]bool{}}
	for _, f := range files {
		c.there[f.Path] = true
		if k, ok := known[f.Path]; !ok || k.Hash != hashOfFile(f.Data) || k.Origin != origin(f.Path) {
			c.changed[f.Path] = true
		}
	}
	for _, f := range have {
		switch {
		case c.changed[f.Path]:
			c.replaced = append(c.replaced, f.Path)
		case !c.there[f.Path] && isBelow(f.Origin, paths):
			c.gone = append(c.gone, f.Path)
		}
	}
	return c
}

// noteReferences notes the references of unchanged documents that may resolve
// differently when the changes are written.
func (w *writer) noteReferences(c comparison) error {
	others := func(p string) bool { return c.there[p] && !c.changed[p] }
	if len(c.changed) > 0 {
		if err := w.noteDangling(others); err != nil {
			return err
		}
	}
	return w.noteReferrersOf(slices.Concat(c.gone, c.replaced), others)
}

// allowsModel reports whether the user's choice allows the model a database has.
func (w *writer) allowsModel(m *embedding.ModelInfo) bool {
	k := w.c.Choice.Kind
	return k == "" || k == m.Kind
}

// settings are those of the corpus, as they are stored.
func (w *writer) settings() ([]byte, error) { return json.Marshal(settingsOf(w.c)) }

// library writes documents of a library; with a nil want, all of them.
func (w *writer) library(l *snapshot.View, want func(string) bool, origin func(string) string) error {
	files, err := l.Files()
	if err != nil {
		return err
	}
	walk, err := links.NewWalk(l)
	if err != nil {
		return err
	}
	model, delta, err := modelParts(l)
	if err != nil {
		return err
	}
	settings, err := w.settings()
	if err != nil {
		return err
	}
	// Documents whose references may have changed come first: should the run be
	// interrupted, the next one still finds their targets changed.
	var todo []snapshot.File
	total, done := 0, 0
	for _, again := range []bool{true, false} {
		for _, k := range files {
			if wanted := want == nil || want(k.Path); again == wanted || again && !w.mayHaveChanged(k.Path) {
				continue
			}
			todo = append(todo, k)
			if !again {
				total += k.Info.Chunks
			}
		}
	}
	if err := w.begin(); err != nil {
		return err
	}
	defer w.rollback()
	if err := w.describe(settings, model, delta); err != nil {
		return err
	}
	for _, k := range todo {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		f, err := exportFile(l, k, walk)
		if err != nil {
			return err
		}
		if w.mayHaveChanged(k.Path) {
			if !w.referencesChanged(f) {
				continue
			}
			total += len(f.Chunks)
		}
		f.Origin = origin(k.Path)
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

// describe writes the metadata of the database.
func (w *writer) describe(settings []byte, model *embedding.ModelInfo, delta []byte) error {
	meta := map[string][]byte{metaSettings: settings, metaCorpus: []byte(filepath.Base(w.c.Dir))}
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

func (w *writer) begin() (err error) {
	w.tx, err = w.db.begin(w.ctx)
	w.pending = 0
	return err
}

func (w *writer) rollback() {
	if w.tx != nil {
		w.tx.Rollback()
		w.tx = nil
	}
}

// finish ends the last transaction, when all sections are written.
func (w *writer) finish() error {
	if err := w.tx.DropDanglingRefs(); err != nil {
		return err
	}
	return w.commit()
}

// commit ends the transaction, which changes the generation.
func (w *writer) commit() error {
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
func (w *writer) put(f *backend.File) error {
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

// remove deletes documents.
func (w *writer) remove(paths []string) error {
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

// sum fills in the totals of the report.
func (w *writer) sum() error {
	st, err := w.load()
	if err != nil {
		return err
	}
	w.report.Files, w.report.Chunks, w.report.Model = st.stats.Files, st.stats.Chunks, embedding.None
	if st.model != nil {
		w.report.Model = st.model.Text()
	}
	w.report.Size = w.db.Size(w.ctx)
	return nil
}
