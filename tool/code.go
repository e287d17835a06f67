package tool

import (
	"context"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Operations on code blocks: by a symbol in them (examples, explain) or by words
// (snippets).

type symbolInput struct {
	Symbol   string `json:"symbol" arg:"symbol..." doc:"a name in code: addEventListener, http.Handler, apiVersion"`
	Language string `json:"language,omitempty" flag:"lang" doc:"only code of this language"`
	File     string `json:"path,omitempty" flag:"file,f" doc:"only files that match this glob"`
	Limit    int    `json:"limit,omitempty" flag:"limit,n" doc:"most code blocks (default 5, of explain 3)"`
	Budget   int    `json:"budget,omitempty" flag:"budget" doc:"most tokens of the whole answer"`
}

// An examplesInput is a symbolInput, and further symbols.
type examplesInput struct {
	Symbol   string  `json:"symbol" arg:"symbol..." doc:"a name in code: addEventListener, http.Handler, apiVersion"`
	Symbols  Strings `json:"symbols,omitempty" flag:"symbol" doc:"another name, looked for by itself within the same budget; may be repeated"`
	Language string  `json:"language,omitempty" flag:"lang" doc:"only code of this language"`
	File     string  `json:"path,omitempty" flag:"file,f" doc:"only files that match this glob"`
	Limit    int     `json:"limit,omitempty" flag:"limit,n" doc:"most code blocks of a name (default 5)"`
	Budget   int     `json:"budget,omitempty" flag:"budget" doc:"most tokens of the whole answer"`
}

func (in symbolInput) query() answer.CodeQuery {
	return answer.CodeQuery{Text: in.Symbol, Language: in.Language, File: in.File, Limit: in.Limit, Budget: in.Budget}
}

var examplesOp = operation[examplesInput]{
	Tool: Tool{
		Name:     "examples",
		Doc:      "find code blocks by a symbol they declare or use, with the text that explains them",
		Group:    Ask,
		Everyday: true,
		Help: `Find code blocks by a name in them, each with the paragraph that leads up to it. Blocks
that declare the name and blocks in sections about it come first. With several names, or
a dotted one, a block must have them all. Letter case matters unless no block has the
name as written. With --symbol, other names are looked for too, each by itself.`,
		Example: `  docent examples addEventListener
  docent examples http.Handler --lang go -n 3
  docent examples useState --symbol useEffect --budget 1500
  docent examples apiVersion --lang yaml --json`,
		Stores:  FolderOnly,
		Aliases: []string{"find_examples"},
		Agent: Agent{
			Default: true,
			Doc:     "Find code by a symbol it defines or uses, with the text that explains it.",
			Params: []Param{
				{"symbol", "parseConfig, http.Get"},
				{"language", "go, ts"},
				{"limit", "default 5"},
			},
			Index: true,
		},
	},
	Translate: symbolsToSymbol,
	Run: func(ctx context.Context, lib *docent.Library, in examplesInput) (Answer, error) {
		q := answer.CodeQuery{Text: in.Symbol, Language: in.Language, File: in.File, Limit: in.Limit, Budget: in.Budget}
		if len(in.Symbols) > 0 {
			return lib.Several(ctx, answer.Places{For: answer.ForExamples, Refs: append([]string{in.Symbol}, in.Symbols...), Budget: in.Budget, Code: q})
		}
		return lib.Examples(ctx, q)
	},
}

var explainOp = operation[symbolInput]{
	Tool: Tool{
		Name:    "explain",
		Doc:     "show the code blocks of a symbol, each with the text around it",
		Group:   LookCloser,
		Help:    "Show the code blocks that have a name in them, each with the text of its section.",
		Example: "  docent explain AbortController\n  docent explain useState --lang tsx --budget 1500",
		Stores:  FolderOnly,
		Aliases: []string{"explain_symbol"},
	},
	Run: func(ctx context.Context, lib *docent.Library, in symbolInput) (Answer, error) {
		q := in.query()
		q.Around = true
		return lib.Examples(ctx, q)
	},
}

type snippetsInput struct {
	Query    string `json:"query,omitempty" arg:"query..." doc:"words; none lists all code blocks"`
	Language string `json:"language,omitempty" flag:"lang" doc:"only code of this language"`
	File     string `json:"path,omitempty" flag:"file,f" doc:"only files that match this glob"`
	Limit    int    `json:"limit,omitempty" flag:"limit,n" doc:"most code blocks (default 20)"`
	Budget   int    `json:"budget,omitempty" flag:"budget" doc:"most tokens of the whole answer"`
}

var snippetsOp = operation[snippetsInput]{
	Tool: Tool{
		Name:  "snippets",
		Doc:   "find code blocks by words, or list them",
		Group: LookCloser,
		Help: `Find code blocks by what they do: by words in them, around them and on their page, and by
meaning. With no words, list them.`,
		Example: "  docent snippets retry with backoff --lang go\n  docent snippets --lang yaml --file 'ops/**' --json",
		Stores:  FolderOnly,
		Aliases: []string{"search_snippets", "list_snippets"},
	},
	Run: func(ctx context.Context, lib *docent.Library, in snippetsInput) (Answer, error) {
		return lib.Snippets(ctx, answer.CodeQuery{Text: in.Query, Language: in.Language, File: in.File, Limit: in.Limit, Budget: in.Budget})
	},
}
