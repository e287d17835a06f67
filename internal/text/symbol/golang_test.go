package symbol

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// On whole files the rules for Go agree with Go's own parser. The files are
// those of this module.
func TestGoAgreesWithItsParser(t *testing.T) {
	needs.Time(t)
	files := 0
	err := filepath.WalkDir(filepath.Join("..", "..", ".."), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, src, parser.SkipObjectResolution)
		if err != nil {
			return nil // being edited
		}
		files++
		want := topLevel(parsed)
		got := Scan("go", src).Declared
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", file, got, want)
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Fatalf("%d files: %v", files, err)
	}
}

// A constant that ends in a dot, with a comment behind it, seemed to go on in the next
// line, whose name was lost.
func TestDotEndsANumber(t *testing.T) {
	const src = `package p

const (
	a = 8.   // eight
	b = 1. /* one */
	c = 08.
	d = .5
	e = 1.e3
	f = x.y
)

var (
	g = []float64{1., 2.}
	h = 3. *
		4
	i = 5
)
`
	parsed, err := parser.ParseFile(gotoken.NewFileSet(), "a.go", src, parser.SkipObjectResolution|parser.AllErrors)
	if parsed == nil {
		t.Fatal(err)
	}
	if got, want := Scan("go", []byte(src)).Declared, topLevel(parsed); !slices.Equal(got, want) || len(got) != 9 {
		t.Errorf("got %q, want %q", got, want)
	}
}

// topLevel lists the names that a file declares, each once.
func topLevel(file *ast.File) []string {
	var names nameSet
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.Name != "_" {
				names.add(id.Name)
			}
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			add(decl.Name)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					add(spec.Names...)
				}
			}
		}
	}
	return names.names()
}
