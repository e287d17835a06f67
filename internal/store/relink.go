package store

import (
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/text/markdown"
)

// Unlike an index, a database stores where links lead. When documents are added, changed
// or removed, links in unchanged documents may resolve to other sections, or to none.
// Such documents are written again.

// noteDangling notes the documents with unresolved references, which a new document may
// resolve.
func (w *writer) noteDangling(others func(path string) bool) error {
	dangling, err := w.db.Unresolved(w.ctx)
	if err != nil {
		return err
	}
	w.dangling = map[string]int{}
	for p, n := range dangling {
		if others(p) {
			w.dangling[p] = n
		}
	}
	return nil
}

// noteReferrersOf notes the references to some documents of the database.
func (w *writer) noteReferrersOf(paths []string, others func(path string) bool) error {
	var to []string
	for _, p := range paths {
		f, err := w.db.File(w.ctx, p)
		if err != nil {
			return err
		}
		if f == nil || f.Text == nil {
			continue // no reference leads to a document that was stored from records
		}
		data, err := unpack(f.Text)
		if err != nil {
			continue // damaged: it is about to be replaced or removed
		}
		d := markdown.Parse(p, data)
		for _, s := range d.Sections {
			to = append(to, answer.RefIn(p, s.Anchor))
		}
	}
	if len(to) == 0 {
		return nil
	}
	refs, err := w.db.Referring(w.ctx, to)
	if err != nil {
		return err
	}
	w.refs = map[string][]backend.Reference{}
	for _, r := range refs {
		from, err := doc.ParseRef(r.From)
		if err == nil && others(from.Path) {
			w.refs[from.Path] = append(w.refs[from.Path], r)
		}
	}
	return nil
}

// mayHaveChanged reports whether references of a document may resolve differently now.
func (w *writer) mayHaveChanged(path string) bool {
	_, dangling := w.dangling[path]
	return dangling || w.refs[path] != nil
}

// referencesChanged reports whether the references of a document differ from those in
// the database.
func (w *writer) referencesChanged(f *backend.File) bool {
	unresolved := 0
	have := map[backend.Reference]bool{}
	for _, c := range f.Chunks {
		for _, r := range c.Refs {
			if r.To == "" {
				unresolved++
			}
			have[backend.Reference{From: c.ID, To: r.To, Text: r.Text, Summary: r.Summary}] = true
		}
	}
	for _, r := range w.refs[f.Path] {
		r.Title = ""
		if !have[r] {
			return true
		}
	}
	before, ok := w.dangling[f.Path]
	return ok && before != unresolved
}
