package tool

import (
	"context"

	"github.com/docent-md/docent"
)

type linksInput struct {
	Ref   string `json:"ref" arg:"ref" doc:"a file or section: guide/auth.md#jwt"`
	Depth int    `json:"depth,omitempty" flag:"depth" doc:"follow so many links one after another, 1 to 5 (default 1)"`
}

func links(ctx context.Context, lib *docent.Library, in linksInput) (Answer, error) {
	return lib.Links(ctx, in.Ref, in.Depth)
}

type symbolInput struct {
	Symbol   string `json:"symbol" arg:"symbol..." doc:"a name in code: addEventListener, http.Handler, apiVersion"`
	Language string `json:"language,omitempty" flag:"lang" doc:"only code of this language"`
	File     string `json:"path,omitempty" flag:"file,f" doc:"only files that match this glob"`
	Limit    int    `json:"limit,omitempty" flag:"limit,n" doc:"most code blocks (default 5)"`
	Budget   int    `json:"budget,omitempty" flag:"budget" doc:"most tokens of the whole answer"`
}

func (in symbolInput) query() docent.CodeQuery {
	return docent.CodeQuery{Text: in.Symbol, Language: in.Language, File: in.File, Limit: in.Limit, Budget: in.Budget}
}

func examples(ctx context.Context, lib *docent.Library, in symbolInput) (Answer, error) {
	return lib.Examples(ctx, in.query())
}

func explain(ctx context.Context, lib *docent.Library, in symbolInput) (Answer, error) {
	return lib.ExplainSymbol(ctx, in.query())
}

type snippetsInput struct {
	Query    string `json:"query,omitempty" arg:"query..." doc:"words; none lists all code blocks"`
	Language string `json:"language,omitempty" flag:"lang" doc:"only code of this language"`
	File     string `json:"path,omitempty" flag:"file,f" doc:"only files that match this glob"`
	Limit    int    `json:"limit,omitempty" flag:"limit,n" doc:"most code blocks (default 20)"`
	Budget   int    `json:"budget,omitempty" flag:"budget" doc:"most tokens of the whole answer"`
}

func snippets(ctx context.Context, lib *docent.Library, in snippetsInput) (Answer, error) {
	return lib.Snippets(ctx, docent.CodeQuery{Text: in.Query, Language: in.Language, File: in.File, Limit: in.Limit, Budget: in.Budget})
}
