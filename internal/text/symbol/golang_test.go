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
)

// On whole files the rules for Go agree with Go's own parser. The files are
// those of this module.
func TestGoAgreesWithItsParser(t *testing.T) {
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
