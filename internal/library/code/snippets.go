package code

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Snippets finds code blocks by words in them and around them, or lists them when
// none are given.
func Snippets(ctx context.Context, v *snapshot.View, q answer.CodeQuery) (*answer.Snippets, error) {
	if err := check(&q, 20); err != nil {
		return nil, err
	}
	s := &answer.Snippets{Query: q.Text, Snippets: []answer.Snippet{}}
	var blocks []blockAt
	var err error
	if strings.TrimSpace(q.Text) == "" {
		blocks, err = allBlocks(v, q)
	} else {
		blocks, err = blocksAbout(v, q)
	}
	if err != nil {
		return nil, err
	}
	s.Total = len(blocks)
	return s, showBlocks(ctx, v, s, blocks, q, (*codePage).lead)
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

// blocksAbout returns the blocks in the chunks that answer a question best, those
// that have more of its words in them first.
func blocksAbout(v *snapshot.View, q answer.CodeQuery) ([]blockAt, error) {
	hits, _, err := retrieve.Lexical(v, answer.Query{Text: q.Text, File: q.File}, index.Parse(q.Text), 2*retrieve.Pool, 2*retrieve.Pool)
	if err != nil {
		return nil, err
	}
	named := map[*snapshot.Segment]map[int]int{} // how many of the words a block has for names
	words := symbolParts(q.Text)
	written, err := written(v, words)
	if err != nil {
		return nil, err
	}
	for _, s := range v.Segments {
		code, err := s.Code()
		if err != nil {
			return nil, err
		}
		named[s] = map[int]int{}
		for i := range words {
			found, err := findAll(code, words[i:i+1], written[i:i+1])
			if err != nil {
				return nil, err
			}
			for _, h := range found {
				named[s][h.Block]++
			}
		}
	}
	var out []blockAt
	for _, h := range hits {
		code, err := h.Segment.Code()
		if err != nil {
			return nil, err
		}
		first, blocks, err := code.InFile(h.Chunk.File)
		if err != nil {
			return nil, err
		}
		for i, b := range blocks {
			inside := b.Span.Start >= h.Chunk.Span.Start && b.Span.Start < h.Chunk.Span.End
			if !inside || q.Language != "" && b.Language != q.Language {
				continue
			}
			share := float64(named[h.Segment][first+i]) / float64(max(len(words), 1))
			out = append(out, blockAt{
				seg: h.Segment, file: h.Chunk.File, path: h.File.Path, number: i, kind: unnamed, block: b, score: h.Final * (1 + share),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b blockAt) int { return cmp.Compare(b.score, a.score) })
	return out, nil
}
