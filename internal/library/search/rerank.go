package search

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/library/links"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Reranker puts candidates in order by reading the question and their texts.
type Reranker interface {
	// Rerank returns the ids of the candidates that answer, best first; nil when no model
	// ranked them. The note says which did, or why none; only the end of ctx is an error.
	Rerank(ctx context.Context, question string, candidates []Preview) (ids []string, note string, err error)
}

// A Preview is what a reranker is shown of a candidate.
type Preview struct {
	ID    string
	Title string // its breadcrumb
	Text  string // the beginning of its body
}

// ErrNoReranker is what a query that asks for one returns where there is none.
var ErrNoReranker = errors.New("no language model to ask")

// What a reranker is shown.
const (
	rerankPool    = 50  // candidates of the ranking's own
	rerankLinked  = 30  // and sections that those link to
	previewTokens = 120 // of each
)

// rerank has the reranker put the best candidates, and sections one link away from
// them, in order. What it does not choose follows in the order it had, and is weak: it
// read that, and found no answer there. When it cannot choose, that order stays, and the
// note says why.
func (r *run) rerank(ctx context.Context) error {
	if r.q.Rerank != answer.RerankClaude {
		return nil
	}
	if r.reranker == nil {
		return ErrNoReranker
	}
	ranked := r.found.Ranked
	if len(ranked) < 2 {
		return nil
	}
	pool, err := r.addLinked(ctx, ranked[:min(len(ranked), rerankPool)])
	if err != nil {
		return err
	}
	previews, byID, err := r.previews(pool)
	if err != nil {
		return err
	}
	ids, note, err := r.reranker.Rerank(ctx, r.q.Text, previews)
	if err != nil {
		return err
	}
	chosen := make([]retrieve.Ranked, 0, len(ranked)+len(ids))
	have := map[uint32]bool{}
	add := func(c retrieve.Ranked) {
		if !have[c.Num] {
			have[c.Num] = true
			chosen = append(chosen, c)
		}
	}
	if ids != nil {
		r.chosen = map[uint32]bool{}
	}
	for _, id := range ids {
		if i, offered := byID[id]; offered {
			add(pool[i])
			r.chosen[pool[i].Num] = true
		}
	}
	for _, c := range ranked {
		add(c)
	}
	r.found.Ranked = chosen
	r.addNote(note)
	return nil
}

// previews are what the reranker is shown, and the candidate of each id.
func (r *run) previews(pool []retrieve.Ranked) ([]Preview, map[string]int, error) {
	var out []Preview
	byID := map[string]int{}
	for i, c := range pool {
		h, ok, err := newHit(r.texts, c)
		if err != nil {
			return nil, nil, err
		}
		id := h.Citation
		if r.v.IsJoined() {
			id = h.id()
		}
		if _, twice := byID[id]; !ok || twice {
			continue
		}
		byID[id] = i
		out = append(out, Preview{ID: id, Title: visible.Line(strings.Join(h.Headings, " > ")), Text: preview(h.Body, r.v.Policy.Count)})
	}
	return out, byID, r.texts.Err()
}

// preview is the beginning of a text, on one line, of at most previewTokens.
func preview(body string, count func([]byte) int) string {
	line := visible.Line(strings.Join(strings.Fields(body), " "))
	for len(line) > 0 && count([]byte(line)) > previewTokens {
		line = strings.ToValidUTF8(line[:len(line)*3/4], "")
	}
	return line
}

// addLinked adds to candidates the sections that they link to.
func (r *run) addLinked(ctx context.Context, ranked []retrieve.Ranked) ([]retrieve.Ranked, error) {
	if r.v.Linked != nil {
		return r.addLinkedIDs(ranked)
	}
	walks := links.NewWalks(r.v)
	have := map[uint32]bool{}
	for _, c := range ranked {
		have[c.Num] = true
	}
	out := slices.Clone(ranked)
	for i := range ranked {
		c := &ranked[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w, err := walks.Of(c.Segment)
		if err != nil {
			return nil, err
		}
		edges, err := w.Out(links.Node{ID: c.ID()})
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if e.State != graph.Found || e.Line < c.Chunk.Lines.Start || e.Line > c.Chunk.Lines.End || len(out) == len(ranked)+rerankLinked {
				continue
			}
			to, ok, err := chunkAt(r.v, c.Segment.Home, links.Node{ID: e.To.File, Section: max(e.To.Section, 0)})
			if err != nil {
				return nil, err
			}
			if ok && !have[to.Num] {
				have[to.Num] = true
				to.Final = c.Final * perLink
				out = append(out, to)
			}
		}
	}
	return out, walks.Err()
}

// addLinkedIDs is addLinked for candidates from a database.
func (r *run) addLinkedIDs(ranked []retrieve.Ranked) ([]retrieve.Ranked, error) {
	s := r.v.Segments[0]
	rows := map[string]int{}
	ids := make([]string, s.Table.Chunks())
	for row := range ids {
		if record, ok := r.v.Origin.Record(row); ok {
			rows[record.SectionID], ids[row] = row, record.SectionID
		}
	}
	have := map[uint32]bool{}
	for _, c := range ranked {
		have[c.Num] = true
	}
	out := slices.Clone(ranked)
	for _, from := range ranked {
		for _, id := range r.v.Linked[ids[from.Row]] {
			row, ok := rows[id]
			if !ok || have[uint32(row)] || len(out) == len(ranked)+rerankLinked {
				continue
			}
			have[uint32(row)] = true
			c, err := candidateAt(s, row)
			if err != nil {
				return nil, err
			}
			c.Final = from.Final * perLink
			out = append(out, c)
		}
	}
	return out, nil
}

// candidateAt is the candidate in a row of the only segment.
func candidateAt(s *snapshot.Segment, row int) (retrieve.Ranked, error) {
	c, err := s.Table.Chunk(row)
	if err != nil {
		return retrieve.Ranked{}, err
	}
	file, err := s.Table.File(c.File)
	if err != nil {
		return retrieve.Ranked{}, err
	}
	section, err := s.Table.Section(c.Section)
	return retrieve.Ranked{Num: uint32(row), Segment: s, Row: row, Chunk: c, File: file, Section: section, Named: c.Section}, err
}
