package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type markdownInput struct {
	Query string `json:"query" arg:"query..." doc:"words or a question"`
	K     int    `json:"k,omitempty" flag:"results,n" doc:"most results (default 5)"`
	Index string `json:"index_name,omitempty" flag:"name" doc:"named index, several with commas, or all (the default)"`
	Set   string `json:"vector_db_root,omitempty" flag:"set" doc:"folder of the project whose indexes are meant (default: this one)"`
}

var markdownSearchOp = operation[markdownInput]{
	Tool: Tool{
		Name:     "markdown_search",
		Doc:      "search named indexes; gives JSON of index, score, snippet, source",
		Group:    ForAgents,
		Help:     "Search named indexes. The answer is a JSON list of index, score, snippet and source.",
		Example:  `  docent call markdown_search '{"query": "rotate keys", "k": 3}'`,
		Stores:   AnyStore,
		OnDemand: true,
		Agent: Agent{
			Params: []Param{{"query", ""}, {"k", ""}, {"index_name", "with commas, or all (default)"}},
		},
	},
	Run: markdownSearch,
}

func markdownSearch(ctx context.Context, lib *docent.Library, in markdownInput) (Answer, error) {
	if in.K < 0 || in.K > answer.MaxLimit {
		return nil, fmt.Errorf("%d results: must be between 1 and %d", in.K, answer.MaxLimit)
	}
	set, closeSet, err := indexesOf(ctx, lib, in.Set)
	if err != nil {
		return nil, err
	}
	defer closeSet()
	q := docent.Query{Text: in.Query, Limit: cmp.Or(in.K, 5)}
	a, err := set.Search(ctx, cmp.Or(in.Index, docent.AllIndexes), q)
	if err != nil {
		return nil, err
	}
	found := Found{}
	for _, h := range a.Hits {
		found = append(found, Snippet{h.Index, h.Score, h.Snippet, h.Source})
	}
	return found, nil
}

// A Snippet is a result of markdown_search.
type Snippet struct {
	Index   string  `json:"index"`
	Score   float64 `json:"score"`
	Snippet string  `json:"snippet"`
	Source  string  `json:"source"` // path#Lstart-Lend
}

// Found are the snippets of a search, best first.
type Found []Snippet

// Empty reports whether none was found.
func (f Found) Empty() bool { return len(f) == 0 }

// JSONList gives the snippets for printing as JSON.
func (f Found) JSONList() any { return []Snippet(f) }

// WriteText writes the snippets as JSON, the specified answer of this operation.
func (f Found) WriteText(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode([]Snippet(f))
}
