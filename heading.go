package docent

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
)

// byHeading finds a section anywhere by the text of its heading or by the number
// that begins it, and returns its Ref; "" when there is none. Of several the one
// that a search finds first is meant or, of numbers, the first in the order of
// paths.
func (l *Library) byHeading(text string) (string, error) {
	words := slugWords(text)
	if words == "" || strings.Contains(text, "#") || strings.Contains(text, "::") {
		return "", nil
	}
	hits, _, err := l.rank(Query{Text: words}, index.Parse(words), pool, pool)
	if err != nil {
		return "", err
	}
	for _, h := range hits {
		found := ""
		err := h.eachSection(func(_ int, s doctable.Section) bool {
			if slugWords(s.Title) == words {
				found = refIn(h.file.Path, s.Anchor)
			}
			return found == ""
		})
		if err != nil || found != "" {
			return found, err
		}
	}
	if strings.ContainsAny(text, "0123456789") && !strings.ContainsAny(text, " /") {
		return l.byNumber(text)
	}
	return "", nil
}

func (l *Library) byNumber(number string) (string, error) {
	files, err := l.live()
	if err != nil {
		return "", err
	}
	for _, k := range files {
		for i := range k.file.Sections {
			s, err := l.section(k, i)
			if err != nil {
				return "", err
			}
			if isNumbered(s.Title, number) {
				return refIn(k.path, s.Anchor), nil
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

// eachSection calls fn with the sections that a hit's chunk holds, and their
// numbers, until it returns false.
func (h *found) eachSection(fn func(i int, s doctable.Section) bool) error {
	last := h.file.FirstSection + h.file.Sections
	for i := h.chunk.Section; i < last; i++ {
		s, err := h.seg.cat.Section(i)
		if err != nil {
			return err
		}
		if s.Span.Start >= h.chunk.Span.End || !fn(i, s) {
			break
		}
	}
	return nil
}

// enoughAlike is how much of its pairs of letters a heading shares with a name that may
// be that heading misspelt.
const enoughAlike = 0.4

// nearestSections are the best answers to a name that leads nowhere: of each chunk
// the section whose heading is most like it. The beginning of a file is the file. Where
// words had to be corrected, only those with them in a heading count: what is about
// another word was not meant.
func (l *Library) nearestSections(name string) ([]string, error) {
	words := slugWords(name)
	hits, res, err := l.rank(Query{Text: words}, index.Parse(words), pool, pool)
	if err != nil {
		return nil, err
	}
	want := pairs(words)
	var out []string
	for _, h := range hits[:min(len(hits), maxNearest)] {
		best, at, anchor, meant := -1.0, 0, "", len(res.Corrections) == 0
		err := h.eachSection(func(i int, s doctable.Section) bool {
			title := strings.ToLower(slugWords(s.Title))
			if like := likeness(want, pairs(title)); like > best {
				best, at, anchor = like, i, s.Anchor
			}
			meant = meant || slices.ContainsFunc(res.Corrections, func(c index.Correction) bool {
				return slices.Contains(strings.Fields(title), c.To)
			})
			return true
		})
		if err != nil {
			return nil, err
		}
		if !meant && best < enoughAlike {
			continue
		}
		if at == h.file.FirstSection {
			out = append(out, h.file.Path)
		} else {
			out = append(out, refIn(h.file.Path, anchor))
		}
	}
	return out, nil
}
