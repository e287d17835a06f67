package code

import (
	"context"
	"slices"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// How code blocks are found by words.
//
// Who asks for code asks for what it does, in words that seldom stand in it and often not
// around it either: they stand in the opening of the page, or mean what stands there. So
// the chunks that may answer are looked for twice, by words and meaning and by meaning
// alone, and similarity counts beside the score of a search. A block counts half by the
// chunk that it stands in and half by the best chunk of its page. The model in the program
// then reads the best blocks, each with its headings and the paragraph before it (read.go).
const (
	chunkPool  = 150 // chunks looked for by words and meaning
	wordsShare = 2.0 // of the score of a search, against a similarity of 1
	pageShare  = 0.5 // of the page against the chunk
	nameShare  = 0.6 // of the question's words that are names in a block
)

// blocksAbout returns the blocks that a question asks for, best first.
func blocksAbout(ctx context.Context, p *pages, q answer.CodeQuery) ([]blockAt, error) {
	found, plain, err := chunksAbout(ctx, p, q)
	if err != nil {
		return nil, err
	}
	named, err := namesIn(p.v, symbolParts(q.Text))
	if err != nil {
		return nil, err
	}
	var out []blockAt
	for _, page := range found {
		s, row := page.chunks[0].Segment, page.chunks[0].Chunk.File
		code, err := s.Code()
		if err != nil {
			return nil, err
		}
		first, blocks, err := code.InFile(row)
		if err != nil {
			return nil, err
		}
		for i, b := range blocks {
			if q.Language != "" && b.Language != q.Language {
				continue
			}
			out = append(out, blockAt{
				seg: s, file: row, path: page.chunks[0].File.Path, number: i, kind: unnamed, block: b,
				score: page.scoreOf(b) + float64(nameShare*named[s][first+i]), worth: worth(b, blocks),
			})
		}
	}
	return p.readBest(ctx, plain, out)
}

// A document is a file of a segment: several indexes may have files of one name.
type document struct {
	*snapshot.Segment
	file int
}

// A pageFound is the chunks of one document that may answer.
type pageFound struct {
	chunks []retrieve.Ranked
	scores []float64 // of each, by similarity and by words
	best   float64
}

// scoreOf is how well a block of the page answers, as far as its chunk and page do.
func (p *pageFound) scoreOf(b snippet.Block) float64 {
	own := 0.
	for i, c := range p.chunks {
		if span := c.Chunk.Span; b.Span.Start >= span.Start && b.Span.Start < span.End {
			own = max(own, p.scores[i])
		}
	}
	return float64(pageShare*p.best) + float64((1-pageShare)*own)
}

// chunksAbout finds the chunks that may answer a question, by their pages, and returns the
// question as a model reads it.
func chunksAbout(ctx context.Context, p *pages, q answer.CodeQuery) ([]*pageFound, string, error) {
	query := answer.Query{Text: q.Text, File: q.File}
	found, err := retrieve.Candidates(ctx, p.v, p.reader, query, chunkPool, chunkPool)
	if err != nil || len(found.Ranked) == 0 {
		return nil, "", err
	}
	all, words := found.Ranked, len(found.Ranked)
	if found.Vectors && !retrieve.IsStrict(found.Query) && !retrieve.IsPhrase(query, found.Query) {
		query.Mode = answer.Semantic
		near, err := retrieve.Candidates(ctx, p.v, p.reader, query, retrieve.NearPool, retrieve.NearPool)
		if err != nil {
			return nil, "", err
		}
		all = append(all, near.Ranked...)
	}
	similarity := 0.
	for _, c := range all {
		similarity = max(similarity, c.Similarity)
	}
	var out []*pageFound
	pages, seen := map[document]*pageFound{}, map[uint32]bool{}
	for i, c := range all {
		if seen[c.Num] {
			continue
		}
		seen[c.Num] = true
		at := document{c.Segment, c.Chunk.File}
		page := pages[at]
		if page == nil {
			page = &pageFound{}
			pages[at] = page
			out = append(out, page)
		}
		score := 0.
		if i < words && found.Ranked[0].Final > 0 {
			score = float64(wordsShare * c.Final / found.Ranked[0].Final)
		}
		if similarity > 0 {
			score += c.Similarity / similarity
		}
		page.chunks, page.scores = append(page.chunks, c), append(page.scores, score)
		page.best = max(page.best, score)
	}
	return out, retrieve.PlainQuestion(q.Text, found.Index.Corrections), nil
}

// namesIn returns which share of words each block has for names.
func namesIn(v *snapshot.View, words []string) (map[*snapshot.Segment]map[int]float64, error) {
	written, err := written(v, words)
	if err != nil {
		return nil, err
	}
	out := map[*snapshot.Segment]map[int]float64{}
	for _, s := range v.Segments {
		code, err := s.Code()
		if err != nil {
			return nil, err
		}
		out[s] = map[int]float64{}
		for i := range words {
			found, err := findAll(code, words[i:i+1], written[i:i+1])
			if err != nil {
				return nil, err
			}
			for _, h := range found {
				out[s][h.Block] += 1 / float64(len(words))
			}
		}
	}
	return out, nil
}

// worth is less of what surrounds the code that does what is asked for: markup and output
// on a page with code or style, style on a page with code, and a line or two among longer
// examples, which mostly name something.
func worth(b snippet.Block, page []snippet.Block) float64 {
	out, own := 1., standing(b.Language)
	if slices.ContainsFunc(page, func(other snippet.Block) bool { return standing(other.Language) > own }) {
		out *= 0.75
	}
	if isShort(b) && slices.ContainsFunc(page, func(other snippet.Block) bool { return !isShort(other) }) {
		out *= 0.9
	}
	return out
}

// standing is how likely code of a language does something, rather than surrounds what does.
func standing(language string) int {
	switch language {
	case "html", "xml", "text", "txt", "plain", "plaintext", "output", "none", "":
		return 0
	case "css", "scss", "less":
		return 1
	}
	return 2
}

// isShort reports whether a block has one or two lines between its fences.
func isShort(b snippet.Block) bool { return b.Lines.Count() <= 4 }
