package tool

import (
	"context"
	"errors"
	"io"

	"github.com/docent-md/docent"
)

type grepInput struct {
	Pattern    string `json:"pattern" arg:"pattern" doc:"text or regular expression"`
	Glob       string `json:"glob,omitempty" flag:"glob,g" doc:"only files that match this glob"`
	Ignore     bool   `json:"ignore_case,omitempty" flag:"ignore-case,i" doc:"case does not matter (the default)"`
	Sensitive  bool   `json:"case_sensitive,omitempty" flag:"case-sensitive,s" doc:"case matters"`
	Word       bool   `json:"word,omitempty" flag:"word-regexp,w" doc:"only whole words"`
	Fixed      bool   `json:"fixed,omitempty" flag:"fixed-strings,F" doc:"plain text, not an expression"`
	After      int    `json:"after,omitempty" flag:"after-context,A" doc:"lines to show after each match"`
	Before     int    `json:"before,omitempty" flag:"before-context,B" doc:"lines to show before each match"`
	Context    int    `json:"context,omitempty" flag:"context,C" doc:"lines to show around each match"`
	Count      bool   `json:"count,omitempty" flag:"count,c" doc:"only how many lines of each file match"`
	FilesOnly  bool   `json:"files,omitempty" flag:"files-with-matches,l" doc:"only the files that match"`
	MaxPerFile int    `json:"max_count,omitempty" flag:"max-count,m" doc:"most matches of a file"`
	Limit      int    `json:"limit,omitempty" flag:"limit" doc:"most matches in all (default 100)"`
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
	o := docent.GrepOptions{
		Glob: in.Glob, CaseSensitive: in.Sensitive, Word: in.Word, Fixed: in.Fixed,
		Before: max(in.Before, in.Context), After: max(in.After, in.Context), PerFile: in.MaxPerFile, Limit: in.Limit,
	}
	if in.Count || in.FilesOnly {
		o.Limit = -1 // every file counts
	}
	m, err := lib.GrepAll(ctx, in.Pattern, o)
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
	fileCounts struct{ *docent.Matches }
	filesOnly  struct{ *docent.Matches }
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
