package store

import (
	"cmp"
	"context"
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/crawl"
)

// collect reads the documents that paths name, or those of the project, in the
// order of their names.
func collect(ctx context.Context, c *corpus.Corpus, paths []string, o Options) ([]crawl.File, []answer.Skip, error) {
	var files []crawl.File
	var read int64
	keep := func(f crawl.File) error {
		files = append(files, f)
		read += f.Size
		if o.Progress != nil {
			o.Progress(corpus.Progress{Files: len(files), Bytes: read})
		}
		return nil
	}
	var skipped []answer.Skip
	if len(paths) == 0 {
		src, err := c.OpenFiles()
		if err != nil {
			return nil, nil, err
		}
		defer src.Close()
		if skipped, err = src.Walk(ctx, keep); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range paths {
		info, err := corpus.StatPath(p, corpus.ScanOptions{})
		if err != nil {
			return nil, nil, err
		}
		name := filepath.ToSlash(filepath.Clean(p))
		if !info.IsDir() {
			f, err := corpus.ReadNamed(p)
			if err != nil {
				return nil, nil, err
			}
			f.Path = name
			_ = keep(f)
			continue
		}
		tree, err := crawl.Open(p)
		if err != nil {
			return nil, nil, err
		}
		found, err := tree.Walk(ctx, crawl.Options{Ignore: c.Config.Ignore}, func(f crawl.File) error {
			f.Path = path.Join(name, f.Path)
			return keep(f)
		})
		_ = tree.Close()
		for _, s := range found.Skipped {
			skipped = append(skipped, corpus.NewSkip(name, s))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	slices.SortStableFunc(files, func(a, b crawl.File) int { return cmp.Compare(a.Path, b.Path) })
	files = slices.CompactFunc(files, func(a, b crawl.File) bool { return a.Path == b.Path })
	return files, skipped, nil
}

// originOf says below which of the paths each file was found.
func originOf(paths []string) func(string) string {
	if len(paths) == 0 {
		return func(string) string { return "." }
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = filepath.ToSlash(filepath.Clean(p))
	}
	return func(file string) string {
		for _, n := range names {
			if file == n || n == "." || strings.HasPrefix(file, n+"/") {
				return n
			}
		}
		return "."
	}
}

// isBelow reports whether what was found below origin should be found again below
// paths.
func isBelow(origin string, paths []string) bool {
	if len(paths) == 0 {
		return origin == "."
	}
	return slices.ContainsFunc(paths, func(p string) bool { return origin == filepath.ToSlash(filepath.Clean(p)) })
}

func hashOfFile(data []byte) string {
	h := snapshot.ContentHash(data)
	return hex.EncodeToString(h[:])
}
