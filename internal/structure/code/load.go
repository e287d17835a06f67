package code

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// leftOut lists folders whose Go files are no product code.
var leftOut = []string{"bench", "examples", "internal/structure"}

// Load parses the product code of the module whose root is fsys.
func Load(fsys fs.FS) (*Module, error) {
	name, err := modulePath(fsys)
	if err != nil {
		return nil, err
	}
	m := &Module{Path: name, Fset: token.NewFileSet()}
	folders := map[string]*Package{}
	err = fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if skipFolder(fsys, file) {
				return fs.SkipDir
			}
			return nil
		case !isProduct(file):
			return nil
		}
		f, err := m.parse(fsys, file)
		if err != nil {
			return err
		}
		p := folders[path.Dir(file)]
		if p == nil {
			p = &Package{Dir: path.Dir(file)}
			folders[p.Dir] = p
			m.Packages = append(m.Packages, p)
		}
		p.Files = append(p.Files, f)
		return nil
	})
	slices.SortFunc(m.Packages, func(x, y *Package) int { return cmp.Compare(x.Dir, y.Dir) })
	return m, err
}

func (m *Module) parse(fsys fs.FS, file string) (*File, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(m.Fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &File{Path: file, Lines: bytes.Count(text, []byte("\n")), Syntax: syntax, Built: built(file, text)}
	f.Code = m.codeLines(f, text)
	return f, nil
}

// codeLines counts the lines on which a token begins or ends, after the imports.
func (m *Module) codeLines(f *File, text []byte) int {
	body := f.Syntax.Name.End()
	for _, d := range f.Syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			body = g.End()
		}
	}
	lines := map[int]bool{}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(f.Path, 1, len(text)), text, nil, 0)
	in := m.Fset.File(f.Syntax.Pos())
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		start := int(pos) - 1
		if in.Pos(start) < body || tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		for line := in.Line(in.Pos(start)); line <= in.Line(in.Pos(start+len(literal))); line++ {
			lines[line] = true // a raw string has several
		}
	}
}

// built reports whether file is compiled on linux/amd64, so that the measures
// are the same on every machine.
func built(file string, text []byte) bool {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", false
	ctx.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	ok, err := ctx.MatchFile(path.Dir(file), path.Base(file))
	return ok && err == nil
}

func isProduct(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go")
}

func skipFolder(fsys fs.FS, dir string) bool {
	if dir == "." {
		return false
	}
	base := path.Base(dir)
	if base == "testdata" || base[0] == '.' || base[0] == '_' || slices.Contains(leftOut, dir) {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod")) // a module of its own
	return err == nil
}

func modulePath(fsys fs.FS) (string, error) {
	text, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("go.mod: no module line")
}

// within reports whether dir is folder or lies in it.
func within(dir, folder string) bool {
	return dir == folder || strings.HasPrefix(dir, folder+"/")
}
