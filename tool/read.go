package tool

import (
	"context"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type readInput struct {
	Ref    string `json:"ref" arg:"ref" alias:"path,file_path,file" doc:"a file, section or lines: guide/auth.md, guide/auth.md#jwt, guide/auth.md:15-48"`
	Offset int    `json:"offset,omitempty" flag:"offset" doc:"first line of the file to return"`
	Limit  int    `json:"limit,omitempty" flag:"limit" doc:"most lines (default 2000)"`
	Budget int    `json:"budget,omitempty" flag:"budget" doc:"most tokens"`
	Plain  bool   `json:"plain,omitempty" flag:"plain" doc:"without line numbers"`
}

var readOp = operation[readInput]{
	Tool: Tool{
		Name:     "read",
		Doc:      "read the lines a Ref leads to",
		Group:    Ask,
		Everyday: true,
		Help: `Print the lines that a Ref leads to, with their numbers: a file, a section with
everything under it, a range of lines, or a code block. A heading can also be named by
its text.`,
		Example: `  docent read guide/auth.md
  docent read guide/auth.md#jwt-tokens --budget 800
  docent read guide/auth.md:15-48 --plain
  docent read 'guide/auth.md#jwt-tokens:code-1'
  docent read 'guide/auth.md::JWT Tokens'`,
		Stores: AnyStore,
		RefArg: true,
		Agent: Agent{
			Default: true,
			Doc:     "Read lines of a file, numbered.",
			Params: []Param{
				{"ref", "path.md, path.md#anchor or path.md:15-48"},
				{"offset", "first line, from 1"},
				{"limit", "lines (default 2000)"},
				{"budget", ""},
			},
			Own: []Field{{Name: "again", Kind: "boolean"}},
		},
	},
	Run: func(ctx context.Context, lib *docent.Library, in readInput) (Answer, error) {
		return lib.Read(ctx, in.Ref, answer.ReadOptions{Offset: in.Offset, Limit: in.Limit, Budget: in.Budget, Plain: in.Plain})
	},
}
