package tool

import (
	"context"
	"errors"
	"io"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type grepInput struct {
	Pattern string `json:"pattern" arg:"pattern" doc:"text or regular expression"`
	Glob    string `json:"glob,omitempty" flag:"glob,g" alias:"path" doc:"only files that match this glob"`
	conditions
	Ignore     bool `json:"ignore_case,omitempty" flag:"ignore-case,i" doc:"ignore case (the default)"`
	Sensitive  bool `json:"case_sensitive,omitempty" flag:"case-sensitive,s" doc:"case matters"`
	Word       bool `json:"word,omitempty" flag:"word-regexp,w" doc:"only whole words"`
	Fixed      bool `json:"fixed,omitempty" flag:"fixed-strings,F" doc:"plain text, not an expression"`
	After      int  `json:"after,omitempty" flag:"after-context,A" min:"0" doc:"lines to show after each match"`
	Before     int  `json:"before,omitempty" flag:"before-context,B" min:"0" doc:"lines to show before each match"`
	Context    int  `json:"context,omitempty" flag:"context,C" min:"0" doc:"lines to show around each match"`
	Count      bool `json:"count,omitempty" flag:"count,c" doc:"only the number of matching lines of each file"`
	FilesOnly  bool `json:"files,omitempty" flag:"files-with-matches,l" doc:"only the files that match"`
	MaxPerFile int  `json:"max_count,omitempty" flag:"max-count,m" doc:"most matches per file"`
	Limit      int  `json:"limit,omitempty" flag:"limit" doc:"most matches (default 100)"`

	Paths Strings `json:"paths,omitempty" arg:"path..." doc:"only these files and folders"`
}

var grepOp = operation[grepInput]{
	Tool: Tool{
		Name:     "grep",
		Doc:      "find lines by text or regular expression, each with its section",
		Group:    Ask,
		Everyday: true,
		Help: `Find lines by text or regular expression, and show the section of each. Case does not
matter unless -s is given. The same lines match as with ripgrep, and $ also before a
carriage return; the index spares reading files that cannot match. Of several plain words,
lines that hold all of them in any order follow those that match exactly; -F finds only
the latter.

Paths are files and folders to search. What grep's users type is understood: -rn, -e, -E.`,
		Example: `  docent grep 'price|cost|billing'
  docent grep 'password reset' guide
  docent grep -F 'addEventListener("' -C 2
  docent grep -w key --glob 'guide/**' -l
  docent grep TODO --where status=draft`,
		Stores: FolderOnly,
		Agent: Agent{
			Default: true,
			Doc:     "Find lines by text or regular expression, each with its section's Ref.",
			Params: []Param{
				{"pattern", "RE2, within a line, ignoring case"},
				{"glob", "only these files: guide/**"},
				{"case_sensitive", ""},
				{"fixed", "pattern is plain text"},
				{"context", "lines around"},
				{"limit", "default 100"},
			},
			Index: true,
		},
	},
	Run: grep,
}

func grep(ctx context.Context, lib *docent.Library, in grepInput) (Answer, error) {
	for _, n := range []int{in.After, in.Before, in.Context, in.MaxPerFile, in.Limit} {
		if n < 0 {
			return nil, errors.New("numbers of lines and matches must not be negative")
		}
	}
	if in.Ignore && in.Sensitive {
		return nil, errors.New("case cannot both matter and not")
	}
	return run(in.Paths, in.conditions.list(), func(paths, where []string) (Answer, error) {
		return in.run(ctx, lib, paths, where)
	})
}

// run looks in some files.
func (in grepInput) run(ctx context.Context, lib *docent.Library, paths, where []string) (Answer, error) {
	o := answer.GrepOptions{
		Glob: in.Glob, Paths: paths, Where: where, CaseSensitive: in.Sensitive, Word: in.Word, Fixed: in.Fixed,
		Before: max(in.Before, in.Context), After: max(in.After, in.Context), PerFile: in.MaxPerFile, Limit: in.Limit,
		CountOnly: in.Count || in.FilesOnly,
	}
	m, err := lib.Grep(ctx, in.Pattern, o)
	if err != nil {
		return nil, err
	}
	switch {
	case in.Count:
		return fileCounts{m}, nil
	case in.FilesOnly:
		return filesOnly{m}, nil
	}
	return m, nil
}

// fileCounts and filesOnly show less of the matches.
type (
	fileCounts struct{ *answer.Matches }
	filesOnly  struct{ *answer.Matches }
)

func (f fileCounts) WriteText(w io.Writer) error { return f.WriteCounts(w) }
func (f fileCounts) JSONList() any               { return f.Files }
func (f filesOnly) WriteText(w io.Writer) error  { return f.WriteFiles(w) }

func (f filesOnly) JSONList() any {
	paths := []string{}
	for _, c := range f.Files {
		paths = append(paths, c.Path)
	}
	return paths
}
