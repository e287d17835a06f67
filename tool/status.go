package tool

import (
	"context"

	"github.com/docent-md/docent"
)

// Operations that describe the index as a whole: status, stats.

type statusInput struct{}

var statusOp = operation[statusInput]{
	Tool: Tool{
		Name:     "status",
		Doc:      "say what is indexed, where, how fresh it is and what was skipped",
		Group:    LookCloser,
		Everyday: true,
		Help: `Show what is indexed, where the index is, how fresh it is, and which files were skipped
and why.`,
		Example: "  docent status\n  docent status --json",
		Stores:  AnyStore,
	},
	Run: func(ctx context.Context, lib *docent.Library, _ statusInput) (Answer, error) {
		return lib.Status(ctx)
	},
}

type statsInput struct{}

var statsOp = operation[statsInput]{
	Tool: Tool{
		Name:    "stats",
		Doc:     "count what is indexed: documents, lines, words, sections, code blocks, links",
		Group:   LookCloser,
		Help:    "Count what is indexed: documents, lines, words, sections, code blocks, links.",
		Example: "  docent stats\n  docent stats --root docs.docent",
		Stores:  FolderOnly,
	},
	Run: func(ctx context.Context, lib *docent.Library, _ statsInput) (Answer, error) {
		return lib.Stats(ctx)
	},
}
