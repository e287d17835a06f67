package tool

import (
	"context"
	"io"

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
	Limit    int    `json:"limit,omitempty" flag:"limit,n" doc:"most code blocks (default 5, of explain 3)"`
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

type checkInput struct {
	Only  string `json:"only,omitempty" flag:"only" doc:"only these kinds of problem, with commas: broken-link,orphan"`
	File  string `json:"path,omitempty" flag:"file,f" doc:"only problems in files that match this glob"`
	SARIF bool   `json:"sarif,omitempty" flag:"sarif" doc:"as SARIF 2.1.0, for code hosts"`
}

func check(ctx context.Context, lib *docent.Library, in checkInput) (Answer, error) {
	h, err := lib.Check(ctx, docent.CheckOptions{Only: in.Only, File: in.File})
	if err != nil {
		return nil, err
	}
	if in.SARIF {
		return sarif{h}, nil
	}
	return h, nil
}

// sarif shows the state of the documents to a code host.
type sarif struct{ *docent.Health }

func (s sarif) WriteText(w io.Writer) error { return s.WriteSARIF(w) }

type changesInput struct {
	Since string `json:"since,omitempty" flag:"since" doc:"a commit, branch, tag or time, or index for when the index was made (default: the last commit)"`
}

func changes(ctx context.Context, lib *docent.Library, in changesInput) (Answer, error) {
	return lib.Changes(ctx, in.Since)
}

type relatedInput struct {
	Ref   string `json:"ref" arg:"ref" doc:"a file or section: guide/auth.md#jwt"`
	Limit int    `json:"limit,omitempty" flag:"limit,n" doc:"most sections (default 10)"`
}

func related(ctx context.Context, lib *docent.Library, in relatedInput) (Answer, error) {
	return lib.Related(ctx, in.Ref, in.Limit)
}

type filesInput struct {
	Query string `json:"query,omitempty" arg:"query..." doc:"words of a path or title; none lists all files"`
	Limit int    `json:"limit,omitempty" flag:"limit,n" doc:"most files (default 20 for a query)"`
}

func files(_ context.Context, lib *docent.Library, in filesInput) (Answer, error) {
	return lib.FindFiles(in.Query, in.Limit)
}

type nodeInput struct {
	ID string `json:"id" arg:"id" doc:"a node id or Ref: guide/auth.md::JWT Tokens::code-1"`
}

func node(ctx context.Context, lib *docent.Library, in nodeInput) (Answer, error) {
	return lib.Node(ctx, in.ID)
}
