package docent

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/snippet"
)

// Snippets finds code blocks by words in them and around them, or lists them when
// none are given.
func (l *Library) Snippets(ctx context.Context, q CodeQuery) (*Snippets, error) {
	if err := q.check(20); err != nil {
		return nil, err
	}
	s := &Snippets{Query: q.Text, Snippets: []Snippet{}, tokens: l.policy.Count, noun: "code block"}
	var blocks []blockAt
	var err error
	if strings.TrimSpace(q.Text) == "" {
		blocks, err = l.allBlocks(q)
	} else {
		blocks, err = l.blocksAbout(q)
	}
	if err != nil {
		return nil, err
	}
	s.Total = len(blocks)
	return s, l.showBlocks(ctx, s, blocks, q, (*codePage).lead)
}

// allBlocks returns the blocks that a query allows, in the order of their files.
func (l *Library) allBlocks(q CodeQuery) ([]blockAt, error) {
	files, err := l.live()
	if err != nil {
		return nil, err
	}
	var out []blockAt
	for _, k := range files {
		if k.file.Fences == 0 || q.File != "" && !matchAll([]string{q.File}, k.path) {
			continue
		}
		s := l.segs[k.seg]
		blocks, err := s.fileBlocks(k.row)
		if err != nil {
			return nil, err
		}
		for i, b := range blocks {
			if q.Language == "" || b.Language == q.Language {
				out = append(out, blockAt{seg: s, file: k.row, path: k.path, number: i, kind: unnamed, block: b})
			}
		}
	}
	return out, nil
}

func (s *seg) fileBlocks(row int) ([]snippet.Block, error) {
	code, err := s.code()
	if err != nil {
		return nil, err
	}
	_, blocks, err := code.InFile(row)
	return blocks, err
}

// blocksAbout returns the blocks in the chunks that answer a question best, those
// that have more of its words in them first.
func (l *Library) blocksAbout(q CodeQuery) ([]blockAt, error) {
	hits, _, err := l.rank(Query{Text: q.Text, File: q.File}, index.Parse(q.Text), 2*pool, 2*pool)
	if err != nil {
		return nil, err
	}
	named := map[*seg]map[int]int{} // how many of the words a block has for names
	words := symbolParts(q.Text)
	written, err := l.written(words)
	if err != nil {
		return nil, err
	}
	for _, s := range l.segs {
		code, err := s.code()
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
		code, err := h.seg.code()
		if err != nil {
			return nil, err
		}
		first, blocks, err := code.InFile(h.chunk.File)
		if err != nil {
			return nil, err
		}
		for i, b := range blocks {
			inside := b.Span.Start >= h.chunk.Span.Start && b.Span.Start < h.chunk.Span.End
			if !inside || q.Language != "" && b.Language != q.Language {
				continue
			}
			share := float64(named[h.seg][first+i]) / float64(max(len(words), 1))
			out = append(out, blockAt{
				seg: h.seg, file: h.chunk.File, path: h.file.Path, number: i, kind: unnamed, block: b, score: h.Final * (1 + share),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b blockAt) int { return cmp.Compare(b.score, a.score) })
	return out, nil
}
