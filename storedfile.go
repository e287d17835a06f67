package docent

import (
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/text/markdown"
)

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
