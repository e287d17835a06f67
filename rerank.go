package docent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/text/visible"
)

// ErrNoAssistant is what asking for a model's help returns where there is none.
var ErrNoAssistant = errors.New("docent: no language model to ask")

// What a model is shown of a question's candidates.
const (
	rerankPool    = 50  // of the ranking's own
	rerankLinked  = 30  // and sections that those link to
	previewTokens = 120 // of each
)

// rerank lets the assistant put the best candidates, and sections one link away
// from them, in order. What it does not choose follows in the order it had. When
// it cannot, that order stays, and the note says why.
func (l *Library) rerank(ctx context.Context, q Query, hits []found) ([]found, string, error) {
	assistant := l.corpus.assistant()
	if assistant == nil {
		return nil, "", ErrNoAssistant
	}
	if len(hits) < 2 {
		return hits, "", nil
	}
	pool, err := l.linked(ctx, hits[:min(len(hits), rerankPool)])
	if err != nil {
		return nil, "", err
	}
	reader := newPageReader(l)
	cands := make([]llm.Candidate, 0, len(pool))
	at := map[string]int{}
	for i, f := range pool {
		h, ok, err := reader.hit(f)
		if err != nil {
			return nil, "", err
		}
		if !ok {
			continue
		}
		if _, twice := at[h.Citation]; twice {
			continue
		}
		at[h.Citation] = i
		cands = append(cands, shown(h.Citation, h, l.preview))
	}
	if len(reader.stale) > 0 {
		return nil, "", &StaleError{reader.stale}
	}
	ids, note, err := assistant.order(ctx, q.Text, cands)
	if err != nil {
		return nil, "", err
	}
	out := make([]found, 0, len(hits)+len(ids))
	taken := map[uint32]bool{}
	for _, id := range ids {
		if i, offered := at[id]; offered && !taken[pool[i].num] {
			taken[pool[i].num] = true
			out = append(out, pool[i])
		}
	}
	for _, h := range hits {
		if !taken[h.num] {
			out = append(out, h)
		}
	}
	return out, note, nil
}

// shown is what a model is shown of a hit.
func shown(id string, h Hit, preview func(string) string) llm.Candidate {
	return llm.Candidate{ID: id, Title: visible.Line(strings.Join(h.Headings, " > ")), Preview: preview(h.Body)}
}

// order has the model choose among candidates, and returns the ids of those it chose,
// best first. The note says so, or why none were chosen; only the end of ctx is an
// error.
func (a *Assistant) order(ctx context.Context, question string, cands []llm.Candidate) ([]string, string, error) {
	ranking, err := a.claude.Rerank(ctx, question, cands)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil {
		return nil, "not reranked: " + strings.TrimPrefix(err.Error(), "rerank: "), nil
	}
	return ranking.IDs, fmt.Sprintf("reranked by %s", a.Model()), nil
}

// linked adds to candidates the sections that they link to.
func (l *Library) linked(ctx context.Context, hits []found) ([]found, error) {
	w, err := l.newWalk()
	if err != nil {
		return nil, err
	}
	have := map[uint32]bool{}
	for _, h := range hits {
		have[h.num] = true
	}
	out := append([]found{}, hits...)
	for i := range hits {
		h := &hits[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		edges, err := w.out(node{l.fileID(*h), 0})
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if e.State != graph.Found || e.Line < h.chunk.Lines.Start || e.Line > h.chunk.Lines.End || len(out) == len(hits)+rerankLinked {
				continue
			}
			f, ok, err := l.chunkOf(node{e.To.File, max(e.To.Section, 0)})
			if err != nil {
				return nil, err
			}
			if ok && !have[f.num] {
				have[f.num] = true
				f.Final = h.Final * perLink
				out = append(out, f)
			}
		}
	}
	return out, w.err
}

// preview is the beginning of a text, on one line, of at most so many tokens.
func (l *Library) preview(body string) string {
	line := visible.Line(strings.Join(strings.Fields(body), " "))
	for len(line) > 0 && l.policy.Count([]byte(line)) > previewTokens {
		line = strings.ToValidUTF8(line[:len(line)*3/4], "")
	}
	return line
}
