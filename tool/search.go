package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type searchInput struct {
	Query string `json:"query" arg:"query..." doc:"words or a question"`
	Limit int    `json:"limit,omitempty" flag:"results,n" doc:"most results, 1 to 50 (default 3)"`
	Path  string `json:"path,omitempty" flag:"file,f" doc:"only files that match this glob"`
	conditions
	Changed  bool   `json:"changed,omitempty" flag:"changed" doc:"say when each file was last changed: its last commit, else its time"`
	Budget   int    `json:"budget,omitempty" flag:"budget" doc:"most tokens of the whole answer"`
	Full     bool   `json:"full,omitempty" flag:"full" doc:"the text of every result, as far as the budget goes; by default, of those that are likely to answer"`
	Explain  bool   `json:"explain,omitempty" flag:"explain" doc:"show how each score was computed"`
	Exact    bool   `json:"exact,omitempty" flag:"exact" doc:"only texts with the question word for word, or with its quoted phrases"`
	Leads    bool   `json:"leads,omitempty" flag:"leads" doc:"one line per result, without its text (default 20 results)"`
	Refs     bool   `json:"references,omitempty" flag:"references" doc:"show what each result refers to"`
	Expand   int    `json:"expand,omitempty" flag:"expand" doc:"add sections that links lead to in this many steps, 1 to 3"`
	Mode     string `json:"mode,omitempty" flag:"mode" enum:"hybrid,lexical,semantic" doc:"by words and meaning, by words, or by meaning alone (default hybrid, where the index has vectors)"`
	Fusion   string `json:"fusion,omitempty" flag:"fusion" enum:"weighted,rrf" doc:"how to combine the scores of words and meaning"`
	Rerank   string `json:"rerank,omitempty" flag:"rerank" enum:"local,claude,off" doc:"who puts the best results in order: the model in docent (default for questions), Claude (needs ANTHROPIC_API_KEY; DOCENT_CLAUDE_MODEL chooses which), nobody"`
	RerankMS int    `json:"rerank_ms,omitempty" flag:"rerank-ms" doc:"most milliseconds for the model in docent (default 5000)"`
}

var searchOp = operation[searchInput]{
	Tool: Tool{
		Name:     "search",
		Doc:      "find the sections that best answer a question",
		Group:    Ask,
		Everyday: true,
		Help: `Find the sections that best answer a question, and print them with citations. Any text
is a question. The index is built on first use and kept up to date.

Operators:
  "two words"    these words next to each other, if possible; alone, always
  -word          without this word
  title:word     with this word in the title
  path:guide/**  only files that match
  tag:security   only files with this tag, or other field of front matter: status:draft,
                 date:>2025-01, -status:draft; "docent fields" lists what there is`,
		Example: `  docent search how do I rotate keys
  docent search rotate keys --expand 1 --references
  docent search "abort controller" -n 5 --file 'web/**'
  docent search deploy --budget 1500
  docent search rotate keys tag:security --where 'status!=draft'
  docent search -- --feature-gates`,
		Stores:  AnyStore,
		Vectors: true,
		Agent: Agent{
			Default: true,
			Doc:     "Find the sections that answer a question, with Refs.",
			Params: []Param{
				{"query", `question or keywords; "exact phrase", -without`},
				{"limit", "results (default 5; leads 12)"},
				{"path", "only this folder or glob: api/**/v2*.md"},
				{"budget", "most tokens (default 2000)"},
				{"full", "text of all"},
				{"leads", "no text"},
			},
			Own: []Field{
				{Name: "source_id", Kind: "string", Doc: "only this file"},
				{Name: "format", Kind: "string", Enum: []string{"text", "json"}},
			},
			Index: true,
		},
	},
	Translate: sourceToPath,
	Run: func(ctx context.Context, lib *docent.Library, in searchInput) (Answer, error) {
		q, err := in.query()
		if err != nil {
			return nil, err
		}
		return lib.Search(ctx, q)
	},
}

func (in searchInput) query() (docent.Query, error) {
	if in.Limit < 0 || in.Limit > answer.MaxLimit {
		return docent.Query{}, fmt.Errorf("%d results: must be between 1 and %d", in.Limit, answer.MaxLimit)
	}
	if in.Leads && in.Limit == 0 {
		in.Limit = 20
	}
	return docent.Query{
		Text: in.Query, Limit: in.Limit, File: in.Path, Where: in.conditions.list(), Changed: in.Changed, Budget: in.Budget, Full: in.Full, Explain: in.Explain, Leads: in.Leads, Exact: in.Exact,
		References: in.Refs, Expand: in.Expand, Rerank: in.Rerank, RerankMS: in.RerankMS, Mode: in.Mode, Fusion: in.Fusion,
	}, nil
}

// SearchQuery reads the parameters of a search, for a caller that searches more than
// one library.
func SearchQuery(params []byte) (docent.Query, error) {
	in, err := searchOp.decode(fieldsOf[searchInput](), params)
	if err != nil {
		return docent.Query{}, err
	}
	return in.query()
}

// sourceToPath replaces source_id, a path, by a glob.
func sourceToPath(given map[string]json.RawMessage) bool {
	var file string
	if given["path"] != nil || json.Unmarshal(given["source_id"], &file) != nil {
		return false
	}
	delete(given, "source_id")
	given["path"], _ = json.Marshal(FileGlob(file))
	return true
}

// FileGlob returns a glob that matches one path.
func FileGlob(path string) string {
	b := &strings.Builder{}
	for _, c := range path {
		if strings.ContainsRune(`*?[]{}\`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
