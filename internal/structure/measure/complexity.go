package measure

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/docent-md/docent/internal/structure/code"
)

// complexFunctions lists functions over a cyclomatic complexity of 25, counted
// as gocyclo does: 1, and 1 for each if, for, case, && and ||. Function
// literals count for the function they stand in.
func complexFunctions(m *code.Module) Row {
	const most = 25
	type function struct {
		at string
		n  int
	}
	var list []function
	for _, p := range m.Packages {
		for _, f := range p.Files {
			for _, d := range f.Syntax.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				if n := complexity(d); n > most {
					at := fmt.Sprintf("%s:%d %s", f.Path, m.Fset.Position(d.Pos()).Line, d.Name.Name)
					list = append(list, function{at, n})
				}
			}
		}
	}
	slices.SortFunc(list, func(x, y function) int {
		return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.at, y.at))
	})
	r := Row{Name: fmt.Sprintf("functions of complexity over %d", most), Most: 10, Value: len(list)}
	for _, f := range list {
		r.Offenders = append(r.Offenders, fmt.Sprintf("%s %d", f.at, f.n))
	}
	return r
}

func complexity(d *ast.FuncDecl) int {
	n := 1
	ast.Inspect(d, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil { // default is no branch of its own
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
