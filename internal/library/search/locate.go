package search

import (
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// Locate finds the chunk that a text of a triplet comes from, with or without its
// markup. It is not found when no chunk has four of five of its words.
func Locate(v *snapshot.View, text string) (doc.Ref, bool, error) {
	wanted := strings.Fields(words.Slug(text))
	wanted = wanted[:min(len(wanted), 60)]
	if len(wanted) == 0 {
		return doc.Ref{}, false, nil
	}
	hits, _, err := retrieve.Lexical(v, answer.Query{}, index.Parse(strings.Join(wanted, " ")), 10, 10)
	if err != nil {
		return doc.Ref{}, false, err
	}
	best, ref := 0., doc.Ref{}
	for _, h := range hits {
		data, err := v.Text(h.Doc())
		if err != nil {
			return doc.Ref{}, false, err
		}
		there := map[string]bool{}
		for w := range strings.FieldsSeq(words.Slug(string(h.Chunk.Span.Of(data)))) {
			there[w] = true
		}
		n := 0
		for _, w := range wanted {
			if there[w] {
				n++
			}
		}
		if share := float64(n) / float64(len(wanted)); share > best {
			best, ref = share, doc.Ref{Path: h.File.Path, Anchor: h.Section.Anchor, Lines: h.Chunk.Lines}
		}
	}
	return ref, best >= 0.8, nil
}
