package segment

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A pack that is served can be replaced: who has it open goes on reading the old one.
func TestReplacedWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs.docent")
	write := func(text string) {
		t.Helper()
		if err := WriteFile(path, []Part{{Name: "a", Data: []byte(text)}}); err != nil {
			t.Fatal(err)
		}
	}
	read := func(f *File) string {
		t.Helper()
		b, ok := f.Part("a")
		if !ok {
			t.Fatal("no part")
		}
		data, err := b.Bytes(0, b.Len())
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	write("first")
	first, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for _, text := range []string{"second", "third"} {
		write(text)
		now, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := read(now); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
		if err := now.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(first); got != "first" {
		t.Errorf("the old file reads %q", got)
	}
}

// On Windows a manifest may go aside before the next one has its name. A reader in between
// saw a store that does not exist, after it had seen nine generations of it.
func TestManifestThatWentAside(t *testing.T) {
	dir := quickDir(t)
	if err := advance(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	manifest, aside := filepath.Join(dir, manifestName), filepath.Join(dir, "."+manifestName+".77-old1.tmp")
	if err := os.Rename(manifest, aside); err != nil {
		t.Fatal(err)
	}
	back := make(chan error)
	go func() {
		time.Sleep(20 * time.Millisecond)
		raw, err := os.ReadFile(aside)
		back <- errors.Join(err, os.WriteFile(manifest+".new", raw, 0o644), os.Rename(manifest+".new", manifest))
	}()
	s, err := OpenStore(dir)
	if err := errors.Join(err, <-back); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// The next writer removes what a killed one has left.
	if err := advance(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(aside); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old manifest stays: %v", err)
	}
}
