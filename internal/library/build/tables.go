package build

import (
	"errors"

	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/fault"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Tables build the parts of a segment other than postings and vectors.
type Tables struct {
	docs     *doctable.Builder
	links    *graph.Builder
	code     snippet.Builder
	fields   fields.Builder
	glossary fields.Builder
}

func NewTables() *Tables {
	return &Tables{docs: doctable.NewBuilder(), links: graph.NewBuilder()}
}

// Add appends the next file.
func (t *Tables) Add(pg Page) error {
	t.code.Add(pg.code)
	t.fields.Add(pg.fields)
	t.glossary.Add(pg.glossary)
	return errors.Join(t.docs.Add(pg.File, pg.Sections, pg.Chunks), t.links.Add(pg.links))
}

// copy appends a file of another segment.
func (t *Tables) copy(s *snapshot.Segment, row int) error {
	links, err := s.Links()
	if err != nil {
		return err
	}
	code, err := s.Code()
	if err != nil {
		return err
	}
	said, err := s.Fields()
	if err != nil {
		return err
	}
	glossary, err := s.Glossary()
	if err != nil {
		return err
	}
	return errors.Join(t.docs.Copy(s.Table, row, nil), t.links.Copy(links, row), t.code.Copy(code, row),
		t.fields.Copy(said, row), t.glossary.Copy(glossary, row))
}

// Parts puts the tables and the postings of a segment together. The postings are
// made meanwhile.
func (t *Tables) Parts(postings func() ([]index.Part, error)) ([]segment.Part, error) {
	var made []index.Part
	var failed error
	var wait fault.Group
	wait.Go(func() { made, failed = postings() })
	var parts []segment.Part
	add := func(name string, data []byte) {
		parts = append(parts, segment.Part{Name: name, Data: data})
	}
	t.docs.Parts(add)
	t.links.Parts(add)
	t.fields.Parts(fields.Part, add)
	t.glossary.Parts(fields.Glossary, add)
	err := t.code.Parts(add)
	wait.Wait()
	for _, p := range made {
		add(p.Name, p.Data)
	}
	return parts, errors.Join(err, failed)
}
