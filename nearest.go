package docent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
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

// sought is a question that is compared with the vectors of a library.
type sought struct {
	l    *Library
	segs []soughtSeg
}

// A soughtSeg is a segment and the question as its model has it.
type soughtSeg struct {
	q          *vector.Query
	vectors    *vector.Reader
	first, end uint32 // its chunks, by their numbers in the library
	skip       func(uint32) bool
}

// ask makes a question ready. Chunks that are not accepted are not near it.
func (l *Library) ask(ctx context.Context, text string, accept func(uint32) bool) (*sought, error) {
	known := map[*Library]*vector.Query{}
	a := &sought{l, make([]soughtSeg, len(l.segs))}
	for i, s := range l.segs {
		m, err := s.meaning()
		if err != nil {
			return nil, err
		}
		own := l
		if s.owner != nil {
			own = s.owner.lib
		}
		q := known[own]
		if q == nil {
			if q, err = own.question(ctx, text); err != nil {
				return nil, err
			}
			known[own] = q
		}
		if own.unkept != nil {
			return nil, errNoVectors
		}
		if m == nil || m.vectors.Len() != s.cat.Chunks() {
			return nil, fmt.Errorf("%w: vectors of %d chunks are missing", segment.ErrDamaged, s.cat.Chunks())
		}
		first := uint32(l.first[i])
		a.segs[i] = soughtSeg{q, m.vectors, first, first + uint32(s.cat.Chunks()), s.skip(first, accept)}
	}
	return a, nil
}

// scores returns how near given matches are.
func (a *sought) scores(matches []index.Match) ([]float32, error) {
	out := make([]float32, len(matches))
	rows, at := make([]uint32, 0, len(matches)), make([]int, 0, len(matches))
	for _, s := range a.segs {
		rows, at = rows[:0], at[:0]
		for i, m := range matches {
			if m.Num >= s.first && m.Num < s.end {
				rows, at = append(rows, m.Num-s.first), append(at, i)
			}
		}
		scores, err := s.vectors.Scores(s.q, rows)
		if err != nil {
			return nil, err
		}
		for i, score := range scores {
			out[at[i]] = score
		}
	}
	return out, nil
}

// nearest returns the k chunks that are nearest, of those at least so near, nearest
// first, by their numbers in the library.
func (a *sought) nearest(k int, least float32) ([]vector.Match, error) {
	var near []vector.Match
	for _, s := range a.segs {
		found, err := s.vectors.Top(s.q, k, least, s.skip)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			near = append(near, vector.Match{ID: s.first + f.ID, Score: f.Score})
		}
		if near = a.l.best(near, k); len(near) == k {
			least = max(least, near[k-1].Score)
		}
	}
	return near, nil
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
