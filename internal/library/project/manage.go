package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/source/config"
)

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
	p, err := corpus.Find(root)
	if err != nil {
		return "", err
	}
	if _, err := corpus.Scan(ctx, []string{path}, corpus.ScanOptions{}, nil); err != nil {
		return "", err
	}
	rel, err := placeIn(p.Dir, path)
	if err != nil {
		return "", err
	}
	file, fresh := p.File, p.File == ""
	if fresh {
		file = filepath.Join(p.Dir, config.Name)
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
	p, err := corpus.Find(root)
	if err != nil {
		return "", err
	}
	if p.File == "" {
		return "", fmt.Errorf("no %s here or above", config.Name)
	}
	rel, err := placeIn(p.Dir, path)
	if err != nil {
		rel = filepath.ToSlash(filepath.Clean(path))
	}
	return rel, config.Edit(ctx, p.File, func(c *config.Config) error {
		if !c.RemovePath(rel) {
			return fmt.Errorf("%s is not in %s, which has %q", rel, p.File, c.Paths)
		}
		return nil
	})
}
