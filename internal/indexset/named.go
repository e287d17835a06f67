package indexset

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A Named is one index of a set, by its name: whatever index has that name when it is
// asked. It is a refresh.Holder.
type Named struct {
	set  *Set
	name string
}

// Named returns the index of a name, which must exist. It is opened when it is first
// asked, and stays open until the set is closed.
func (s *Set) Named(name string) (*Named, error) {
	n, err := s.Find(name)
	if err != nil {
		return nil, err
	}
	return &Named{s, n.Name}, nil
}

// A namedSnapshot is a snapshot and the index it was acquired from.
type namedSnapshot struct {
	snapshot.Snapshot
	live *refresh.Live
}

// Acquire returns the newest snapshot, to be released after use.
func (n *Named) Acquire(ctx context.Context) (snapshot.Snapshot, func(), error) {
	live, err := n.set.Open(ctx, n.name)
	if err != nil {
		return nil, nil, err
	}
	s, release, err := live.Acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	return namedSnapshot{s, live}, release, nil
}

// Repair has the index repair itself.
func (n *Named) Repair(ctx context.Context, s snapshot.Snapshot, err error, round int) (again bool, _ error) {
	from, ok := s.(namedSnapshot)
	if !ok {
		return false, err
	}
	return from.live.Repair(ctx, from.Snapshot, err, round)
}

// Refresh compares all documents with the index.
func (n *Named) Refresh(ctx context.Context) error {
	live, err := n.set.Open(ctx, n.name)
	if err != nil {
		return err
	}
	return live.Refresh(ctx)
}

// EnsureVectors adds vectors that are missing.
func (n *Named) EnsureVectors(ctx context.Context) error {
	live, err := n.set.Open(ctx, n.name)
	if err != nil {
		return err
	}
	return live.EnsureVectors(ctx)
}

// Shortfall says what an answer may lack; "" when nothing.
func (n *Named) Shortfall() string {
	if live, err := n.set.Open(context.Background(), n.name); err == nil {
		return live.Shortfall()
	}
	return ""
}

// Count returns the number of files, if the index is open or will be in a moment.
func (n *Named) Count() (files int, ok bool) {
	live, err := n.set.Open(context.Background(), n.name)
	if err != nil {
		return 0, false
	}
	return live.Count()
}

// OnChange has fn called whenever there is a new snapshot of the index.
func (n *Named) OnChange(fn func()) {
	if live, err := n.set.Open(context.Background(), n.name); err == nil {
		live.OnChange(fn)
	}
}

// Close does nothing: the set closes its indexes.
func (n *Named) Close() error { return nil }

// SplitRef takes the name of an index off a Ref that begins with one: docs:guide/auth.md.
// It is one when there is such an index, or when what follows can only be a file, so
// that the reader is told which indexes there are. Files of the project may have such
// names too: Help:Contents.md.
func (s *Set) SplitRef(ref string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(ref, ":")
	if !ok || checkName(name) != nil || strings.HasPrefix(rest, ":") {
		return "", ref, false
	}
	if n, err := s.Find(name); err == nil {
		return n.Name, rest, true
	}
	r, err := doc.ParseRef(rest)
	isFile := err == nil && doc.IsMarkdown(r.Path) && !strings.HasPrefix(rest, " ") && !strings.Contains(name, ".") && !hasDrive(ref)
	if !isFile || s.registry.hasFile(ref) {
		return "", ref, false
	}
	return name, rest, true
}

// hasFile reports whether a Ref is to a file of the project.
func (r *registry) hasFile(ref string) bool {
	at, err := doc.ParseRef(ref)
	if err != nil || r.project == "" || r.fixed() || !filepath.IsLocal(filepath.FromSlash(at.Path)) {
		return false
	}
	info, err := os.Lstat(filepath.Join(r.project, filepath.FromSlash(at.Path)))
	return err == nil && info.Mode().IsRegular()
}

// hasDrive reports whether a path begins with a drive of Windows.
func hasDrive(s string) bool {
	return len(s) > 2 && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') && s[1] == ':' && (s[2] == '/' || s[2] == '\\')
}
