package store

import (
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/links"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/text/markdown"
)

// modelParts are what vectors of the library come from; nil when there are none.
func modelParts(v *snapshot.View) (*embedding.ModelInfo, []byte, error) {
	m, err := v.Segments[0].Vectors()
	if err != nil || m == nil {
		return nil, nil, err
	}
	if m.Delta == nil {
		return &m.Model, nil, nil
	}
	delta, err := m.Delta.Bytes(0, m.Delta.Len())
	return &m.Model, delta, err
}

// exportFile makes a document of a view ready to be stored, with its vectors
// and references.
func exportFile(v *snapshot.View, k snapshot.File, w *links.Walk) (*backend.File, error) {
	data, err := v.Text(k)
	if err != nil {
		return nil, err
	}
	d := markdown.Parse(k.Path, data)
	f := newFile(&d, corpus.Split(&d, v.Policy))
	f.Hash = hashOfFile(data)
	if f.Text, err = texts.Squeeze(data); err != nil {
		return nil, err
	}
	if len(f.Chunks) != k.Info.Chunks {
		return nil, &snapshot.StaleError{Files: []snapshot.StaleFile{{Home: v, Path: k.Path}}}
	}
	m, err := v.Segments[k.Seg].Vectors()
	if err != nil {
		return nil, err
	}
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if m != nil {
			if c.Vector, err = m.Rows.Row(k.Info.FirstChunk + i); err != nil {
				return nil, err
			}
		}
		refs, err := w.References(links.Node{ID: k.ID(), Section: 0}, doc.Lines{Start: c.Lines[0], End: c.Lines[1]})
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
				if x.To, err = rowOf(v, x.To); err != nil {
					return nil, err
				}
			}
			c.Refs = append(c.Refs, x)
		}
	}
	return f, nil
}

// rowOf is the id that a section has in a database: a document is its first section.
func rowOf(v *snapshot.View, ref string) (string, error) {
	if strings.Contains(ref, "#") {
		return ref, nil
	}
	k, ok, err := v.Find(ref)
	if err != nil || !ok {
		return ref, err
	}
	s, err := v.Section(k, 0)
	return answer.RefIn(ref, s.Anchor), err
}
