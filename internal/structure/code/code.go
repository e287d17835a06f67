// Package code reads the Go source of a module as the other packages here
// measure it: every package, every file, and what an identifier refers to.
//
// It needs the source and the Go toolchain's own library, neither a build nor
// the network. Product code is what Load returns: test files, testdata, bench,
// examples, hidden folders, separate modules and this tool are left out.
package code

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A Module is the product code of a module.
type Module struct {
	Path     string // as go.mod has it
	Fset     *token.FileSet
	Packages []*Package // by folder
	Info     *types.Info
}

// A Package is a folder of Go files.
type Package struct {
	Dir   string // slashes, "." for the root
	Files []*File
	Types *types.Package // after Check
}

// A File is a Go file of a package.
type File struct {
	Path   string // from the root of the module, slashes
	Lines  int
	Code   int // lines, without comments, imports, the package clause and blank ones
	Syntax *ast.File
	Built  bool // on linux/amd64; others are counted, but not type-checked
}

// Package returns the package of a folder, or nil.
func (m *Module) Package(dir string) *Package {
	for _, p := range m.Packages {
		if p.Dir == dir {
			return p
		}
	}
	return nil
}

// Lines counts the lines of all files of a package.
func (p *Package) Lines() int {
	n := 0
	for _, f := range p.Files {
		n += f.Lines
	}
	return n
}

// Program returns the packages that a command is made of, or all of them where the
// module has no such command.
func (m *Module) Program(dir string) []*Package {
	first := m.Package(dir)
	if first == nil {
		return m.Packages
	}
	program := []*Package{first}
	for i := 0; i < len(program); i++ {
		for _, f := range program[i].Files {
			for _, spec := range f.Syntax.Imports {
				rest, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), m.Path)
				p := m.Package(cmp.Or(strings.TrimPrefix(rest, "/"), "."))
				if ours && p != nil && !slices.Contains(program, p) {
					program = append(program, p)
				}
			}
		}
	}
	return program
}

// Name is the name in the package clauses.
func (p *Package) Name() string {
	return p.Files[0].Syntax.Name.Name
}

// Public reports whether programs outside the module can import a package.
func (p *Package) Public() bool {
	return p.Name() != "main" && !within(p.Dir, "internal")
}
