package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/docent-md/docent/internal/needs"
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

// A writer that was killed leaves a part of a file, which nobody removed. The next one
// does, and touches neither what others are writing now nor what is not ours.
func TestWhatTheDeadLeftIsRemoved(t *testing.T) {
	needs.Programs(t)
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	gone := []string{
		fmt.Sprintf(".notes.json.%d.tmp", dead.Process.Pid),
		fmt.Sprintf(".notes.json.%d-123.tmp", dead.Process.Pid),
	}
	stay := []string{
		fmt.Sprintf(".notes.json.%d.tmp", os.Getpid()),
		fmt.Sprintf(".other.json.%d.tmp", dead.Process.Pid),
		fmt.Sprintf("notes.json.%d.tmp", dead.Process.Pid),
		".notes.json.mine.tmp", ".notes.json.0.tmp",
	}
	for _, name := range slices.Concat(gone, stay) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteBytes(filepath.Join(dir, "notes.json"), 0o644, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	for _, name := range gone {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	for _, name := range stay {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
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
