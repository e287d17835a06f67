//go:build unix

package main

import (
	"os"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en" // the analyzer "en"
	"github.com/blevesearch/bleve/v2/search/query"
	"github.com/docent-md/docent/answer"
)

// newBleve indexes the chunks with bleve's offline builder, BM25, an
// analyzer and nothing stored: each as the three fields that docent weighs, and
// once more as one text, for which bleve is fastest.
func newBleve(dir string, chunks []answer.Record, analyzer string) (bleve.Index, error) {
	text := bleve.NewTextFieldMapping()
	text.Store, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = false, false, false, false
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer = analyzer
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	for _, name := range []string{"title", "headings", "body", "text"} {
		m.DefaultMapping.AddFieldMappingsAt(name, text)
	}
	m.ScoringModel = "bm25"
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	b, err := bleve.NewBuilder(dir, m, map[string]any{})
	if err != nil {
		return nil, err
	}
	for i, c := range chunks {
		doc := map[string]any{
			"title": c.Title, "headings": c.Path, "body": c.Content,
			"text": c.Title + "\n" + c.Path + "\n" + c.Content,
		}
		if err := b.Index(strconv.Itoa(i), doc); err != nil {
			return nil, err
		}
	}
	if err := b.Close(); err != nil {
		return nil, err
	}
	return bleve.Open(dir)
}

// inFields asks for any of the words in any field, by docent's own weights.
func inFields(words string) query.Query {
	field := func(name string, boost float64) query.Query {
		q := bleve.NewMatchQuery(words)
		q.SetField(name)
		q.SetBoost(boost)
		return q
	}
	return bleve.NewDisjunctionQuery(field("title", 2), field("headings", 1.5), field("body", 1))
}

// inText asks for any of the words in the one text.
func inText(words string) query.Query {
	q := bleve.NewMatchQuery(words)
	q.SetField("text")
	return q
}

// searchBleve ranks the chunks that answer q and fetches nothing.
func searchBleve(index bleve.Index, q query.Query, limit int) (int, error) {
	r, err := index.Search(bleve.NewSearchRequestOptions(q, limit, 0, false))
	if err != nil {
		return 0, err
	}
	return len(r.Hits), nil
}
