package refresh_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/needs"
)

// A program that indexes again and again, as "docent watch" does, keeps no file open.
func TestIndexingAgainKeepsNothingOpen(t *testing.T) {
	open := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		maps, merr := os.ReadFile("/proc/self/maps")
		if err != nil || merr != nil {
			needs.Missing(t, "/proc", "it says which files are open")
		}
		return len(files) + strings.Count(string(maps), ".seg")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".docent.json", "{}")
	before := open()
	for i := range 20 {
		write("a.md", fmt.Sprintf("# A\n\nText number %d.\n", i))
		if _, err := refresh.Index(t.Context(), dir, false, refresh.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if after := open(); after > before+3 {
		t.Errorf("%d files open before, %d after", before, after)
	}
}
