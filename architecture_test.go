package docent_test

import (
	"io/fs"
	"os"
	"testing"

	"github.com/docent-md/docent/internal/needs"
	"github.com/docent-md/docent/internal/structure/code"
	"github.com/docent-md/docent/internal/structure/prose"
)

// ARCHITECTURE.md answers "where is the thing that does X", so it names every
// package, and nothing that does not exist or that only tests use.
func TestArchitectureIsTrue(t *testing.T) {
	needs.Time(t)
	fsys := os.DirFS(".")
	m, err := code.Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	m.Check()
	names, err := prose.NewNames(m, fsys)
	if err != nil {
		t.Fatal(err)
	}
	text := readText(t, fsys, "ARCHITECTURE.md")
	report(t, "ARCHITECTURE.md", prose.MissingPackages(text, m, "internal/structure"))
	report(t, "ARCHITECTURE.md", names.Check(text))
}

// Lines that are too long to read side by side are not read.
func TestLinesOfDocuments(t *testing.T) {
	needs.Time(t)
	fsys := os.DirFS(".")
	for _, pattern := range []string{"*.md", "docs/*.md", "design/*.md"} {
		files, err := fs.Glob(fsys, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			report(t, file, prose.LongLines(readText(t, fsys, file)))
		}
	}
}

func readText(t *testing.T, fsys fs.FS, file string) string {
	t.Helper()
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func report(t *testing.T, file string, faults []prose.Fault) {
	t.Helper()
	for _, f := range faults {
		t.Errorf("%s:%s", file, f)
	}
}
