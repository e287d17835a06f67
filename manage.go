package docent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/docent-md/docent/internal/source/config"
)

// An IndexReport sums up what indexing did.
type IndexReport struct {
	Files     int     `json:"files"`
	Chunks    int     `json:"chunks"`
	IndexSize int64   `json:"index_size"`
	Seconds   float64 `json:"seconds"`
	Refreshed int     `json:"refreshed"` // files that were new, changed or gone; all of them in a full run
	Full      bool    `json:"full"`
	Skips     int     `json:"skips"`
	Skipped   []Skip  `json:"skipped"`
}

// Index brings the index of a root up to date, or makes it anew. Unlike Open it
// fails when the index cannot be written.
func Index(ctx context.Context, root string, full bool, o Options) (*IndexReport, error) {
	start := time.Now()
	c, err := findCorpus(root)
	if err != nil {
		return nil, err
	}
	c.assist(o)
	if err := c.choose(o); err != nil {
		return nil, err
	}
	if c.store == "" {
		return nil, errors.New("index: there is no cache folder: set XDG_CACHE_HOME or HOME, or run docent init to keep the index in the project")
	}
	var lib *Library
	if !full {
		lib, err = c.refreshed(ctx, o)
		if err != nil && !unusable(err) {
			return nil, err
		}
		full = err != nil
	}
	if full {
		if lib, err = c.make(ctx, o, false); err != nil {
			return nil, err
		}
	}
	defer lib.Close()
	if lib.snap == nil {
		return nil, fmt.Errorf("index: cannot be written to %s", c.store)
	}
	s := lib.Status()
	r := &IndexReport{
		Files: s.Files, Chunks: s.Chunks, IndexSize: s.IndexSize, Full: full,
		Refreshed: lib.fresh().refreshed, Skips: s.Skips, Skipped: s.Skipped, Seconds: time.Since(start).Seconds(),
	}
	if full {
		r.Refreshed = s.Files
	}
	return r, nil
}

// refreshed opens the index that lies ready and brings it up to date.
func (c *corpus) refreshed(ctx context.Context, o Options) (*Library, error) {
	lib, err := c.openStore()
	if err != nil {
		return nil, err
	}
	next, err := lib.Refresh(ctx, o)
	if err != nil || next != lib {
		_ = lib.Close()
	}
	if err == nil && next.unkept != nil {
		err = errors.Join(fmt.Errorf("index not brought up to date: %w", next.unkept), next.Close())
	}
	if err == nil && next.fresh().note != "" {
		err = errors.Join(errors.New(next.fresh().note), next.Close())
	}
	if err != nil {
		return nil, err
	}
	return next, nil
}

// Text gives the report in a sentence.
func (r *IndexReport) Text() string {
	what := "up to date"
	switch {
	case r.Full:
		what = "made"
	case r.Refreshed > 0:
		what = plural(r.Refreshed, "file") + " refreshed"
	}
	text := fmt.Sprintf("index %s: %s, %s, %s, %.2f s", what, plural(r.Files, "file"), plural(r.Chunks, "chunk"), byteSize(r.IndexSize), r.Seconds)
	if r.Skips > 0 {
		text += fmt.Sprintf("; %s skipped (docent status lists them)", plural(r.Skips, "file"))
	}
	return text
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

// AddPath adds a folder or file of the project to its config, and makes the
// config where there is none. It reports the path as the config has it.
func AddPath(ctx context.Context, root, path string) (added string, err error) {
	dir, file, err := projectOf(root)
	if err != nil {
		return "", err
	}
	if _, err := Scan(ctx, []string{path}, ScanOptions{}, nil); err != nil {
		return "", err
	}
	rel, err := relativeTo(dir, path)
	if err != nil {
		return "", err
	}
	fresh := file == ""
	if fresh {
		file = filepath.Join(dir, config.Name)
	}
	err = config.Edit(ctx, file, func(c *config.Config) error {
		if fresh && len(c.Paths) == 1 && c.Paths[0] == "." {
			c.Paths = nil // a first path replaces the default, which is everything
		}
		if !c.AddPath(rel) {
			return fmt.Errorf("%s is in %s already", rel, file)
		}
		return nil
	})
	return rel, err
}

// RemovePath takes a path out of the project's config. Files stay where they are.
func RemovePath(ctx context.Context, root, path string) (removed string, err error) {
	dir, file, err := projectOf(root)
	if err != nil {
		return "", err
	}
	if file == "" {
		return "", fmt.Errorf("no %s here or above", config.Name)
	}
	rel, err := relativeTo(dir, path)
	if err != nil {
		rel = filepath.ToSlash(filepath.Clean(path))
	}
	return rel, config.Edit(ctx, file, func(c *config.Config) error {
		if !c.RemovePath(rel) {
			return fmt.Errorf("%s is not in %s, which has %q", rel, file, c.Paths)
		}
		return nil
	})
}

// projectOf returns a root's folder and config, "" where it has none.
func projectOf(root string) (dir, file string, err error) {
	c, err := findCorpus(root)
	if err != nil {
		return "", "", err
	}
	return c.dir, c.file, nil
}

// relativeTo gives path, which counts from the current folder, as the config in
// dir has it.
func relativeTo(dir, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil {
		return "", err
	}
	local, err := config.Local(filepath.ToSlash(rel))
	if err != nil {
		return "", &OutsideError{path, dir}
	}
	return local, nil
}
