package docent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/store/backend"
)

// A storeWriter brings one database up to date.
type storeWriter struct {
	ctx    context.Context
	db     writableStore
	c      *corpus
	o      StoreOptions
	report *StoreReport

	// Of documents that have not changed: how many references led nowhere, and those
	// that led to what has changed or gone.
	loose map[string]int
	refs  map[string][]backend.Reference

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
	if len(changed)+len(gone) > 0 {
		others := func(p string) bool { return there[p] && !changed[p] }
		if len(changed) > 0 {
			if err := w.leadNowhere(others); err != nil {
				return err
			}
		}
		before := slices.Clone(gone)
		for _, f := range have {
			if changed[f.Path] {
				before = append(before, f.Path)
			}
		}
		if err := w.leadTo(before, others); err != nil {
			return err
		}
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
	// Documents whose references may lead elsewhere now come first: should the run break
	// off, those they lead to have still changed when the next one looks.
	var todo []known
	total, done := 0, 0
	for _, again := range []bool{true, false} {
		for _, k := range files {
			if wanted := want == nil || want(k.path); again == wanted || again && !w.again(k.path) {
				continue
			}
			todo = append(todo, k)
			if !again {
				total += k.file.Chunks
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
		f, err := l.storedFile(k, walk)
		if err != nil {
			return err
		}
		if w.again(k.path) {
			if !w.leadsElsewhere(f) {
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
