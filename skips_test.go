package docent_test

import (
	"fmt"
	"path/filepath"
	"testing"
)

// Files that cannot be read are looked at before each answer, for they may have
// become readable. Many of them once looked like many new files, which is when an
// index is made anew: it was so for each question.
func TestManySkippedFilesAreNoReasonToStartOver(t *testing.T) {
	const skips = 350 // more than there may be changed files before all is made anew
	g := newGarden(t, 19, 5)
	for i := range skips {
		writeFile(t, filepath.Join(g.dir, fmt.Sprintf("a/bad%d.md", i)), "\xff\xfe bad")
	}
	index := filepath.Join(t.TempDir(), "index")
	lib := g.open(index)
	first := statusOf(t, lib)
	_ = lib.Close()
	if first.Skips != skips {
		t.Fatalf("%d files were skipped", first.Skips)
	}
	lib = g.open(index)
	defer lib.Close()
	if !statusOf(t, lib).Built.Equal(first.Built) {
		t.Error("the index was made anew")
	}
}
