package indexset

import (
	"context"
	"errors"
	"slices"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/refresh"
)

// A Root is a folder or a pack that a set has under a name. Its index is the one that the
// folder has anyway. Whoever runs the program names roots, so they need no approval.
type Root struct{ Name, Path string }

// errFixed is returned for changes to a set with roots, or to a part of a set.
var errFixed = errors.New("the indexes of a server are fixed while it runs")

// OfRoots is the set of o.Roots alone.
func OfRoots(o Options) *Set { return newSet(registry{roots: o.Roots}, o) }

// Only returns those indexes of a set that have a name which is allowed. It is a set of its
// own, in which no list, search, note or error tells that there are others. It shares the
// open indexes with s, which closes them.
func (s *Set) Only(allowed func(name string) bool) *Set {
	part := s.registry
	part.only = allowed
	if before := s.registry.only; before != nil {
		part.only = func(name string) bool { return before(name) && allowed(name) }
	}
	return &Set{registry: part, options: s.options, members: s.members, borrowed: true}
}

// fixed reports whether the list cannot be changed: it is not that of the file.
func (r *registry) fixed() bool { return r.dir == "" || len(r.roots) > 0 || r.only != nil }

// sees reports whether the set may tell of an index; "" is the project's own documents,
// which a part of a set has only by their name.
func (r *registry) sees(name string) bool { return r.only == nil || name != "" && r.only(name) }

// choose adds the roots to the indexes on disk, and takes out what the set does not have.
func (r *registry) choose(all []answer.NamedIndex, bad []badEntry) ([]answer.NamedIndex, []badEntry) {
	for _, root := range r.roots {
		all = slices.DeleteFunc(all, func(n answer.NamedIndex) bool { return n.Name == root.Name })
		all = append(all, answer.NamedIndex{Name: root.Name, Root: root.Path})
	}
	all = slices.DeleteFunc(all, func(n answer.NamedIndex) bool { return !r.sees(n.Name) })
	bad = slices.DeleteFunc(bad, func(b badEntry) bool { return !r.sees(b.name) })
	return all, bad
}

// root returns the root that has a name.
func (r *registry) root(name string) (Root, bool) {
	i := slices.IndexFunc(r.roots, func(x Root) bool { return x.Name == name })
	if i < 0 {
		return Root{}, false
	}
	return r.roots[i], true
}

// open opens the root as an index of a set with these options.
func (r Root) open(ctx context.Context, o Options) (*refresh.Live, error) {
	if o.Background == nil {
		return refresh.Open(ctx, r.Path, o.Options)
	}
	b := *o.Background
	if o.Watch {
		b.Watch = func(ctx context.Context, changed func()) error {
			return refresh.Watch(ctx, r.Path, refresh.WatchOptions{Note: o.Note}, changed)
		}
	}
	return refresh.OpenInBackground(r.Path, o.Options, b), nil
}
