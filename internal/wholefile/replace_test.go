package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// errInUse is what Windows says of a file that someone has mapped.
var errInUse = errors.New("the file is in use")

func isInUse(err error) bool { return errors.Is(err, errInUse) }

// mappedNames is a folder in which a file is mapped, as Windows treats it: the file is
// neither replaced nor removed, but renamed.
type mappedNames struct {
	paths
	mapped os.FileInfo
}

func (m mappedNames) isMapped(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && os.SameFile(info, m.mapped)
}

func (m mappedNames) Rename(from, to string) error {
	if m.isMapped(to) {
		return errInUse
	}
	return os.Rename(from, to)
}

func (m mappedNames) Remove(name string) error {
	if m.isMapped(name) {
		return errInUse
	}
	return os.Remove(name)
}

func TestMappedFileGoesAside(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "new"), filepath.Join(dir, "docs.docent")
	writeFiles(t, map[string]string{from: "new", to: "old"})
	info, err := os.Lstat(to)
	if err != nil {
		t.Fatal(err)
	}
	if err := (replacer{mappedNames{mapped: info}, isInUse}).replace(from, to); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != "new" {
		t.Errorf("got %q, %v", got, err)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".docs.docent.*-old1.tmp"))
	if err != nil || len(left) != 1 {
		t.Fatalf("aside: %v, %v", left, err)
	}
}

// A file that can be neither replaced nor moved stays, and so does the new one.
func TestFileThatCannotGoAside(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "new"), filepath.Join(dir, "docs.docent")
	writeFiles(t, map[string]string{from: "new", to: "old"})
	if err := (replacer{stuckNames{}, isInUse}).replace(from, to); !isInUse(err) {
		t.Fatalf("got %v", err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != "old" {
		t.Errorf("got %q, %v", got, err)
	}
}

// A folder is not moved aside, though Windows says that it is in use.
func TestFolderStays(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "new"), filepath.Join(dir, "folder")
	writeFiles(t, map[string]string{from: "new"})
	if err := os.Mkdir(to, 0o755); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(to)
	if err != nil {
		t.Fatal(err)
	}
	if err := (replacer{mappedNames{mapped: info}, isInUse}).replace(from, to); !isInUse(err) {
		t.Fatalf("got %v", err)
	}
	if info, err := os.Lstat(to); err != nil || !info.IsDir() {
		t.Errorf("the folder is gone: %v", err)
	}
}

type stuckNames struct{ paths }

func (stuckNames) Rename(string, string) error { return errInUse }

// Both ways to name files replace one by another, and try once where nobody is in the way.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, fn := range map[string]func() error{
		"by path":     func() error { return Replace(filepath.Join(dir, "a"), filepath.Join(dir, "b")) },
		"in a folder": func() error { return ReplaceIn(root, "a", "b") },
	} {
		t.Run(name, func(t *testing.T) {
			writeFiles(t, map[string]string{filepath.Join(dir, "a"): "new", filepath.Join(dir, "b"): "old"})
			if err := fn(); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "b")); err != nil || string(got) != "new" {
				t.Errorf("got %q, %v", got, err)
			}
			if err := fn(); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("nothing to rename: %v", err)
			}
		})
	}
}

func TestPatiently(t *testing.T) {
	answers := []error{errInUse, errInUse, nil}
	if err := patiently(isInUse, func() error {
		err := answers[0]
		answers = slices.Delete(answers, 0, 1)
		return err
	}); err != nil || len(answers) > 0 {
		t.Errorf("%v, and %d tries left", err, len(answers))
	}
	tries := 0
	if err := patiently(isInUse, func() error { tries++; return fs.ErrInvalid }); !errors.Is(err, fs.ErrInvalid) || tries != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
}

func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
