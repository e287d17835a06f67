package tool

import (
	"context"
	"io"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type checkInput struct {
	Only  string   `json:"only,omitempty" flag:"only" doc:"only these kinds of problem, with commas: broken-link,orphan"`
	File  string   `json:"path,omitempty" flag:"file,f" doc:"only problems in files that match this glob"`
	Paths []string `json:"paths,omitempty" arg:"path..." doc:"only problems in these files and folders"`
	SARIF bool     `json:"sarif,omitempty" flag:"sarif" doc:"as SARIF 2.1.0, for code hosts"`
}

var checkOp = operation[checkInput]{
	Tool: Tool{
		Name:     "check",
		Doc:      "find broken links and anchors, orphans, duplicate names, missing images",
		Group:    LookAfter,
		Everyday: true,
		Help: `Find problems in the documents: links to documents and sections that do not exist,
missing images and files, documents that no link leads to, and duplicate names. Each
problem is one line that begins with file:line. The exit status is 1 when there are
errors; warnings alone leave it 0. Paths narrow the report; links may lead anywhere in the
project.`,
		Example: `  docent check
  docent check docs
  docent check --only broken-link,broken-anchor --file 'guide/**'
  docent check --sarif > docs.sarif`,
		Stores: FolderOnly,
	},
	Run: func(ctx context.Context, lib *docent.Library, in checkInput) (Answer, error) {
		h, err := lib.Check(ctx, answer.CheckOptions{Only: in.Only, File: in.File, Paths: in.Paths})
		if err != nil {
			return nil, err
		}
		if in.SARIF {
			return sarif{h}, nil
		}
		return h, nil
	},
}

// sarif prints the problems for a code host.
type sarif struct{ *answer.Health }

func (s sarif) WriteText(w io.Writer) error { return s.WriteSARIF(w) }
