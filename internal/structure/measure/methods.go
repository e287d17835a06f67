package measure

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/docent-md/docent/internal/structure/code"
)

// methods groups the methods of a package by the name of their type.
func methods(p *code.Package) map[string][]*ast.FuncDecl {
	out := map[string][]*ast.FuncDecl{}
	for _, f := range p.Files {
		for _, d := range f.Syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil && f.Built {
				name := receiver(d)
				out[name] = append(out[name], d)
			}
		}
	}
	return out
}

// receiver is the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// libraryMethods counts what a reader of Library has to know: its methods, and
// the exported ones that it has through embedding or as an alias.
func libraryMethods(m *code.Module) Row {
	r := Row{Name: "methods of Library", Most: 40}
	for _, f := range methodsOf(m.Package("."), "Library") {
		r.Offenders = append(r.Offenders, f.Name())
	}
	r.Value = len(r.Offenders)
	return r
}

// methodsOf lists the methods of a type of p by name, unexported ones only if
// they are declared in the package of the type itself.
func methodsOf(p *code.Package, name string) []*types.Func {
	if p == nil {
		return nil
	}
	object := p.Types.Scope().Lookup(name)
	if object == nil {
		return nil
	}
	named, ok := types.Unalias(object.Type()).(*types.Named)
	if !ok {
		return nil
	}
	var out []*types.Func
	set := types.NewMethodSet(types.NewPointer(named))
	for i := range set.Len() {
		if f, ok := set.At(i).Obj().(*types.Func); ok && (f.Exported() || f.Pkg() == named.Obj().Pkg()) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(x, y *types.Func) int { return cmp.Compare(x.Name(), y.Name()) })
	return out
}

func otherMethods(m *code.Module) Row {
	const most = 25
	type count struct {
		name string
		n    int
	}
	var large []count
	for _, p := range m.Packages {
		for name, list := range methods(p) {
			if len(list) > most && (p.Dir != "." || name != "Library") {
				large = append(large, count{p.Dir + " " + name, len(list)})
			}
		}
	}
	slices.SortFunc(large, func(x, y count) int {
		return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.name, y.name))
	})
	r := Row{Name: fmt.Sprintf("other types with over %d methods", most), Value: len(large)}
	for _, c := range large {
		r.Offenders = append(r.Offenders, fmt.Sprintf("%s %d", c.name, c.n))
	}
	return r
}

// withoutContext finds exported methods of Library that can fail and cannot be
// cancelled. Returning an error stands for reading files or asking; Close is
// left out, as io.Closer has it.
func withoutContext(m *code.Module) Row {
	r := Row{Name: "methods of Library that fail, without a context"}
	for _, f := range methodsOf(m.Package("."), "Library") {
		if f.Exported() && f.Name() != "Close" && returnsError(f) && !takesContext(f) {
			r.Offenders = append(r.Offenders, f.Name())
		}
	}
	r.Value = len(r.Offenders)
	return r
}

func returnsError(f *types.Func) bool {
	results := f.Signature().Results()
	return results.Len() > 0 && results.At(results.Len()-1).Type() == types.Universe.Lookup("error").Type()
}

func takesContext(f *types.Func) bool {
	params := f.Signature().Params()
	return params.Len() > 0 && params.At(0).Type().String() == "context.Context"
}
