package segment

import (
	"os"
	"path/filepath"
	"testing"
)

// A user's folder was taken for an index because a file in it is called manifest.
func TestContentProvesAStore(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if IsStore(dir) {
		t.Error("an empty folder is a store")
	}
	write(lockName, "")
	if !IsStore(dir) {
		t.Error("the folder of a writer that died is no store")
	}
	for _, name := range []string{manifestName, cacheName} {
		write(name, "kind: Deployment\n")
		if IsStore(dir) {
			t.Errorf("a file called %s makes a store", name)
		}
	}
	w, err := Lock(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if !IsStore(w.dir) {
		t.Error("a store is not known again")
	}
}

// A mark that cannot be removed names the wrong writer at worst. On Windows someone may
// be reading it; here a folder with something in it stands for that.
func TestMarkThatStaysStopsNobody(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, pidName, "kept"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w, err := Lock(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
