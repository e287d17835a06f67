package docent_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// A file with more headings or words than an index takes of one file was cut short, and
// nothing said so. Status names it, also of a pack, and what it has too many of.
func TestStatusNamesFilesIndexedInPart(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"whole.md":    "# Whole\n\nText.\n",
		"headings.md": many(50_001, "# h%d\n"),
		"words.md":    "# Words\n\n" + many(200_001, "w%d "),
		"names.md":    "# Names\n\n" + many(60_000, "```go\nfunc f%d() {}\n```\n"),
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	want := []answer.Skip{
		{Path: "headings.md", Reason: "50,000 headings or more: the rest is plain text"},
		{Path: "names.md", Reason: "50,000 names in code or more: those after are found as words only"},
		{Path: "words.md", Reason: "200,000 different words or more: those after are found by grep only"},
	}
	lib := openAt(t, dir, filepath.Join(t.TempDir(), "index"), docent.Options{Embed: "none"})
	file := filepath.Join(t.TempDir(), "docs.docent")
	if _, err := lib.Pack(t.Context(), file, answer.PackOptions{}); err != nil {
		t.Fatal(err)
	}
	packed, err := docent.Open(t.Context(), file, docent.Options{})
	for name, lib := range map[string]*docent.Library{"folder": lib, "pack": opened(t, packed, err)} {
		s, err := lib.Status(t.Context(), answer.StatusOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Partial != 3 || fmt.Sprint(s.PartialFiles) != fmt.Sprint(want) {
			t.Errorf("%s: %d files in part: %v", name, s.Partial, s.PartialFiles)
		}
		var text strings.Builder
		if err := s.WriteText(&text); err != nil || !strings.Contains(text.String(), "in part   3 files\n  headings.md  50,000 headings or more: ") {
			t.Errorf("%s: %v\n%s", name, err, text.String())
		}
		if _, err := lib.Status(t.Context(), answer.StatusOptions{LeftOut: true}); errors.Is(err, docent.ErrNoFolder) != (name == "pack") {
			t.Errorf("%s: files beside the documents: %v", name, err)
		}
	}
}
