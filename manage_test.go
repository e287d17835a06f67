package docent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program that indexes again and again, as "docent watch" does, keeps no file open.
func TestIndexingAgainKeepsNothingOpen(t *testing.T) {
	open := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		maps, merr := os.ReadFile("/proc/self/maps")
		if err != nil || merr != nil {
			t.Skip("no /proc here")
		}
		return len(files) + strings.Count(string(maps), ".seg")
	}
	c := newCatalogued(t, map[string]string{"a.md": "# A\n\nText.\n", ".docent.json": "{}"})
	before := open()
	for i := range 20 {
		putFile(t, filepath.Join(c.dir, "a.md"), fmt.Sprintf("# A\n\nText number %d.\n", i))
		if _, err := Index(context.Background(), c.dir, false, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if after := open(); after > before+3 {
		t.Errorf("%d files open before, %d after", before, after)
	}
}
