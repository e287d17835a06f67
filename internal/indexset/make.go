package indexset

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// MakeOptions say how a named index is built. The zero value is a good default.
type MakeOptions struct {
	Windows  bool     // overlapping windows instead of sections
	Sections bool     // sections again, where there were windows
	Ignore   []string // more patterns to skip; nil keeps those there were

	refresh.Options // Embed and Model choose the embedder
}

// Make builds the index of a folder under a name, or refreshes it. A root of "" means
// the folder it has already; other options that are not set stay as they were.
func (s *Set) Make(ctx context.Context, name, description, root string, o MakeOptions) (*answer.NamedIndex, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(description); n > maxDescription {
		return nil, fmt.Errorf("index %s: a description of %d characters: a line of %d at most will do", name, n, maxDescription)
	}
	n := answer.NamedIndex{Name: name, Description: description, Windows: o.Windows, Ignore: o.Ignore}
	chosen := root != "" // by the user, who thereby approves of it
	was, err := s.registry.before(name)
	if err != nil {
		return nil, err
	}
	if was != nil {
		root = s.registry.inherit(&n, was, root, o)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	n.Root = abs
	build := func() error { return s.make(ctx, &n, was == nil, o.Options) }
	if rel, err := filepath.Rel(s.registry.project, abs); s.registry.project != "" && err == nil && corpus.Within(s.registry.project, abs) {
		n.Root = filepath.ToSlash(rel)
	} else if chosen {
		return &n, s.registry.approveWith(abs, build)
	}
	return &n, build()
}

// make builds an index and puts it into the list.
func (s *Set) make(ctx context.Context, n *answer.NamedIndex, isNew bool, o refresh.Options) error {
	_, thereErr := os.Lstat(filepath.Join(s.registry.dir, n.Name))
	if err := s.build(ctx, n, o); err != nil {
		if isNew && thereErr != nil {
			s.registry.clear(n.Name)
		}
		return err
	}
	return s.registry.edit(ctx, n.Name, func(all []answer.NamedIndex) []answer.NamedIndex {
		all = slices.DeleteFunc(all, func(x answer.NamedIndex) bool { return x.Name == n.Name })
		return append(all, *n)
	})
}

// before returns the index that has a name already; nil when there is none.
func (r *registry) before(name string) (*answer.NamedIndex, error) {
	all, err := r.list()
	if err != nil {
		return nil, err
	}
	for _, was := range all {
		if was.Name != name && strings.EqualFold(was.Name, name) { // one folder, where case does not count
			return nil, fmt.Errorf("index name %q: there is %q already", name, was.Name)
		}
		if was.Name == name {
			return &was, nil
		}
	}
	return nil, nil
}

// inherit copies what is not set from the index as it was, and returns the root.
func (r *registry) inherit(n, was *answer.NamedIndex, root string, o MakeOptions) string {
	if n.Description == "" {
		n.Description = was.Description
	}
	if root == "" {
		if root = filepath.FromSlash(was.Root); !filepath.IsAbs(root) {
			root = filepath.Join(r.project, root)
		}
	}
	n.Windows = o.Windows || was.Windows && !o.Sections
	if o.Ignore == nil {
		n.Ignore = was.Ignore
	}
	return root
}

// build opens or builds the index, and fills in what it holds.
func (s *Set) build(ctx context.Context, n *answer.NamedIndex, o refresh.Options) error {
	c, err := s.registry.corpus(*n)
	if err != nil {
		return err
	}
	o.EmbedAll = true
	live, err := refresh.OpenCorpus(ctx, c, o)
	if err != nil {
		return err
	}
	defer live.Close()
	return refresh.Do(ctx, live, func(snap snapshot.Snapshot) error {
		status, err := snap.Status(ctx)
		if err != nil {
			return err
		}
		n.Files, n.Chunks, n.Model, n.Updated = status.Files, status.Chunks, status.Model, status.Updated
		v, err := snap.View(ctx, snapshot.Want{})
		if err != nil {
			return err
		}
		n.Centroid, err = centroid(ctx, v)
		return err
	})
}

// clear removes the folder of an index that could not be built, and its parents if they
// are empty.
func (r *registry) clear(name string) {
	dir, err := r.indexDir(name)
	if err != nil {
		return
	}
	_ = os.RemoveAll(dir)
	_ = os.Remove(r.dir)
	_ = os.Remove(filepath.Dir(r.dir))
}

// Inspect compares an index with its documents, and changes neither: its counts are
// those of now, and its freshness is in words.
func (s *Set) Inspect(ctx context.Context, n answer.NamedIndex) answer.NamedIndex {
	n.Freshness = ""
	c, err := s.registry.corpus(n)
	switch {
	case errors.Is(err, answer.ErrNoPath):
		n.Freshness = "its folder is gone"
		return n
	case err != nil:
		n.Freshness = strings.TrimPrefix(err.Error(), "index "+n.Name+": ")
		return n
	}
	freshness, status, err := refresh.Changed(ctx, c)
	if status != nil {
		n.Files, n.Chunks, n.Model, n.Updated = status.Files, status.Chunks, status.Model, status.Updated
	}
	n.Freshness = freshness
	if snapshot.Unusable(err) {
		n.Freshness = "rebuilt when it is next asked"
	} else if err != nil {
		n.Freshness = err.Error()
	}
	return n
}

// Watch calls fn whenever documents of an index may have changed: see refresh.Watch.
func (s *Set) Watch(ctx context.Context, name string, o refresh.WatchOptions, fn func()) error {
	return refresh.WatchCorpus(ctx, func() (*corpus.Corpus, error) {
		n, err := s.Find(name)
		if err != nil {
			return nil, err
		}
		return s.registry.corpus(n)
	}, o, fn)
}

// centroid is what documents are about: the mean of their vectors by the base table.
func centroid(ctx context.Context, v *snapshot.View) ([]float32, error) {
	m, err := embed.NewModel(embed.Base(), nil)
	if err != nil {
		return nil, err
	}
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	b, err := vector.NewBuilder(embed.Dim)
	if err != nil {
		return nil, err
	}
	e := m.NewEncoder()
	for i, k := range files {
		if err := snapshot.Canceled(ctx, i); err != nil {
			return nil, err
		}
		sections, err := v.Sections(k)
		if err != nil {
			return nil, err
		}
		var titles []string
		for _, s := range sections {
			titles = append(titles, s.Title)
		}
		vec := e.Document([]string{k.Info.Title}, k.Info.Description+"\n"+strings.Join(titles, "\n"))
		if err := b.AddCode(vec.Values[:]); err != nil {
			return nil, err
		}
	}
	r, err := vector.Open(b.Bytes())
	if err != nil {
		return nil, err
	}
	var c vector.Centroid
	err = c.Add(r, nil)
	return c.Vector(), err
}
