package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWriteReplaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.json")
	for _, text := range []string{"first", "second"} {
		if err := WriteBytes(file, 0o640, []byte(text)); err != nil {
			t.Fatal(err)
		}
		checkAlone(t, file, text)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
}

func TestFailureLeavesTheOldFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.json")
	if err := WriteBytes(file, 0o644, []byte("old")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk is full")
	err := Write(file, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, "half of the n")
		return errors.Join(err, full)
	})
	if !errors.Is(err, full) {
		t.Fatalf("got %v, want %v", err, full)
	}
	checkAlone(t, file, "old")
}

func TestNameThatCannotBeTaken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "folder")
	if err := os.MkdirAll(filepath.Join(dir, "kept"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteBytes(dir, 0o644, []byte("text")); err == nil {
		t.Fatal("a file took the place of a folder")
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) != 1 {
		t.Fatalf("left: %v, %v", left, err)
	}
}

// checkAlone makes sure that a file holds a text and has its folder to itself.
func checkAlone(t *testing.T, file, text string) {
	t.Helper()
	if got, err := os.ReadFile(file); err != nil || string(got) != text {
		t.Errorf("got %q, %v, want %q", got, err, text)
	}
	if all, err := os.ReadDir(filepath.Dir(file)); err != nil || len(all) != 1 {
		t.Errorf("beside it: %v, %v", all, err)
	}
}
