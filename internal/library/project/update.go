package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/fetch"
)

// UpdateSources fetches sources of a project again: those that are named, or all.
// A folder is replaced as a whole, or not at all when something fails. The failure of
// one source is in its report, and the others are still fetched; the error is about all
// of them. The index is not touched: see Index.
func UpdateSources(ctx context.Context, root string, names []string, o SourceOptions) ([]*SourceReport, error) {
	c, err := corpus.Find(root)
	if err != nil {
		return nil, err
	}
	entries := c.Config.Sources
	if len(names) > 0 {
		entries = nil
		for _, name := range names {
			e, err := findSource(c, name, o)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
	}
	reports := []*SourceReport{}
	for _, e := range entries {
		r, err := updateSource(ctx, c, e, o)
		if ctx.Err() != nil {
			return reports, context.Cause(ctx)
		}
		if err != nil {
			s := sourceState(c, e, o)
			r = &SourceReport{SourceInfo: s, Unchanged: true, Added: []string{}, Changed: []string{}, Removed: []string{}, Error: err.Error(), Err: err}
		}
		reports = append(reports, r)
	}
	return reports, nil
}

func updateSource(ctx context.Context, c *corpus.Corpus, e config.Source, o SourceOptions) (*SourceReport, error) {
	from, err := parseSource(c, e, o)
	if err != nil {
		return nil, err
	}
	if o.Approve {
		err = approveWith(c, from, o, func() error { return nil })
	} else {
		err = unapproved(c, e.Path, from, o)
	}
	if err != nil {
		return nil, err
	}
	r, err := fetchSource(ctx, c, e.Path, from, o)
	if err != nil {
		return nil, err
	}
	e.Commit, e.ETag = r.Commit, r.ETag
	err = config.Edit(ctx, c.File, func(now *config.Config) error {
		latest, ok := now.Source(e.Path)
		if ok && latest.URL == e.URL { // else it was removed or replaced meanwhile
			latest.Commit, latest.ETag = e.Commit, e.ETag
			now.SetSource(latest)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return report(c, e, from, r), nil
}

// A Removal says what RemoveSource did.
type Removal struct {
	Path    string `json:"path"`
	URL     string `json:"url,omitempty"` // where it came from; "" for a path that was not fetched
	Deleted bool   `json:"deleted"`       // whether its files are gone
	Covered bool   `json:"covered"`       // whether another path of the config still has its files
}

// RemoveSource takes a source, or any other path, out of the project's config.
// Its files stay, unless they are to be deleted: then a source's folder goes too, if
// nothing in it is the user's own or was changed. Files that were not fetched are
// never deleted.
func RemoveSource(ctx context.Context, root, name string, deleteFiles bool) (*Removal, error) {
	c, err := corpus.Find(root)
	if err != nil {
		return nil, err
	}
	e, err := findSource(c, name, SourceOptions{})
	if errors.Is(err, ErrNoSource) {
		if deleteFiles {
			return nil, fmt.Errorf("remove %s: only what was fetched can be deleted: %w", name, err)
		}
		path, err := RemovePath(ctx, root, name)
		return &Removal{Path: path, Covered: err == nil && covers(ctx, root, path)}, err
	}
	if err != nil {
		return nil, err
	}
	out := &Removal{Path: e.Path, URL: e.URL}
	if deleteFiles {
		// First the files: if the program dies in between, the source is still recorded.
		err := fetch.Remove(ctx, c.Dir, e.Path)
		if err != nil && !errors.Is(err, fetch.ErrNotFetched) {
			return nil, err
		}
		out.Deleted = err == nil
	}
	err = config.Edit(ctx, c.File, func(now *config.Config) error {
		now.RemovePath(e.Path)
		now.RemoveSource(e.Path)
		now.Ignore = slices.DeleteFunc(now.Ignore, func(rule string) bool { return rule == apart(e.Path) })
		return nil
	})
	if err == nil && !out.Deleted {
		out.Covered = covers(ctx, root, e.Path)
	}
	return out, err
}

// covers reports whether a project has a document, or documents in a folder.
func covers(ctx context.Context, root, folder string) bool {
	c, err := corpus.Find(root)
	if err != nil {
		return false
	}
	return has(ctx, c, func(path string) bool {
		return path == folder || folder == "." || strings.HasPrefix(path, folder+"/")
	})
}
