package tool

import (
	"context"
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Operations that compare documents with what they were: changes, verify.

type changesInput struct {
	Since   string `json:"since,omitempty" flag:"since" doc:"a commit, branch, tag or time, or index for when the index was made (default: the last commit)"`
	Between string `json:"between,omitempty" flag:"between" doc:"a named index to compare another with: react@17"`
	To      string `json:"to,omitempty" arg:"to" doc:"with between: the other named index (default: the newest version)"`
}

var changesOp = operation[changesInput]{
	Tool: Tool{
		Name:  "changes",
		Doc:   "say which sections were added, changed, moved or removed since a commit or date",
		Group: LookAfter,
		Help: `List the sections that were added, changed, moved or removed: in a git repository since a
commit, branch, tag or time (2024-05-01, yesterday, 'last week', 3d, '2 hours ago'), or
since the index was last built as a whole (--since index). Changes of spaces and line
ends do not count. With --between, two named indexes are compared: versions of the same
documents, as "docent add --as" makes them.`,
		Example: `  docent changes
  docent changes --since v1.2
  docent changes --since yesterday
  docent changes --since '2 weeks ago' --json
  docent changes --between react@17 react@18`,
		Stores: FolderOnly,
	},
	Run: func(ctx context.Context, lib *docent.Library, in changesInput) (Answer, error) {
		switch {
		case in.Between == "" && in.To != "":
			return nil, fmt.Errorf("changes: %s: a second index goes with --between and the first", in.To)
		case in.Between == "":
			return lib.Changes(ctx, in.Since)
		case in.Since != "":
			return nil, errors.New("changes: since and between contradict each other: give one of them")
		}
		set, closeSet, err := indexesOf(ctx, lib, "")
		if err != nil {
			return nil, err
		}
		defer closeSet()
		return set.Between(ctx, in.Between, in.To)
	},
}

type verifyInput struct {
	Citation  string  `json:"citation" arg:"citation" doc:"as a result shows it: path#anchor:from-to@hash"`
	Citations Strings `json:"citations,omitempty" arg:"citations..." doc:"further citations to check in the same call"`
}

var verifyOp = operation[verifyInput]{
	Tool: Tool{
		Name:  "verify",
		Doc:   "say whether a citation still holds: same, moved, changed or gone",
		Group: Ask,
		Help: `Check whether the cited text is still where it was (same), is elsewhere (moved, with the
new place), has changed, or is gone. The exit status is 1 for the last two. Several
citations are checked in one call, a line each.`,
		Example: "  docent verify 'guide/auth.md#jwt-tokens:15-48@3f2a91bc'",
		Stores:  FolderOnly,
		RefArg:  true,
	},
	Translate: citationsToCitation,
	Run: func(ctx context.Context, lib *docent.Library, in verifyInput) (Answer, error) {
		if len(in.Citations) > 0 {
			return lib.Several(ctx, answer.Places{For: answer.ForVerdicts, Refs: append([]string{in.Citation}, in.Citations...)})
		}
		return lib.Verify(ctx, in.Citation)
	},
}
