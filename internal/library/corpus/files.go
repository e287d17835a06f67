package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/source/fetch"
	"github.com/docent-md/docent/internal/text/human"
)

// Files reads the documents of a corpus, from folders on disk or an fs.FS. Paths are
// relative to the corpus.
type Files struct {
	Tree   *crawl.Tree
	Dir    string   // on disk; "" for an fs.FS
	paths  []string // folders and files that make up the corpus, none inside another
	named  []string // all of them, also those inside others: no .gitignore leaves them out
	extra  []string // those of named that are files a crawl passes over, as their names are not those of Markdown
	ignore []string
}

// OpenFiles returns the documents of a corpus.
func (c *Corpus) OpenFiles() (*Files, error) {
	for _, e := range c.Config.Sources {
		_ = fetch.Recover(c.Dir, e.Path) // of a fetch that died while it replaced the folder
	}
	tree, err := crawl.Open(c.Dir)
	if err != nil {
		return nil, err
	}
	s := &Files{Tree: tree, Dir: c.Dir, paths: Outermost(c.Config.Paths), named: c.Config.Paths, ignore: c.Config.Ignore}
	for _, p := range s.named {
		info, err := os.Stat(filepath.Join(c.Dir, filepath.FromSlash(p)))
		if !slices.Contains(s.paths, p) && !doc.IsMarkdown(p) && err == nil && info.Mode().IsRegular() {
			s.extra = append(s.extra, p)
		}
	}
	slices.Sort(s.extra)
	s.extra = slices.Compact(s.extra)
	return s, nil
}

func FilesOf(fsys fs.FS) *Files {
	return &Files{Tree: crawl.FromFS(fsys), paths: []string{"."}}
}

func (s *Files) Close() { _ = s.Tree.Close() }

// Outermost drops paths inside others, and sorts the rest so that the files below them
// come in the order of their own paths.
func Outermost(paths []string) []string {
	if slices.Contains(paths, ".") {
		return []string{"."}
	}
	key := func(p string) string { return p + "/" }
	sorted := slices.Clone(paths)
	slices.SortFunc(sorted, func(a, b string) int { return strings.Compare(key(a), key(b)) })
	out := sorted[:0]
	for _, p := range sorted {
		if n := len(out); n > 0 && (p == out[n-1] || strings.HasPrefix(p, key(out[n-1]))) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// each calls folder with the tree of every folder of the corpus, and file with
// every single file that the config names. A path that does not exist is skipped: the
// others still answer.
func (s *Files) each(folder func(prefix string, t *crawl.Tree) ([]crawl.Skip, error), file func(crawl.File) error) ([]answer.Skip, error) {
	var skipped []answer.Skip
	for _, p := range s.paths {
		t, prefix := s.Tree, ""
		if p != "." {
			var err error
			if t, err = s.sub(p); errors.Is(err, fs.ErrNotExist) {
				skipped = append(skipped, answer.Skip{Path: p, Reason: "not there", Detail: "the config names it"})
				continue
			} else if err != nil {
				return skipped, err
			}
			prefix = p
		}
		if t == nil {
			f, skip, err := s.Read(p)
			if skip != nil {
				skipped = append(skipped, *skip)
			} else if err == nil {
				err = file(f)
			}
			if err != nil {
				return skipped, err
			}
			continue
		}
		skips, err := folder(prefix, t)
		if t != s.Tree {
			_ = t.Close()
		}
		for _, k := range skips {
			skipped = append(skipped, NewSkip(prefix, k))
		}
		if err != nil {
			return skipped, err
		}
	}
	return skipped, nil
}

// sub opens the folder p of the corpus; nil when p is a file. A project's
// config chose p, so it must not lead out of the project by a link either.
func (s *Files) sub(p string) (*crawl.Tree, error) {
	full := filepath.Join(s.Dir, filepath.FromSlash(p))
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return nil, fmt.Errorf("path %s: %w", p, human.PathCause(err))
	}
	if rel, err := filepath.Rel(s.Dir, real); err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("path %s: leads out of the project through a link", p)
	}
	if info, err := os.Stat(real); err == nil && !info.IsDir() {
		return nil, nil
	}
	return crawl.Open(real)
}

// rules gives the config's ignore rules, which count from the project, as they
// read from a folder of it.
func (s *Files) rules(prefix string) []string {
	if prefix == "" {
		return s.ignore
	}
	var out []string
	for _, rule := range s.ignore {
		body, negated := strings.CutPrefix(rule, "!")
		anchored := strings.Contains(strings.TrimRight(body, "/"), "/") && !strings.HasPrefix(body, "**/")
		if anchored {
			rest, inside := strings.CutPrefix(strings.TrimPrefix(body, "/"), prefix+"/")
			if !inside {
				continue
			}
			body = "/" + rest
		}
		if negated {
			body = "!" + body
		}
		out = append(out, body)
	}
	return out
}

