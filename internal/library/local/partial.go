package local

import (
	"fmt"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/markdown"
)

// bounds are what an index takes of one document, and what becomes of the rest.
var bounds = []struct {
	beyond doctable.Beyond
	most   int
	of     string
	rest   string
}{
	{doctable.BeyondBlocks, markdown.MaxBlocks, "blocks", "the rest is plain text"},
	{doctable.BeyondHeadings, markdown.MaxHeadings, "headings", "the rest is plain text"},
	{doctable.BeyondLinks, markdown.MaxLinks, "links", "the rest is plain text"},
	{doctable.BeyondWords, index.MaxForms, "different words", "those after are found by grep only"},
	{doctable.BeyondNames, snippet.MaxNames, "names in code", "those after are found as words only"},
}

// partial returns the documents that are indexed in part because they have too many of
// something, and how many there are; the first of them are named.
func partial(v *snapshot.View) (named []answer.Skip, count int, err error) {
	for _, s := range v.Segments {
		for row := range s.Table.Files() {
			beyond, err := s.Table.Beyond(row)
			if err != nil {
				return nil, 0, err
			}
			if beyond == 0 || s.Dead[row] {
				continue
			}
			if count++; count > snapshot.MaxSkips {
				continue
			}
			path, err := s.Table.Path(row)
			if err != nil {
				return nil, 0, err
			}
			named = append(named, answer.Skip{Path: path, Reason: partialReason(beyond)})
		}
	}
	return named, count, nil
}

// partialReason says what a document has too many of.
func partialReason(beyond doctable.Beyond) string {
	var out []string
	for _, b := range bounds {
		if beyond&b.beyond != 0 {
			out = append(out, fmt.Sprintf("%s %s or more: %s", human.Commas(b.most), b.of, b.rest))
		}
	}
	return strings.Join(out, "; ")
}
