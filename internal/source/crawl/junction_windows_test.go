package crawl

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// A junction needs no rights to make, unlike a symbolic link, and may come with a folder
// that was copied. Neither leads the crawler out of the tree.
func TestJunctionsLeadNowhere(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(outside, "secret.md"), filepath.Join(dir, "own.md")} {
		if err := os.WriteFile(name, []byte("# A"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("cmd", "/c", "mklink", "/J", filepath.Join(dir, "link"), outside).CombinedOutput(); err != nil {
		needs.Missing(t, "junctions", string(out))
	}
	if _, err := os.ReadFile(filepath.Join(dir, "link", "secret.md")); err != nil {
		needs.Missing(t, "junctions that lead somewhere", err.Error())
	}
	if got := paths(list(t, dir, Options{})); !slices.Equal(got, []string{"own.md"}) {
		t.Errorf("listed %q", got)
	}
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if f, err := tree.Read("link/secret.md", 1<<20); err == nil {
		t.Errorf("read %q through the junction", f.Data)
	}
}