// options say how the folder prefix of the corpus is crawled.
func (s *Files) options(prefix string) crawl.Options {
	o := crawl.Options{Ignore: s.rules(prefix)}
	for _, p := range s.named {
		inside := p != "."
		if prefix != "" {
			p, inside = strings.CutPrefix(p, prefix+"/")
		}
		if inside {
			o.Named = append(o.Named, p)
		}
	}
	return o
}

// List finds the corpus' files without reading them, in the order of their paths.
// Folders is a cache of what they contained before, or nil.
func (s *Files) List(ctx context.Context, folders *crawl.Folders) ([]crawl.Entry, []answer.Skip, error) {
	var entries []crawl.Entry
	skipped, err := s.each(func(prefix string, t *crawl.Tree) ([]crawl.Skip, error) {
		o := s.options(prefix)
		o.Known = folders
		found, err := t.List(ctx, o)
		if prefix == "" && entries == nil {
			entries = found.Files
			return found.Skipped, err
		}
		for _, e := range found.Files {
			e.Path = path.Join(prefix, e.Path)
			entries = append(entries, e)
		}
		return found.Skipped, err
	}, func(f crawl.File) error {
		entries = append(entries, f.Entry)
		return nil
	})
	if err != nil || len(s.extra) == 0 {
		return entries, skipped, err
	}
	left := s.extra
	more, err := s.readExtra("", func(f crawl.File) error {
		entries = append(entries, f.Entry)
		return nil
	}, &left)
	slices.SortFunc(entries, func(a, b crawl.Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, append(skipped, more...), err
}

// LeftOut lists the Markdown files of the project that do not belong to the corpus, by
// its rules or its paths. It looks into the folders that are left out too.
func (s *Files) LeftOut(ctx context.Context) ([]answer.Skip, error) {
	o := s.options("")
	o.Explain = true
	found, err := s.Tree.List(ctx, o)
	if err != nil {
		return nil, err
	}
	var out []answer.Skip
	for _, k := range found.Skipped {
		switch {
		case k.Reason == crawl.ByDefault:
			out = append(out, answer.Skip{Path: k.Path, Reason: "in " + k.Detail + " folders"})
		case k.Reason.IsRule():
			out = append(out, NewSkip("", k))
		}
	}
	for _, e := range found.Files {
		if !holds(s.paths, e.Path) {
			out = append(out, answer.Skip{Path: e.Path, Reason: "outside the config's paths"})
		}
	}
	slices.SortStableFunc(out, func(a, b answer.Skip) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// Walk reads all of the corpus' files in the order of their paths.
func (s *Files) Walk(ctx context.Context, fn func(crawl.File) error) ([]answer.Skip, error) {
	left := s.extra
	var skipped []answer.Skip
	inOrder := func(f crawl.File) error {
		skips, err := s.readExtra(f.Path, fn, &left)
		skipped = append(skipped, skips...)
		if err != nil {
			return err
		}
		return fn(f)
	}
	skips, err := s.each(func(prefix string, t *crawl.Tree) ([]crawl.Skip, error) {
		found, err := t.Walk(ctx, s.options(prefix), func(f crawl.File) error {
			f.Path = path.Join(prefix, f.Path)
			return inOrder(f)
		})
		return found.Skipped, err
	}, inOrder)
	if err != nil {
		return nil, err
	}
	more, err := s.readExtra("", fn, &left)
	return slices.Concat(skips, skipped, more), err
}

// readExtra calls fn with those files of left that come before a path, or all for "", and
// takes them off it.
func (s *Files) readExtra(before string, fn func(crawl.File) error, left *[]string) ([]answer.Skip, error) {
	var skipped []answer.Skip
	for len(*left) > 0 && (before == "" || (*left)[0] < before) {
		f, skip, err := s.Read((*left)[0])
		*left = (*left)[1:]
		if skip != nil {
			skipped = append(skipped, *skip)
		} else if err == nil {
			err = fn(f)
		}
		if err != nil {
			return skipped, err
		}
	}
	return skipped, nil
}

// Read reads one file of the corpus. A file that cannot be used is a Skip; an
// error is about everything.
func (s *Files) Read(p string) (crawl.File, *answer.Skip, error) {
	f, err := s.Tree.Read(p, 0)
	if skip, ok := errors.AsType[*crawl.Skip](err); ok {
		k := NewSkip("", *skip)
		return f, &k, nil
	}
	return f, nil, err
}

// Holds reports whether a path is in the folders and files of the corpus.
func (c *Corpus) Holds(p string) bool { return holds(Outermost(c.Config.Paths), p) }

func holds(paths []string, p string) bool {
	for _, root := range paths {
		if root == "." || p == root || strings.HasPrefix(p, root+"/") {
			return true
		}
	}
	return false
}
