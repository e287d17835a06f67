// Package local is a snapshot whose segments are all at hand: of a folder, a pack,
// documents in memory, or several indexes joined.
package local

import (
	"context"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/links"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// InMemory is the place of an index that is not stored.
const InMemory = "in memory"

// A Snapshot answers from one view.
type Snapshot struct {
	view  *snapshot.View
	place string // of the index, for people
	close func() error
}

// New returns the snapshot of a view. Place says where its index is, and close, which
// may be nil, releases its files.
func New(v *snapshot.View, place string, close func() error) *Snapshot {
	return &Snapshot{v, place, close}
}

// With returns the snapshot with another view of the same files.
func (s *Snapshot) With(v *snapshot.View) *Snapshot { return New(v, s.place, s.close) }

// View returns the view, whatever it is wanted for.
func (s *Snapshot) View(context.Context, snapshot.Want) (*snapshot.View, error) { return s.view, nil }

// Name is that of the corpus.
func (s *Snapshot) Name() string { return s.view.Corpus.Name }

// Files lists the documents whose paths begin with prefix.
func (s *Snapshot) Files(_ context.Context, prefix string) ([]answer.FileInfo, error) {
	all, err := s.view.Files()
	if err != nil {
		return nil, err
	}
	files := []answer.FileInfo{}
	for _, f := range all {
		if strings.HasPrefix(f.Path, prefix) {
			files = append(files, f.Describe())
		}
	}
	return files, nil
}

// References returns what places refer to, by the links in the index.
func (s *Snapshot) References(ctx context.Context, at []snapshot.Place) ([][]answer.Reference, error) {
	return links.References(ctx, s.view, at)
}

// Backlinks returns what refers to a place, by the links in the index.
func (s *Snapshot) Backlinks(ctx context.Context, at snapshot.Place, most int) ([]answer.Reference, int, error) {
	return links.Backlinks(ctx, s.view, at, most)
}

// Intact looks at the files of all segments.
func (s *Snapshot) Intact() error {
	for _, g := range s.view.Segments {
		if g.File == nil {
			continue
		}
		if err := g.File.Intact(); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the files.
func (s *Snapshot) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}
