package tool

import (
	"context"
	"io"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Operations that list files (files, list, ls) or describe one (info).

type filesInput struct {
	Query string `json:"query,omitempty" arg:"query..." doc:"what the file is about: words of its path or title, or others; none lists all files"`
	Limit int    `json:"limit,omitempty" flag:"limit,n" doc:"most files (default 20 for a query)"`
	conditions
	Changed bool `json:"changed,omitempty" flag:"changed" doc:"say when each file was last changed: its last commit, else its time"`
}

var filesOp = operation[filesInput]{
	Tool: Tool{
		Name:  "files",
		Doc:   "find files by words of their paths and titles, or by meaning",
		Group: Ask,
		Help: `Find files by words in their paths and titles, best first, then by meaning: "login" finds
the page that is called Authentication. With no words, list all. Conditions on front
matter choose among them, as words (tag:security) or with --where.`,
		Example: "  docent files rate limit\n  docent files login\n  docent files auth -n 5 --json\n  docent files tag:security 'date:>2025-01'",
		Stores:  AnyStore,
		Vectors: true,
		Aliases: []string{"search_files"},
	},
	Run: func(ctx context.Context, lib *docent.Library, in filesInput) (Answer, error) {
		return lib.FindFiles(ctx, answer.FileQuery{Text: in.Query, Limit: in.Limit, Where: in.conditions.list(), Changed: in.Changed})
	},
}

type listInput struct {
	Prefix string `json:"prefix,omitempty" arg:"prefix" doc:"only files whose path begins with this"`
}

// A fullListInput is a listInput, and what else is listed.
type fullListInput struct {
	Prefix  string `json:"prefix,omitempty" arg:"prefix" doc:"only files whose path begins with this"`
	Changed bool   `json:"changed,omitempty" flag:"changed" doc:"say when each file was last changed: its last commit, else its time"`
}

var listOp = operation[fullListInput]{
	Tool: Tool{
		Name:    "list",
		Doc:     "list the indexed files with their chunks and prices",
		Group:   LookCloser,
		Help:    "List the indexed files with their titles, chunks and prices in tokens.",
		Example: "  docent list\n  docent list guide/",
		Stores:  AnyStore,
		Aliases: []string{"list_files"},
	},
	Run: func(ctx context.Context, lib *docent.Library, in fullListInput) (Answer, error) {
		return lib.FindFiles(ctx, answer.FileQuery{Prefix: in.Prefix, Changed: in.Changed})
	},
}

var lsOp = operation[listInput]{
	Tool: Tool{
		Name:    "ls",
		Doc:     "list the paths of the documents",
		Group:   LookCloser,
		Help:    "Print the paths of the documents, one per line.",
		Example: "  docent ls\n  docent ls guide/",
		Stores:  AnyStore,
	},
	Run: func(ctx context.Context, lib *docent.Library, in listInput) (Answer, error) {
		list, err := lib.Files(ctx, in.Prefix)
		if err != nil {
			return nil, err
		}
		return Paths(list.Paths()), nil
	},
}

// Paths are the paths of documents.
type Paths []string

// Empty reports whether there are none.
func (p Paths) Empty() bool { return len(p) == 0 }

// WriteText writes one path per line.
func (p Paths) WriteText(w io.Writer) error {
	for _, s := range p {
		if _, err := io.WriteString(w, s+"\n"); err != nil {
			return err
		}
	}
	return nil
}

type infoInput struct {
	File string `json:"file" arg:"file" doc:"path of an indexed file"`
}

var infoOp = operation[infoInput]{
	Tool: Tool{
		Name:    "info",
		Doc:     "show the chunks of one file",
		Group:   LookCloser,
		Help:    "Show how one file was split into chunks: the Ref, breadcrumb and price of each.",
		Example: "  docent info guide/auth.md",
		Stores:  AnyStore,
		RefArg:  true,
	},
	Run: func(ctx context.Context, lib *docent.Library, in infoInput) (Answer, error) {
		return lib.Info(ctx, in.File)
	},
}
