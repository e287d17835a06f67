package code

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/types"
	"path"
	"regexp"
	"strings"
)

// Check resolves identifiers: afterwards m.Info says what each refers to.
//
// Packages of the module and of the standard library are type-checked from
// source. Packages of other modules stand empty, so that nothing has to be
// fetched or built; what their values are is then unknown, which no measure
// here asks. Type errors are expected for that reason and ignored.
func (m *Module) Check() {
	m.Info = &types.Info{
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	c := &checker{m: m, std: standardLibrary(m), other: map[string]*types.Package{}}
	for _, p := range m.Packages {
		c.check(p)
	}
}

type checker struct {
	m     *Module
	std   types.Importer
	other map[string]*types.Package
}

func (c *checker) check(p *Package) {
	if p.Types != nil {
		return
	}
	var files []*ast.File
	for _, f := range p.Files {
		if f.Built {
			files = append(files, f.Syntax)
		}
	}
	config := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	p.Types, _ = config.Check(path.Join(c.m.Path, p.Dir), c.m.Fset, files, c.m.Info)
}

// Import makes checker a types.Importer.
func (c *checker) Import(name string) (*types.Package, error) {
	if within(name, c.m.Path) {
		dir := strings.TrimPrefix(strings.TrimPrefix(name, c.m.Path), "/")
		if p := c.m.Package(path.Clean(dir)); p != nil {
			c.check(p)
			return p.Types, nil
		}
	}
	if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
		if p, err := c.std.Import(name); err == nil {
			return p, nil
		}
	}
	return c.empty(name), nil
}

func (c *checker) empty(name string) *types.Package {
	p := c.other[name]
	if p == nil {
		p = types.NewPackage(name, guessName(name))
		p.MarkComplete()
		c.other[name] = p
	}
	return p
}

var version = regexp.MustCompile(`^v\d+$`)

// guessName is the name that a package most likely has.
func guessName(importPath string) string {
	base := path.Base(importPath)
	if version.MatchString(base) {
		base = path.Base(path.Dir(importPath))
	}
	return strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
}

func standardLibrary(m *Module) types.Importer {
	build.Default.CgoEnabled = false // or the importer runs the cgo tool
	return importer.ForCompiler(m.Fset, "source", nil)
}
