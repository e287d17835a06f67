//go:build unix

package refresh

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A segment that is cut short while a question is being answered faults. The question
// is asked again of an index that was rebuilt, and a refresh under way lives too.
func TestSegmentCutShortWithinAQuestion(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# Zebra\n\nIt has stripes.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.IndexDir = filepath.Join(t.TempDir(), "index")
	live, err := OpenCorpus(t.Context(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	cut := func() {
		t.Helper()
		segments, err := filepath.Glob(filepath.Join(c.IndexDir, "*.seg"))
		if err != nil || len(segments) == 0 {
			t.Fatal("no segments", err)
		}
		for _, s := range segments {
			if err := os.Truncate(s, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	rounds, hits := 0, 0
	err = Do(t.Context(), live, func(s snapshot.Snapshot) error {
		if rounds++; rounds == 1 {
			if _, err := search.Run(t.Context(), s, answer.Query{Text: "zebra"}, nil); err != nil {
				t.Fatal(err)
			}
			cut()
		}
		a, err := search.Run(t.Context(), s, answer.Query{Text: "zebra"}, nil)
		if err == nil {
			hits = len(a.Hits)
		}
		return err
	})
	if err != nil || hits != 1 || rounds != 2 {
		t.Errorf("%d hits in round %d: %v", hits, rounds, err)
	}
	cut()
	if err := live.Refresh(t.Context()); err != nil {
		t.Errorf("refreshing: %v", err)
	}
}
