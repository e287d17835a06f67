package measure

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/structure/code"
)

// productLines measures what the binary is made of. Smaller files repeat imports and
// introduce themselves, so that lines of code are also counted without those.
func productLines(m *code.Module) []Row {
	lines := Row{Name: "lines of product code", Most: NoLimit}
	plain := Row{Name: "the same without comments, imports, blanks", Most: NoLimit}
	for _, p := range m.Program("cmd/docent") {
		for _, f := range p.Files {
			lines.Value += f.Lines
			plain.Value += f.Code
		}
	}
	return []Row{lines, plain}
}

// rootSize measures how long the public API takes to read.
func rootSize(m *code.Module) []Row {
	lines := Row{Name: "root package, lines", Most: 1500}
	files := Row{Name: "root package, files", Most: 12}
	names := Row{Name: "root package, exported names", Most: 60}
	if root := m.Package("."); root != nil {
		lines.Value = root.Lines()
		files.Value = len(root.Files)
		for _, f := range root.Files {
			names.Offenders = append(names.Offenders, exported(f.Syntax)...)
		}
		names.Value = len(names.Offenders)
	}
	return []Row{lines, files, names}
}

// exported lists the exported top-level names of a file, without methods.
func exported(f *ast.File) []string {
	var names []string
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

// bounded lists the folders whose packages join others and therefore grow.
var bounded = []string{"internal/library", "internal/store", "internal/surface", "internal/indexset"}

func largePackages(m *code.Module) Row {
	const most = 3500
	r := Row{Name: fmt.Sprintf("joining packages over %d lines", most)}
	large := slices.DeleteFunc(slices.Clone(m.Packages), func(p *code.Package) bool {
		return !isBounded(p.Dir) || p.Lines() <= most
	})
	slices.SortFunc(large, func(x, y *code.Package) int { return cmp.Compare(y.Lines(), x.Lines()) })
	for _, p := range large {
		r.Offenders = append(r.Offenders, fmt.Sprintf("%s %d", p.Dir, p.Lines()))
	}
	r.Value = len(large)
	return r
}

// isBounded leaves out the command line, which has a file for each command.
func isBounded(dir string) bool {
	if dir == "internal/surface/cli" {
		return false
	}
	return slices.ContainsFunc(bounded, func(folder string) bool {
		return dir == folder || strings.HasPrefix(dir, folder+"/")
	})
}
