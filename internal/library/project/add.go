package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/source/fetch"
	"github.com/docent-md/docent/internal/text/human"
)

// A SourceReport says what the fetching of a source did.
type SourceReport struct {
	SourceInfo
	Unchanged bool          `json:"unchanged"` // nothing was replaced
	Added     []string      `json:"added"`     // files, relative to the folder
	Changed   []string      `json:"changed"`
	Removed   []string      `json:"removed"`
	Bytes     int64         `json:"bytes"`             // received
	Skipped   []answer.Skip `json:"skipped,omitempty"` // entries that were left out, the first of them
	Error     string        `json:"error,omitempty"`   // why it could not be fetched; the folder is as it was

	Covered bool  `json:"-"` // a folder that other paths of the config cover
	Err     error `json:"-"`
}

// Summary gives the report in a phrase: "2 added, 1 changed, 0 removed".
func (r *SourceReport) Summary() string {
	switch {
	case r.Err != nil:
		return "left as it was"
	case r.Unchanged:
		return "unchanged"
	}
	return fmt.Sprintf("%s added, %s changed, %s removed", documents(r.Added), documents(r.Changed), documents(r.Removed))
}

// documents counts the files that are indexed. A licence comes with them, and is not.
func documents(names []string) string {
	n := 0
	for _, name := range names {
		if doc.IsMarkdown(name) {
			n++
		}
	}
	return human.Commas(n)
}

// AddSource fetches Markdown from where text says into a folder of the project
// and records it in the project's config, which is made where there is none. Text
// is anything of:
//
//	owner/repo, owner/repo@v1.2, https://github.com/owner/repo/tree/branch/folder, git@github.com:owner/repo.git, ...
//	https://example.com/llms.txt
//	https://example.com/docs.tar.gz, .tgz, .zip, or such a file of this machine
//	a local git repository, with SourceOptions.Rev or Branch
//	a folder or file of the project, which is added as AddPath does
//
// The index is not touched: see Index.
func AddSource(ctx context.Context, root, text string, o SourceOptions) (*SourceReport, error) {
	c, err := corpus.Find(root)
	if err != nil {
		return nil, err
	}
	from, err := typedSource(c, text, o)
	if err != nil {
		return nil, err
	}
	if from.Kind == fetch.Folder {
		if o.Path != "" {
			return nil, fmt.Errorf("%s is read in place: only what is fetched can be given a folder", text)
		}
		if o.As != "" {
			return nil, fmt.Errorf("%s is read in place: docent index --name %s %s makes an index of it", text, o.As, text)
		}
		added, covered, err := AddPath(ctx, root, text)
		return &SourceReport{SourceInfo: SourceInfo{Path: added, URL: added, Kind: string(fetch.Folder), State: SourceFetched}, Covered: covered}, err
	}
	dest := path.Join("ref-docs", cmp.Or(o.As, from.Name()))
	if o.Path != "" {
		if dest, err = placeIn(c.Dir, below(root, o.Path)); err != nil {
			return nil, err
		}
	}
	if old, ok := c.Config.Source(dest); ok {
		return nil, &TakenError{dest, SourceInfo{Path: dest, URL: old.URL, Branch: old.Branch, Rev: old.Rev, Commit: old.Commit}}
	}
	entry := config.Source{Path: dest, URL: recorded(c, from)}
	if err := c.Config.CheckSource(entry); err != nil {
		return nil, err
	}
	var r fetch.Report
	err = approveWith(c, from, o, func() error {
		if r, err = fetchSource(ctx, c, dest, from, o); err != nil {
			return err
		}
		entry.Commit, entry.ETag = r.Commit, r.ETag
		entry.Branch, entry.Rev = followed(text, r, o)
		if o.As != "" {
			return recordApart(ctx, c, entry)
		}
		return record(ctx, c, entry)
	})
	if e, ok := errors.AsType[*fetch.StatusError](err); ok && e.Status == http.StatusNotFound && isShort(text) {
		err = fmt.Errorf("%w; %s is no path here, and was taken for a repository on GitHub", err, text)
	}
	if err != nil {
		return nil, err
	}
	return report(c, entry, from, r), nil
}

