// Package code finds code blocks: by the names they declare or use, and by words.
package code

import (
	"context"
	"fmt"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/snippet"
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
	if q.Around {
		return bySymbol(ctx, v, q, 3, (*codePage).around)
	}
	return bySymbol(ctx, v, q, 5, (*codePage).lead)
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
	if err := newPages(v).show(ctx, s, blocks, q, text); err != nil {
		return nil, err
	}
	return s, nil
}

// show reads the best blocks, each text once.
func (p *pages) show(ctx context.Context, s *answer.Snippets, blocks []blockAt, q answer.CodeQuery, text func(*codePage, *answer.Snippet, blockAt)) error {
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
			pg, err := p.of(b)
			if err != nil {
				return err
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
	if err := p.reader.Err(); err != nil {
		return err
	}
	if q.Budget > 0 {
		s.Fit(q.Budget, p.v.Ceiling)
	}
	return nil
}

// Snippets finds code blocks by words in them and around them, or lists them when
// none are given.
func Snippets(ctx context.Context, v *snapshot.View, q answer.CodeQuery) (*answer.Snippets, error) {
	if err := check(&q, 20); err != nil {
		return nil, err
	}
	s := &answer.Snippets{Query: q.Text, Snippets: []answer.Snippet{}}
	p := newPages(v)
	var blocks []blockAt
	var err error
	if strings.TrimSpace(q.Text) == "" {
		blocks, err = allBlocks(v, q)
	} else {
		blocks, err = blocksAbout(ctx, p, q)
	}
	if err != nil {
		return nil, err
	}
	s.Total = len(blocks)
	return s, p.show(ctx, s, blocks, q, (*codePage).lead)
}

// allBlocks returns the blocks that a query allows, in the order of their files.
func allBlocks(v *snapshot.View, q answer.CodeQuery) ([]blockAt, error) {
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	var out []blockAt
	for _, k := range files {
		if k.Info.Fences == 0 || q.File != "" && !snapshot.MatchPath([]string{q.File}, k.Path) {
			continue
		}
		s := v.Segments[k.Seg]
		blocks, err := fileBlocks(s, k.Row)
		if err != nil {
			return nil, err
		}
		for i, b := range blocks {
			if q.Language == "" || b.Language == q.Language {
				out = append(out, blockAt{seg: s, file: k.Row, path: k.Path, number: i, kind: unnamed, block: b})
			}
		}
	}
	return out, nil
}

func fileBlocks(s *snapshot.Segment, row int) ([]snippet.Block, error) {
	code, err := s.Code()
	if err != nil {
		return nil, err
	}
	_, blocks, err := code.InFile(row)
	return blocks, err
}
