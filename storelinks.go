package docent

import (
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A store keeps where links lead, unlike an index. When documents come, change or go,
// others that have not changed may hold links that lead elsewhere now, or are said to
// lead to what is not there any more. These are written again.

// leadNowhere notes the documents with references that led nowhere, which may lead
// somewhere when there is something new.
func (w *storeWriter) leadNowhere(others func(path string) bool) error {
	loose, err := w.db.Unresolved(w.ctx)
	if err != nil {
		return err
	}
	w.loose = map[string]int{}
	for p, n := range loose {
		if others(p) {
			w.loose[p] = n
		}
	}
	return nil
}

// leadTo notes the references that lead to some documents of the store.
func (w *storeWriter) leadTo(paths []string, others func(path string) bool) error {
	var to []string
	for _, p := range paths {
		f, err := w.db.File(w.ctx, p)
		if err != nil {
			return err
		}
		if f == nil || f.Text == nil {
			continue // nothing leads to what is known by its chunks alone
		}
		data, err := unpack(f.Text)
		if err != nil {
			continue // damaged: it is about to be replaced or removed
		}
		d := markdown.Parse(p, data)
		for _, s := range d.Sections {
			to = append(to, refIn(p, s.Anchor))
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

// again reports whether references of a document may lead elsewhere now.
func (w *storeWriter) again(path string) bool {
	_, loose := w.loose[path]
	return loose || w.refs[path] != nil
}

// leadsElsewhere reports whether the references of a document are others than those the
// store has.
func (w *storeWriter) leadsElsewhere(f *backend.File) bool {
	nowhere := 0
	have := map[backend.Reference]bool{}
	for _, c := range f.Chunks {
		for _, r := range c.Refs {
			if r.To == "" {
				nowhere++
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
	led, ok := w.loose[f.Path]
	return ok && led != nowhere
}
