// Package code finds code blocks: by the names they declare or use, and by words.
package code

import (
	"context"
	"fmt"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/symbol"
)

// MaxSnippets is the most blocks that can be asked for.
const MaxSnippets = 200

func check(q *answer.CodeQuery, usual int) error {
	if q.Limit < 0 || q.Limit > MaxSnippets {
		return fmt.Errorf("%d code blocks: must lie between 1 and %d", q.Limit, MaxSnippets)
	}
	if q.Limit == 0 {
		q.Limit = usual
	}
	q.Language = symbol.Language(q.Language)
	if err := snapshot.CheckGlob(q.File); err != nil {
		return err
	}
	return answer.CheckBudget(q.Budget)
}

// Examples finds code blocks by a name in them: those that declare it first, and
// those in sections that are about it, each with the paragraph that leads up to
// it. A block must have all of several names, and all parts of a dotted one.
func Examples(ctx context.Context, v *snapshot.View, q answer.CodeQuery) (*answer.Snippets, error) {
	return bySymbol(ctx, v, q, 5, (*codePage).lead)
}

// ExplainSymbol finds code blocks by a name in them and gives each with the text
// of its section around it.
func ExplainSymbol(ctx context.Context, v *snapshot.View, q answer.CodeQuery) (*answer.Snippets, error) {
	return bySymbol(ctx, v, q, 3, (*codePage).around)
}

func bySymbol(ctx context.Context, v *snapshot.View, q answer.CodeQuery, usual int, text func(*codePage, *answer.Snippet, blockAt)) (*answer.Snippets, error) {
	if err := check(&q, usual); err != nil {
		return nil, err
	}
	names := symbolParts(q.Text)
	if len(names) == 0 {
		return nil, fmt.Errorf("symbol %q: has no letters or digits in it", q.Text)
	}
	blocks, err := blocksWith(v, names, q)
	if err != nil {
		return nil, err
	}
	s := &answer.Snippets{Query: q.Text, Snippets: []answer.Snippet{}, Total: len(blocks)}
	if len(blocks) == 0 {
		others, err := blocksWith(v, names, answer.CodeQuery{})
		if s.Elsewhere = len(others); err == nil && s.Elsewhere == 0 {
			s.Nearest, err = nearestSymbols(v, names)
		}
		return s, err
	}
	if err := showBlocks(ctx, v, s, blocks, q, text); err != nil {
		return nil, err
	}
	return s, nil
}

// showBlocks reads the best blocks, each text once.
func showBlocks(ctx context.Context, v *snapshot.View, s *answer.Snippets, blocks []blockAt, q answer.CodeQuery, text func(*codePage, *answer.Snippet, blockAt)) error {
	reader := snapshot.NewReader(v)
	pages := map[string]*codePage{}
	seen := map[string]bool{}
	whole := strings.TrimSpace(q.Text)
	for pass := range 2 { // first the blocks that have a dotted name as it is written
		for _, b := range blocks {
			if len(s.Snippets) == q.Limit {
				break
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			pg, ok := pages[b.path]
			if !ok {
				var err error
				if pg, err = readPage(v, reader, b); err != nil {
					return err
				}
				pages[b.path] = pg
			}
			if pg == nil {
				continue // stale: said at the end
			}
			code, ok := pg.code(b)
			if !ok || seen[code] || b.dotted && strings.Contains(code, whole) != (pass == 0) || !b.dotted && pass == 1 {
				continue
			}
			seen[code] = true
			s.Snippets = append(s.Snippets, pg.snippet(b, code, text))
		}
	}
	if err := reader.Err(); err != nil {
		return err
	}
	if q.Budget > 0 {
		s.Fit(q.Budget, v.Policy.Count)
	}
	return nil
}
