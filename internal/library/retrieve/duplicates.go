package retrieve

import (
	"path/filepath"

	"github.com/docent-md/docent/internal/library/snapshot"
)

// isDuplicate reports whether a document of the project's own is also one of a named
// index that v is joined of. The named one is meant.
func isDuplicate(v *snapshot.View, s *snapshot.Segment, path string) (bool, error) {
	if !v.IsJoined() || s.Name != "" {
		return false, nil
	}
	abs := filepath.Join(s.Home.Corpus.Dir, filepath.FromSlash(path))
	for _, other := range v.Homes() {
		rel, err := filepath.Rel(other.Corpus.Dir, abs)
		if other == s.Home || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if _, ok, err := other.Find(filepath.ToSlash(rel)); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}