// below returns a path that counts from root, where the user named one.
func below(root, p string) string {
	if root == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(root, p)
}

// typedSource parses a source as the user typed it in the working directory.
func typedSource(c *corpus.Corpus, text string, o SourceOptions) (fetch.Source, error) {
	if o.Branch != "" && o.Rev != "" {
		return fetch.Source{}, errors.New("name a branch to follow or a revision to stay at, not both")
	}
	s, err := fetch.Parse(text, o.GitHubURL)
	_, there := os.Stat(text)
	switch {
	case err != nil && there != nil && !strings.ContainsAny(text, "/:@#"):
		return s, fmt.Errorf("%w: %s", answer.ErrNoPath, text)
	case err != nil:
		return s, err
	case s.Kind == fetch.GitHub && isShort(text) && isFolder(strings.Split(text, "/")[0]):
		// docs/kyes is sooner a folder misspelt than a repository of "docs".
		return s, fmt.Errorf("%w: %s", answer.ErrNoPath, text)
	}
	if s, err = s.At(cmp.Or(o.Branch, o.Rev)); err != nil || !s.Local() || s.Kind == fetch.Folder {
		return s, err
	}
	if s.URL, err = filepath.Abs(s.URL); err != nil {
		return s, err
	}
	if real, err := filepath.EvalSymlinks(s.URL); err == nil {
		s.URL = real
	}
	return s, nil
}

// isShort reports whether text can only be owner/repo, or a path.
func isShort(text string) bool { return strings.Count(text, "/") == 1 && !strings.Contains(text, ":") }

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// recorded is the address of a source as the config has it.
func recorded(c *corpus.Corpus, s fetch.Source) string {
	if s.Local() {
		if rel, err := filepath.Rel(c.Dir, s.URL); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return s.URL
}

// followed divides what was fetched into a branch, which an update follows, and a
// revision, at which it stays. Only how it was asked for tells one from the other.
func followed(text string, r fetch.Report, o SourceOptions) (branch, rev string) {
	branch, rev = r.Branch, r.Source.Rev
	switch {
	case rev == "":
		return branch, ""
	case o.Branch != "" || o.Rev == "" && (strings.Contains(text, "/tree/") || strings.Contains(text, "/blob/")) && branch != "":
		return rev, ""
	}
	return "", rev
}

// fetchSource fetches a source into the folder dest, or updates it.
func fetchSource(ctx context.Context, c *corpus.Corpus, dest string, from fetch.Source, o SourceOptions) (fetch.Report, error) {
	f := fetch.Options{Root: c.Dir, Dest: dest, Token: o.Token, GitHubURL: o.GitHubURL}
	if o.Progress != nil {
		f.Progress = func(p fetch.Progress) { o.Progress(SourceProgress{dest, p.Bytes, p.Total, p.Files}) }
	}
	return fetch.Fetch(ctx, from, f)
}

// record writes a new source into the config.
func record(ctx context.Context, c *corpus.Corpus, entry config.Source) error {
	file := cmp.Or(c.File, filepath.Join(c.Dir, config.Name))
	others := c.File != "" || has(ctx, c, func(p string) bool { return !strings.HasPrefix(p, entry.Path+"/") })
	return config.Edit(ctx, file, func(now *config.Config) error {
		if !others && slices.Equal(now.Paths, []string{"."}) {
			now.Paths = nil // there is nothing else to read
		}
		now.AddPath(entry.Path)
		now.SetSource(entry)
		return nil
	})
}

// recordApart writes a source into the config that has an index of its own: the project's
// index leaves its folder out.
func recordApart(ctx context.Context, c *corpus.Corpus, entry config.Source) error {
	return config.Edit(ctx, cmp.Or(c.File, filepath.Join(c.Dir, config.Name)), func(now *config.Config) error {
		if rule := apart(entry.Path); !slices.Contains(now.Ignore, rule) {
			now.Ignore = append(now.Ignore, rule)
		}
		now.SetSource(entry)
		return nil
	})
}

// apart is the rule by which the project's index leaves a folder out.
func apart(folder string) string { return "/" + folder + "/" }

// has reports whether the project has a document whose path satisfies match.
func has(ctx context.Context, c *corpus.Corpus, match func(path string) bool) bool {
	src, err := c.OpenFiles()
	if err != nil {
		return false
	}
	defer src.Close()
	entries, _, err := src.List(ctx, nil)
	return err == nil && slices.ContainsFunc(entries, func(e crawl.Entry) bool { return match(e.Path) })
}

// report says of a source what was fetched.
func report(c *corpus.Corpus, e config.Source, from fetch.Source, r fetch.Report) *SourceReport {
	list := func(names []string) []string { return append([]string{}, names...) } // never nil
	out := &SourceReport{
		SourceInfo: SourceInfo{
			Path: e.Path, URL: e.URL, Kind: string(from.Kind), Branch: e.Branch, Rev: e.Rev, Commit: e.Commit, ETag: e.ETag,
			Files: r.Files, State: SourceFetched,
		},
		Unchanged: r.Unchanged, Added: list(r.Added), Changed: list(r.Changed), Removed: list(r.Removed), Bytes: r.Bytes,
	}
	for _, s := range r.Skipped {
		out.Skipped = append(out.Skipped, answer.Skip{Path: s.Name, Reason: s.Reason})
	}
	return out
}

// Init writes a config with all defaults into dir. It fails where there is one.
func Init(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, config.Name)
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s: there is one already", path)
	}
	return path, config.Edit(ctx, path, func(c *config.Config) error {
		c.Ignore, c.Tokens = []string{}, "o200k" // written out, to be seen
		return nil
	})
}

