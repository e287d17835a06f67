package tool

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
)

type readInput struct {
	Ref    string  `json:"ref" arg:"ref" alias:"path,file_path,file" doc:"a file, section or lines: guide/auth.md, guide/auth.md#jwt, guide/auth.md:15-48"`
	Refs   Strings `json:"refs,omitempty" arg:"refs..." doc:"further places to read in the same call, within the same budget"`
	Offset int     `json:"offset,omitempty" flag:"offset" doc:"first line of the file to return"`
	Limit  int     `json:"limit,omitempty" flag:"limit" doc:"most lines (default 2000)"`
	Budget int     `json:"budget,omitempty" flag:"budget" doc:"most tokens"`
	Plain  bool    `json:"plain,omitempty" flag:"plain" doc:"without line numbers"`
}

var readOp = operation[readInput]{
	Tool: Tool{
		Name:     "read",
		Doc:      "read the lines a Ref leads to",
		Group:    Ask,
		Everyday: true,
		Help: `Print the lines that a Ref leads to, with their numbers: a file, a section with
everything under it, a range of lines, or a code block. A heading can also be named by
its text. A folder is listed. Several Refs are read in one call: they share the budget,
and what does not fit is named with its size.`,
		Example: `  docent read guide/auth.md
  docent read guide/auth.md#jwt-tokens --budget 800
  docent read guide/auth.md:15-48 --plain
  docent read guide/auth.md#jwt-tokens guide/keys.md:1-20 --budget 1500
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
			},
			Optional: []string{"ref"},
		},
	},
	Translate: refsToRef,
	Run: func(ctx context.Context, lib *docent.Library, in readInput) (Answer, error) {
		o := answer.ReadOptions{Offset: in.Offset, Limit: in.Limit, Budget: in.Budget, Plain: in.Plain}
		if len(in.Refs) > 0 {
			return lib.Several(ctx, answer.Places{For: answer.ForReading, Refs: append([]string{in.Ref}, in.Refs...), Budget: in.Budget, Read: o})
		}
		if isFolder, err := folder(ctx, lib, in.Ref); err != nil || isFolder {
			if err == nil && (in.Offset > 0 || in.Limit > 0 || in.Plain) {
				err = fmt.Errorf("read %s: a folder is listed, and --offset, --limit and --plain are for the lines of a file", in.Ref)
			}
			if err != nil {
				return nil, err
			}
			return TableOfContents(ctx, lib, in.Ref, answer.OverviewOptions{Budget: in.Budget})
		}
		return lib.Read(ctx, in.Ref, o)
	},
}

// folder reports whether a Ref names a folder. What the name of a folder says comes
// before a heading of the same text.
func folder(ctx context.Context, lib *docent.Library, ref string) (bool, error) {
	if doc.IsMarkdown(ref) || strings.ContainsAny(ref, "#:@") {
		return false, nil
	}
	name := strings.TrimPrefix(path.Clean("/"+ref), "/")
	if name != "" {
		name += "/"
	}
	in, err := lib.Files(ctx, name)
	return err == nil && !in.Empty(), err
}
