package docent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/embed"
	"github.com/docent-md/docent/internal/index"
	"github.com/docent-md/docent/internal/segment"
	"github.com/docent-md/docent/internal/vector"
)

// embedder returns the model that the vectors of the library come from; nil when it
// has none.
func (l *Library) embedder() (embedder, error) {
	if len(l.segs) == 0 {
		return nil, nil
	}
	if l.held != nil && l.held.asked != nil {
		return l.held.asked, nil
	}
	m, err := l.segs[0].meaning()
	if err != nil || m == nil {
		return nil, err
	}
	if m.model.Kind == remoteModel {
		if l.corpus.choice.remote == nil {
			return nil, fmt.Errorf("the index was made with vectors of %s, and no endpoint is set", m.model.Name)
		}
		r, err := l.corpus.choice.remote()
		if err != nil {
			return nil, err
		}
		if r.e.Fingerprint() != m.model.Fingerprint {
			now := r.e.Model()
			if now == m.model.Name {
				now += " at another address"
			}
			return nil, fmt.Errorf("the index was made with vectors of %s, and those set now are of %s: docent index --embed openai makes it anew", m.model.Name, now)
		}
		return &remoteEmbedder{r.e}, nil
	}
	return l.table()
}

// table returns the embedder of an index that was made with a table of words.
func (l *Library) table() (*tableEmbedder, error) {
	l.tableOnce.Do(func() { l.tableModel, l.tableErr = l.openTable() })
	return l.tableModel, l.tableErr
}

func (l *Library) openTable() (*tableEmbedder, error) {
	m, err := l.segs[0].meaning()
	if err != nil {
		return nil, err
	}
	var delta *embed.Delta
	if m.delta != nil {
		if delta, err = embed.OpenDeltaAt(m.delta.Len(), m.delta.Bytes); err != nil {
			return nil, fmt.Errorf("%w: the model: %w", segment.ErrDamaged, err)
		}
	}
	t, err := newTableEmbedder(delta, m.model.Kind, m.model.Name)
	if err != nil || t.info.Fingerprint != m.model.Fingerprint {
		return nil, errors.Join(errOtherPolicy, err)
	}
	return t, nil
}

// embedding is how changed files get their vectors: as all others did.
func (l *Library) embedding(o Options) (*embedding, error) {
	m, err := l.segs[0].meaning()
	if err != nil || m == nil {
		return nil, err
	}
	by, err := l.embedder()
	if err != nil {
		return nil, err
	}
	return &embedding{by: by, progress: o.EmbedProgress}, nil
}

// outgrown reports whether so much has changed that the table should be adapted
// anew: a tenth of the documents.
func (l *Library) outgrown(dead []int, changed int) bool {
	m, err := l.segs[0].meaning()
	if err != nil || m == nil || !m.model.Adapted || m.model.Kind != builtinModel {
		return false
	}
	newer := changed
	for _, s := range l.segs[1:] {
		newer += s.cat.Files()
	}
	return 10*max(len(dead), newer) > l.segs[0].cat.Files()
}

// likeness returns the k chunks whose vectors are nearest to a question, nearest
// first, by their numbers in the library, and how near given matches are.
func (l *Library) likeness(ctx context.Context, text string, matches []index.Match, k int, accept func(uint32) bool) ([]vector.Match, []float32, error) {
	asked := map[*Library]*vector.Query{}
	var near []vector.Match
	like := make([]float32, len(matches))
	for i, s := range l.segs {
		m, err := s.meaning()
		if err != nil {
			return nil, nil, err
		}
		own := l
		if s.owner != nil {
			own = s.owner.lib
		}
		q := asked[own]
		if q == nil {
			if q, err = own.question(ctx, text); err != nil {
				return nil, nil, err
			}
			asked[own] = q
		}
		if own.unkept != nil {
			return nil, nil, errNoVectors
		}
		if m == nil || m.vectors.Len() != s.cat.Chunks() {
			return nil, nil, fmt.Errorf("%w: vectors of %d chunks are missing", segment.ErrDamaged, s.cat.Chunks())
		}
		first, end := uint32(l.first[i]), uint32(l.first[i]+s.cat.Chunks())
		found, err := m.vectors.Top(q, k, -1, s.skip(first, accept))
		if err != nil {
			return nil, nil, err
		}
		for _, f := range found {
			near = append(near, vector.Match{ID: first + f.ID, Score: f.Score})
		}
		for j, x := range matches {
			if x.Num < first || x.Num >= end {
				continue
			}
			score, err := m.vectors.Scores(q, []uint32{x.Num - first})
			if err != nil {
				return nil, nil, err
			}
			like[j] = score[0]
		}
	}
	return l.best(near, k), like, nil
}

// question is the vector of a question.
func (l *Library) question(ctx context.Context, text string) (*vector.Query, error) {
	by, err := l.embedder()
	if err != nil {
		return nil, err
	}
	v, err := by.question(ctx, text)
	if err != nil {
		return nil, err
	}
	return vector.NewQuery(v)
}

// skip tells which rows are not to be found: those of dead files, and those that
// are not accepted. It is nil when all are.
func (s *seg) skip(first uint32, accept func(uint32) bool) func(uint32) bool {
	if len(s.dead) == 0 && accept == nil {
		return nil
	}
	return func(id uint32) bool {
		if file, err := s.cat.FileOf(int(id)); err != nil || s.dead[file] {
			return true
		}
		return accept != nil && !accept(first+id)
	}
}

// best sorts matches and keeps the first k. Equal ones come in the order of their
// paths.
func (l *Library) best(all []vector.Match, k int) []vector.Match {
	if len(l.segs) < 2 {
		return all
	}
	slices.SortFunc(all, func(a, b vector.Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(l.order.place(a.ID), l.order.place(b.ID)))
	})
	return all[:min(len(all), k)]
}

// modelName says what vectors come from, for people.
func (l *Library) modelName() string {
	if len(l.segs) == 0 {
		return noModel
	}
	m, err := l.segs[0].meaning()
	if err == nil && m == nil && l.meta.Model.Later {
		return builtinModel + ", from the next search on"
	}
	if err != nil || m == nil {
		return noModel
	}
	return m.model.text()
}

// text says what vectors come from, for people.
func (m *modelInfo) text() string {
	name := m.Kind
	if m.Name != "" {
		name += " " + m.Name
	}
	if m.Adapted && m.Kind == builtinModel {
		name += ", adapted"
	}
	return name
}

// ties says which words of a question and of a text do most to make them alike; ""
// where the vectors come from an endpoint, which keeps its reasons to itself.
func (l *Library) ties(question, text string) string {
	by, err := l.embedder()
	if asked, ok := by.(*askedEmbedder); ok {
		by = asked.by
	}
	t, ok := by.(*tableEmbedder)
	if err != nil || !ok {
		return ""
	}
	var out []string
	for _, tie := range t.m.Explain(question, text, 4) {
		out = append(out, fmt.Sprintf("%s ~ %s %+.3f", tie.Query, tie.Text, tie.Share))
	}
	return strings.Join(out, ", ")
}
