package tool

import (
	"context"
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type tocInput struct {
	Ref    string `json:"ref,omitempty" arg:"ref" alias:"fileId,file_id,path,file" doc:"a file or folder; empty means all"`
	Depth  int    `json:"depth,omitempty" flag:"depth" doc:"deepest heading level shown, 1 to 6"`
	Offset int    `json:"offset,omitempty" flag:"offset" doc:"entries to skip: where the page before ended"`
	Budget int    `json:"budget,omitempty" flag:"budget" doc:"most tokens: what does not fit becomes an overview"`
	conditions
}

// On the command line toc can do more: it also reads files that are not in a library.
var tocOp = operation[tocInput]{
	Tool: Tool{
		Name:     "toc",
		Doc:      "list the headings of a file, or the files of a folder, with prices",
		Group:    Ask,
		Everyday: true,
		Help: `Print the heading tree of a file, with the Ref, the lines and the size in tokens of each
section; for a folder, its files with their titles and sizes. With --depth a folder's
headings are shown too. With --budget, what does not fit becomes an overview: folders with
counts and prices, opened as far as there is room, and pages of it by --offset.

Paths are files and folders on disk, or - for standard input; one that does not exist is
looked up among the documents of the project. Without a path, all documents of the project
are shown. With --root, paths are looked up in that folder, index or pack.`,
		Example: `  docent toc
  docent toc guide/auth.md
  docent toc docs --depth 2
  docent toc --where status=draft
  docent toc api --budget 2000`,
		Stores:  AnyStore,
		RefArg:  true,
		Aliases: []string{"get_toc"},
		Agent: Agent{
			Default: true,
			Doc:     "List headings of a file, or what is in a folder, with Refs and prices.",
			Params:  []Param{{"ref", "file or folder; empty means all"}, {"depth", "1 to 6"}, {"offset", "of the next page"}},
		},
	},
	Run: func(ctx context.Context, lib *docent.Library, in tocInput) (Answer, error) {
		if in.Depth < 0 || in.Depth > 6 {
			return nil, fmt.Errorf("depth is %d: must be between 1 and 6", in.Depth)
		}
		return TableOfContents(ctx, lib, in.Ref, answer.OverviewOptions{Depth: in.Depth, Offset: in.Offset, Budget: in.Budget, Where: in.conditions.list()})
	},
}

// TableOfContents is the outline of a file or folder or, where there is a budget that it
// does not fit, or an offset, an overview.
func TableOfContents(ctx context.Context, lib *docent.Library, ref string, o answer.OverviewOptions) (Answer, error) {
	if o.Offset < 0 || o.Budget < 0 {
		return nil, errors.New("offset and budget must not be negative")
	}
	return run([]string{ref}, o.Where, func(refs, where []string) (Answer, error) {
		ref := ""
		if len(refs) > 0 {
			ref = refs[0]
		}
		if o.Where = where; o.Offset == 0 && o.Budget == 0 {
			return lib.Outline(ctx, ref, o.Depth, where...)
		}
		v, err := lib.Overview(ctx, ref, o)
		if err != nil || !v.Whole {
			return v, err
		}
		return lib.Outline(ctx, ref, o.Depth, where...)
	})
}
