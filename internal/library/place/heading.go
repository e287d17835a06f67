package place

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// byHeading finds a section anywhere by the text of its heading or by the number
// that begins it, and returns its Ref; "" when there is none. Of several the one
// that a search finds first is meant or, of numbers, the first in the order of
// paths.
func byHeading(v *snapshot.View, text string) (string, error) {
	plain := words.Slug(text)
	if plain == "" || strings.Contains(text, "#") || strings.Contains(text, "::") {
		return "", nil
	}
	hits, _, err := retrieve.Lexical(v, answer.Query{Text: plain}, index.Parse(plain), retrieve.Pool, retrieve.Pool)
	if err != nil {
		return "", err
	}
	for _, h := range hits {
		found := ""
		err := h.EachSection(func(_ int, s doctable.Section) bool {
			if words.Slug(s.Title) == plain {
				found = answer.RefIn(h.File.Path, s.Anchor)
			}
			return found == ""
		})
		if err != nil || found != "" {
			return found, err
		}
	}
	if strings.ContainsAny(text, "0123456789") && !strings.ContainsAny(text, " /") {
		return byNumber(v, text)
	}
	return "", nil
}

func byNumber(v *snapshot.View, number string) (string, error) {
	files, err := v.Files()
	if err != nil {
		return "", err
	}
	for _, k := range files {
		for i := range k.Info.Sections {
			s, err := v.Section(k, i)
			if err != nil {
				return "", err
			}
			if isNumbered(s.Title, number) {
				return answer.RefIn(k.Path, s.Anchor), nil
			}
		}
	}
	return "", nil
}

// isNumbered reports whether a heading begins with a number: "2.1. Keys" with 2.1.
func isNumbered(title, number string) bool {
	first, _, more := strings.Cut(title, " ")
	return more && strings.EqualFold(strings.TrimRight(first, ".:"), number)
}

// minSimilarity is the least similarity of a heading to a name that may be that heading
// misspelt.
const minSimilarity = 0.4

// nearestSections are the best answers to a name that nothing has: of each chunk
// the section whose heading is most similar to it. The first section of a file is the
// file. Where words had to be corrected, only headings with a corrected word count: what
// is about another word was not meant.
func nearestSections(v *snapshot.View, name string) ([]string, error) {
	plain := words.Slug(name)
	hits, res, err := retrieve.Lexical(v, answer.Query{Text: plain}, index.Parse(plain), retrieve.Pool, retrieve.Pool)
	if err != nil {
		return nil, err
	}
	want := words.Pairs(plain)
	var out []string
	for _, h := range hits[:min(len(hits), MaxNearest)] {
		best, at, anchor, meant := -1.0, 0, "", len(res.Corrections) == 0
		err := h.EachSection(func(i int, s doctable.Section) bool {
			title := strings.ToLower(words.Slug(s.Title))
			if similarity := words.Similarity(want, words.Pairs(title)); similarity > best {
				best, at, anchor = similarity, i, s.Anchor
			}
			meant = meant || slices.ContainsFunc(res.Corrections, func(c index.Correction) bool {
				return slices.Contains(strings.Fields(title), c.To)
			})
			return true
		})
		if err != nil {
			return nil, err
		}
		if !meant && best < minSimilarity {
			continue
		}
		if at == h.File.FirstSection {
			out = append(out, h.File.Path)
		} else {
			out = append(out, answer.RefIn(h.File.Path, anchor))
		}
	}
	return out, nil
}
