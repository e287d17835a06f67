package code

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// A blockAt is a code block that has what was asked for.
type blockAt struct {
	seg    *snapshot.Segment
	file   int // row
	path   string
	number int // within the file
	kind   snippet.Kind
	block  snippet.Block
	dotted bool // must be looked at: it has the parts of a dotted name
	score  float64
	worth  float64 // of a block found by words: the share of its score that it has for what it is
}

// symbolParts are the names that a block must have to be about a symbol:
// "http.Handler()" are http and Handler.
func symbolParts(text string) []string {
	if i := strings.IndexByte(text, '('); i > 0 {
		text = text[:i]
	}
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`.:\,;()[]{}<>"'#`+"`", r) }) {
		if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '$' || r == '_' }) >= 0 {
			out = append(out, w)
		}
	}
	return out
}

// blocksWith returns the blocks that have all of the names, best first.
func blocksWith(v *snapshot.View, names []string, q answer.CodeQuery) ([]blockAt, error) {
	written, err := written(v, names)
	if err != nil {
		return nil, err
	}
	var out []blockAt
	for _, s := range v.Segments {
		code, err := s.Code()
		if err != nil {
			return nil, err
		}
		hits, err := findAll(code, names, written)
		if err != nil {
			return nil, err
		}
		if out, err = appendBlocks(s, out, code, hits, names, q); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b blockAt) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Or(strings.Compare(a.path, b.path), a.number-b.number)
	})
	return out, nil
}

// written reports of each name whether any block has it as it is written. That
// must not depend on how the blocks are spread over segments.
func written(v *snapshot.View, names []string) ([]bool, error) {
	out := make([]bool, len(names))
	for i, name := range names {
		for _, s := range v.Segments {
			code, err := s.Code()
			if err != nil {
				return nil, err
			}
			hits, err := code.Find(name)
			if err != nil {
				return nil, err
			}
			for k := 0; k < len(hits) && !out[i]; k++ {
				row, err := code.File(hits[k].Block)
				if err != nil {
					return nil, err
				}
				out[i] = !s.Dead[row]
			}
		}
	}
	return out, nil
}

// findAll returns the blocks of a segment that have all of the names. Where no
// block has a name as it is written, letter case does not matter.
func findAll(code *snippet.Reader, names []string, written []bool) ([]snippet.Hit, error) {
	var all []snippet.Hit
	for i, name := range names {
		find := code.Find
		if !written[i] {
			find = func(name string) ([]snippet.Hit, error) { return findFolded(code, name) }
		}
		hits, err := find(name)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			all = hits
			continue
		}
		// What a block does with the last of the names is what counts.
		kinds := make(map[int]snippet.Kind, len(hits))
		for _, h := range hits {
			kinds[h.Block] = h.Kind
		}
		both := all[:0]
		for _, h := range all {
			if kind, ok := kinds[h.Block]; ok {
				both = append(both, snippet.Hit{Block: h.Block, Kind: kind})
			}
		}
		all = both
	}
	return all, nil
}

func findFolded(code *snippet.Reader, name string) ([]snippet.Hit, error) {
	like, err := code.Fold(name)
	if err != nil {
		return nil, err
	}
	best := map[int]snippet.Kind{}
	for _, n := range like {
		hits, err := code.Find(n)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			if kind, ok := best[h.Block]; !ok || h.Kind < kind {
				best[h.Block] = h.Kind
			}
		}
	}
	out := make([]snippet.Hit, 0, len(best))
	for b, kind := range best {
		out = append(out, snippet.Hit{Block: b, Kind: kind})
	}
	slices.SortFunc(out, func(a, b snippet.Hit) int { return a.Block - b.Block })
	return out, nil
}

// appendBlocks appends the blocks that hits name and the query allows, with scores.
func appendBlocks(s *snapshot.Segment, out []blockAt, code *snippet.Reader, hits []snippet.Hit, names []string, q answer.CodeQuery) ([]blockAt, error) {
	out = slices.Grow(out, len(hits))
	for len(hits) > 0 {
		row, err := code.File(hits[0].Block)
		if err != nil {
			return nil, err
		}
		first, blocks, err := code.InFile(row)
		if err != nil {
			return nil, err
		}
		n := 0
		for n < len(hits) && hits[n].Block < first+len(blocks) {
			n++
		}
		here := hits[:n]
		hits = hits[n:]
		if n == 0 || first > here[0].Block {
			return nil, fmt.Errorf("%w: blocks of file %d", snippet.ErrFormat, row)
		}
		if s.Dead[row] {
			continue
		}
		file, err := s.Table.File(row)
		if err != nil {
			return nil, err
		}
		if q.File != "" && !snapshot.MatchPath([]string{q.File}, file.Path) {
			continue
		}
		for _, h := range here {
			b := blockAt{
				seg: s, file: row, path: file.Path, number: h.Block - first, kind: h.Kind,
				block: blocks[h.Block-first], dotted: len(names) > 1,
			}
			if q.Language != "" && b.block.Language != q.Language {
				continue
			}
			if b.score, err = b.weigh(file, names); err != nil {
				return nil, err
			}
			out = append(out, b)
		}
	}
	return out, nil
}

// weigh scores a block by what is known of it without reading it: that it
// declares the name counts most; then that its page or section is about it; then
// that it is of a size to learn from.
func (b *blockAt) weigh(file doctable.File, names []string) (float64, error) {
	score := [...]float64{3, 2, 0, 0}[b.kind&3]
	section, err := b.seg.Table.Section(file.FirstSection + b.block.Section)
	if err != nil {
		return 0, err
	}
	for _, n := range names {
		if hasWord(file.Title, n) {
			score += 4 / float64(len(names))
		}
		if hasWord(section.Title, n) {
			score += 2 / float64(len(names))
		}
	}
	if hasWord(section.Title, "example") || hasWord(section.Title, "examples") || hasWord(section.Title, "usage") {
		score++
	}
	if n := b.block.Lines.Count(); n >= 4 && n <= 42 {
		score++
	}
	return score, nil
}

// hasWord reports whether a text has a word, in any letter case, with no letters
// or digits of others around it. Of letters beyond ASCII the first must be as it is.
func hasWord(text, word string) bool {
	for at := 0; at+len(word) <= len(text); at++ {
		if text[at]|0x20 != word[0]|0x20 || !strings.EqualFold(text[at:at+len(word)], word) {
			continue
		}
		before, after := rune(' '), rune(' ')
		if at > 0 {
			before = rune(text[at-1])
		}
		if end := at + len(word); end < len(text) {
			after = rune(text[end])
		}
		if !isNameByte(before) && !isNameByte(after) {
			return true
		}
	}
	return false
}

func isNameByte(r rune) bool {
	return r == '_' || r >= 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// minSimilarity is the least similarity of a name to one that may be that name misspelt.
const minSimilarity = 0.5

// nearestSymbols are the names in code most like one that no block has.
func nearestSymbols(v *snapshot.View, names []string) ([]string, error) {
	var all []string
	for _, s := range v.Segments {
		code, err := s.Code()
		if err != nil {
			return nil, err
		}
		if err := code.Names(func(n string) { all = append(all, n) }); err != nil {
			return nil, err
		}
	}
	slices.Sort(all)
	want := names[len(names)-1]
	near := words.Nearest(want, slices.Compact(all), 3)
	return slices.DeleteFunc(near, func(n string) bool {
		return words.Similarity(words.Pairs(want), words.Pairs(n)) < minSimilarity
	}), nil
}
