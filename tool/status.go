package tool

import (
	"context"
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Operations that describe the index as a whole: status, stats.

type statusInput struct {
	Verbose bool `json:"verbose,omitempty" flag:"verbose,v" doc:"name the Markdown files that rules or the config leave out"`
}

var statusOp = operation[statusInput]{
	Tool: Tool{
		Name:     "status",
		Doc:      "say what is indexed, where, how fresh it is and what was skipped",
		Group:    LookCloser,
		Everyday: true,
		Help: `Show what is indexed, where the index is, how fresh it is, which files were skipped or
indexed in part and why, and how many Markdown files rules or the config leave out.`,
		Example: "  docent status\n  docent status --verbose\n  docent status --json",
		Stores:  AnyStore,
	},
	Run: func(ctx context.Context, lib *docent.Library, in statusInput) (Answer, error) {
		s, err := lib.Status(ctx, answer.StatusOptions{LeftOut: true})
		if errors.Is(err, docent.ErrNoFolder) {
			if in.Verbose {
				return nil, fmt.Errorf("status --verbose: %w", err)
			}
			s, err = lib.Status(ctx, answer.StatusOptions{})
		}
		if err != nil {
			return nil, err
		}
		if !in.Verbose {
			s.LeftOutFiles = nil
		}
		return s, nil
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
