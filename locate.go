package docent

import (
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/index"
)

// Locate finds the chunk that a text was taken from, as triplets hold it: with or
// without its markup. It is not found when less than four of five of its words
// stand in any chunk.
func (l *Library) Locate(text string) (doc.Ref, bool, error) {
	words := strings.Fields(slugWords(text))
	words = words[:min(len(words), 60)]
	if len(words) == 0 {
		return doc.Ref{}, false, nil
	}
	hits, _, err := l.rank(Query{}, index.Parse(strings.Join(words, " ")), 10, 10)
	if err != nil {
		return doc.Ref{}, false, err
	}
	best, ref := 0., doc.Ref{}
	for _, h := range hits {
		data, err := l.text(known{path: h.file.Path, row: h.chunk.File, file: h.file})
		if err != nil {
			return doc.Ref{}, false, err
		}
		there := map[string]bool{}
		for w := range strings.FieldsSeq(slugWords(string(h.chunk.Span.Of(data)))) {
			there[w] = true
		}
		n := 0
		for _, w := range words {
			if there[w] {
				n++
			}
		}
		if share := float64(n) / float64(len(words)); share > best {
			best, ref = share, doc.Ref{Path: h.file.Path, Anchor: h.section.Anchor, Lines: h.chunk.Lines}
		}
	}
	return ref, best >= 0.8, nil
}
