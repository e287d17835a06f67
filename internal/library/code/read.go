package code

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/engine/reranker"
)

// How the model in the program reads code blocks.
//
// It reads the best blocks, no more than a few of a page, each as a section with its
// headings, the paragraph that leads up to it and the code. Of 71 questions to MDN, most
// in other words than its pages have, a block of a fitting page was among the first two for
// 39 by the chunks of a search alone, and for 47 with similarity, pages and reading; of 30 in
// the words of the pages for 29 both times. More weight on the model, or on similarity, gains
// none of the former and loses up to three of the latter.
const (
	readPool  = 30  // blocks that it reads
	fromPage  = 2   // and of one page
	readShare = 1.0 // of its score, 1 for the best, against that of chunk and page
	readWords = 2   // of a question that it reads: a name is found as it is

	nextOfPage = 0.8 // the share of a page's next block: another page may have what was meant

	readTime = 5 * time.Second // that it may take, on a busy machine
)

// readBest orders blocks. Those that the model read come first.
func (p *pages) readBest(ctx context.Context, question string, blocks []blockAt) ([]blockAt, error) {
	sortByScore(blocks)
	if len(strings.Fields(question)) < readWords || !reranker.Fast() {
		return spreadPages(blocks), nil
	}
	var best, rest []blockAt
	of := map[document]int{}
	for _, b := range blocks {
		page := document{b.seg, b.file}
		if len(best) == readPool || of[page] == fromPage {
			rest = append(rest, b)
			continue
		}
		of[page]++
		best = append(best, b)
	}
	scores, err := p.modelScores(ctx, question, best)
	if err != nil {
		return nil, err
	}
	if len(scores) > 1 {
		rest = append(best[len(scores):len(best):len(best)], rest...)
		best = best[:len(scores)]
		for i, s := range reranker.Relative(scores) {
			best[i].score += float64(readShare * s)
		}
	}
	return append(spreadPages(best), spreadPages(rest)...), nil
}

// modelScores returns what the model makes of blocks: of as many of the first as it could read.
func (p *pages) modelScores(ctx context.Context, question string, blocks []blockAt) ([]float32, error) {
	model, err := reranker.Builtin()
	if err != nil {
		return nil, err
	}
	cs := make([]reranker.Candidate, len(blocks))
	for i, b := range blocks {
		page, err := p.of(b)
		if err != nil {
			return nil, err
		}
		if page == nil {
			continue // stale: said at the end
		}
		text, _ := page.code(b)
		if before := page.textsNextTo(b, -1); len(before) > 0 {
			text = before[0] + "\n\n" + text
		}
		cs[i] = reranker.Candidate{Path: strings.Join(page.trail(b.block.Section), ". "), Text: text}
	}
	return model.ScoreUntil(ctx, time.Now().Add(readTime), question, cs)
}

// spreadPages orders blocks by their scores, of which each further one of a page has less.
func spreadPages(blocks []blockAt) []blockAt {
	sortByScore(blocks)
	share := map[document]float64{}
	for i := range blocks {
		b := &blocks[i]
		page := document{b.seg, b.file}
		if share[page] == 0 {
			share[page] = 1
		}
		b.score *= share[page]
		share[page] *= nextOfPage
	}
	sortByScore(blocks)
	return blocks
}

// sortByScore orders blocks by their scores and what each is worth on its page.
func sortByScore(blocks []blockAt) {
	slices.SortStableFunc(blocks, func(a, b blockAt) int { return cmp.Compare(b.score*b.worth, a.score*a.worth) })
}