// AddPath adds a folder or file of the project to its config, and makes the config where
// there is none; all that was indexed before still is. It reports the path as the config
// has it, and whether other paths cover it.
func AddPath(ctx context.Context, root, path string) (added string, covered bool, err error) {
	p, err := corpus.Find(root)
	if err != nil {
		return "", false, err
	}
	if _, err := corpus.Scan(ctx, []string{path}, corpus.ScanOptions{}, nil); err != nil {
		return "", false, err
	}
	rel, err := placeIn(p.Dir, path)
	if err != nil {
		return "", false, err
	}
	covered = covers(ctx, root, rel)
	file := cmp.Or(p.File, filepath.Join(p.Dir, config.Name))
	err = config.Edit(ctx, file, func(c *config.Config) error {
		switch {
		case c.AddPath(rel):
			return nil
		case p.File == "":
			return fmt.Errorf("%s is indexed already: without a %s all of the project is", rel, config.Name)
		}
		return fmt.Errorf("%s is in %s already", rel, file)
	})
	return rel, covered, err
}

// RemovePath takes a path out of the project's config. Files stay where they are.
func RemovePath(ctx context.Context, root, path string) (removed string, err error) {
	p, err := corpus.Find(root)
	if err != nil {
		return "", err
	}
	if p.File == "" {
		return "", fmt.Errorf("no %s here or above", config.Name)
	}
	typed := filepath.ToSlash(filepath.Clean(path)) // as the config has it, perhaps
	rel, err := placeIn(p.Dir, path)
	if err != nil || !slices.Contains(p.Config.Paths, rel) && slices.Contains(p.Config.Paths, typed) {
		rel = typed
	}
	return rel, config.Edit(ctx, p.File, func(c *config.Config) error {
		if !c.RemovePath(rel) {
			return fmt.Errorf("%s is not in %s, which has %q", rel, p.File, c.Paths)
		}
		return nil
	})
}
