package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A line comes for each change that settled, and the index is there with it.
func TestWatchPrintsALineAChange(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, elsewhere := t.TempDir(), t.TempDir()
	write := func(name, text string) { // at once: on a busy machine an empty file would be a change of its own
		t.Helper()
		whole := filepath.Join(elsewhere, name)
		if err := os.WriteFile(whole, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(whole, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "# Alpha\n")
	out, in := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	said := &strings.Builder{}
	go func() {
		done <- run(ctx, newConsole(strings.NewReader(""), in, said), []string{"watch", "--root", dir})
		_ = in.Close()
	}()
	lines := bufio.NewReader(out)
	want := func(pattern string) {
		t.Helper()
		line, err := lines.ReadString('\n')
		if err != nil || !regexp.MustCompile(pattern).MatchString(line) {
			t.Fatalf("got %q, %v; want %s", line, err, pattern)
		}
	}
	want(`^index made: 1 file, .*, \d+\.\d\d s\n$`)
	write("b.md", "# Beta\n")
	want(`^index 1 file refreshed: 2 files, `)
	write("c.txt", "no document\n")
	if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	want(`^index 1 file refreshed: 1 file, `)
	cancel()
	if err := <-done; err != nil || said.Len() > 0 {
		t.Errorf("ended with %v, saying %q", err, said)
	}
}
