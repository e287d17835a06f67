package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/filter"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Conditions on front matter.
//
// A SQLite file has the documents themselves, packed. What they say of themselves is read
// from there when a question first has a condition, or the fields are listed, and held as
// long as the file does not change: nothing is stored twice, and files that older versions
// wrote can be asked so too. The candidates are then those of the files that meet the
// conditions. A cluster would have to send all its documents, and refuses.

// A texter is a backend that hands out its documents.
type texter interface {
	// Texts calls fn with every document whose text is known, packed, in the order of their paths.
	Texts(ctx context.Context, fn func(path string, packed []byte) error) error
}

// fieldsView returns a view of all documents with what they say of themselves, and no text.
func (d *Database) fieldsView(ctx context.Context, st *state) (*snapshot.View, error) {
	from, ok := d.Backend.(texter)
	if !ok {
		return nil, snapshot.ErrUnsupported
	}
	st.fieldsMu.Lock()
	defer st.fieldsMu.Unlock()
	if st.said != nil {
		return st.said, nil
	}
	tables := build.NewTables()
	err := from.Texts(ctx, func(path string, packed []byte) error {
		data, err := unpack(packed)
		if err != nil {
			return fmt.Errorf("%w: the text of %s: %v", segment.ErrDamaged, path, err)
		}
		return tables.Add(build.FieldsPage(path, data))
	})
	if err != nil {
		return nil, err
	}
	parts, err := tables.Parts(func() ([]index.Part, error) { return index.Build(0, nil, 0) })
	if err != nil {
		return nil, err
	}
	s, err := snapshot.OpenParts(parts)
	if err != nil {
		return nil, err
	}
	origin := &snapshot.Memory{Texts: map[string][]byte{}, Fresh: d.freshness(st)}
	v, err := snapshot.New(st.corpus, snapshot.Meta{Updated: st.updated}, []*snapshot.Segment{s}, origin)
	if err == nil {
		st.said = v
	}
	return v, err
}

// narrow returns the files that meet the conditions of a question, and what is left of it;
// nil where it has no conditions, or may have some among its words and the backend cannot say.
func (d *Database) narrow(ctx context.Context, st *state, q answer.Query) (*snapshot.Narrowed, []string, error) {
	if len(q.Where) == 0 && !filter.HasConditions(q.Text) {
		return nil, nil, nil
	}
	if _, ok := d.Backend.(texter); !ok {
		if len(q.Where) > 0 {
			return nil, nil, fmt.Errorf("where: %w", snapshot.ErrUnsupported)
		}
		return nil, nil, nil
	}
	all, err := d.fieldsView(ctx, st)
	if err != nil {
		return nil, nil, err
	}
	v, rest, note, err := filter.Question(ctx, all, q.Text, q.Where, time.Now())
	if err != nil {
		return nil, nil, err
	}
	if v == all { // no condition after all
		return &snapshot.Narrowed{Text: rest, Note: note}, nil, nil
	}
	chosen, err := v.Files()
	files := make([]string, len(chosen))
	for i, f := range chosen {
		files[i] = f.Path
	}
	return &snapshot.Narrowed{Text: rest, Note: note}, files, err
}

// intersect returns the files in both lists, of which nil is that of all files.
func intersect(a, b []string) []string {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	in := make(map[string]bool, len(b))
	for _, f := range b {
		in[f] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(f string) bool { return !in[f] })
}
