package indexset_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/indexset"
)

// roots is a set of folders with a document each: docs, secret and secret@2.
func roots(t *testing.T) *indexset.Set {
	t.Helper()
	for _, v := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"} {
		t.Setenv(v, t.TempDir())
	}
	var o indexset.Options
	for _, name := range []string{"docs", "secret", "secret@2"} {
		dir := t.TempDir()
		text := fmt.Sprintf("# Keys of %s\n\nRotate the keys of %s every month.\n", name, name)
		if err := os.WriteFile(filepath.Join(dir, "keys.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		o.Roots = append(o.Roots, indexset.Root{Name: name, Path: dir})
	}
	s := indexset.OfRoots(o)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func search(t *testing.T, s *indexset.Set, names string) (string, error) {
	t.Helper()
	a, err := s.Search(t.Context(), names, answer.Query{Text: "rotate keys"}, nil)
	if err != nil {
		return "", err
	}
	b := &strings.Builder{}
	err = a.WriteText(b)
	return b.String(), err
}

func TestRootsAreIndexesByName(t *testing.T) {
	s := roots(t)
	text, err := search(t, s, "docs,secret")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"docs:keys.md#", "secret:keys.md#"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if _, err := s.Make(t.Context(), "new", "", t.TempDir(), indexset.MakeOptions{}); err == nil {
		t.Error("an index was made in a set of roots")
	}
	if err := s.Remove(t.Context(), "docs"); err == nil {
		t.Error("a root was removed")
	}
}

func TestAPartOfASetTellsNothingOfTheRest(t *testing.T) {
	whole := roots(t)
	if _, err := search(t, whole, indexset.All); err != nil { // all are open
		t.Fatal(err)
	}
	part := whole.Only(func(name string) bool { return name == "docs" })
	list, err := part.List()
	if err != nil || len(list) != 1 || list[0].Name != "docs" {
		t.Errorf("lists %v, %v", list, err)
	}
	_, findErr := part.Find("secret")
	_, namedErr := part.Named("secret@2")
	_, openErr := part.Open(t.Context(), "secret")
	_, askErr := search(t, part, "docs,secret")
	for i, err := range []error{findErr, namedErr, openErr, askErr} {
		if err == nil {
			t.Errorf("way %d leads to another index", i)
			continue
		}
		// What the caller said is all there is of the name.
		same := strings.ReplaceAll(strings.ReplaceAll(err.Error(), "secret@2", "NAME"), "secret", "NAME")
		if want := "no index of that name: NAME (there are docs)"; same != want {
			t.Errorf("way %d says %q, not %q", i, same, want)
		}
	}
	if name, _, ok := part.SplitRef("secret:Rotate"); ok {
		t.Errorf("a Ref leads to %s", name)
	}
	text, err := search(t, part, indexset.All)
	if err != nil || !strings.Contains(text, "docs:keys.md") || strings.Contains(text, "secret") {
		t.Errorf("all answers %v\n%s", err, text)
	}
	if err := part.Close(); err != nil {
		t.Error(err)
	}
	if _, err := search(t, whole, "secret"); err != nil {
		t.Errorf("closing a part closed the whole: %v", err)
	}
	if narrower := part.Only(func(string) bool { return true }); len(must(narrower.List())) != 1 {
		t.Error("a part of a part is more than the part")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
