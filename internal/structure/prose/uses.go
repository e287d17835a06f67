package prose

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/docent-md/docent/internal/structure/code"
)

// uses says which objects product code refers to, outside their own
// declaration. It is an approximation: a function that is used by another that
// nobody calls counts as used, and so does a method by whose name an interface
// is asked.
type uses struct {
	objects map[types.Object]bool
	methods map[string]bool // called through an interface
}

// calledElsewhere are methods that the standard library calls for us.
var calledElsewhere = []string{
	"Error", "Is", "Unwrap", "String", "Read", "Write", "Close", "ServeHTTP", "Len", "Less", "Swap",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "RoundTrip", "Open", "Stat", "ReadDir",
}

func findUses(m *code.Module) uses {
	u := uses{objects: map[types.Object]bool{}, methods: map[string]bool{}}
	for _, name := range calledElsewhere {
		u.methods[name] = true
	}
	own := declarations(m)
	for id, object := range m.Info.Uses {
		if f, ok := object.(*types.Func); ok {
			object = f.Origin()
			if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				u.methods[f.Name()] = true
			}
		}
		if r, ok := own[object]; ok && r.from <= id.Pos() && id.Pos() < r.to {
			continue
		}
		u.objects[object] = true
	}
	return u
}

func (u uses) has(object types.Object) bool {
	if f, ok := object.(*types.Func); ok {
		object = f.Origin()
		if f.Signature().Recv() != nil && u.methods[f.Name()] {
			return true
		}
	}
	return u.objects[object]
}

type stretch struct{ from, to token.Pos }

// declarations says where each function stands, to tell recursion from use.
func declarations(m *code.Module) map[types.Object]stretch {
	out := map[types.Object]stretch{}
	for _, p := range m.Packages {
		for _, f := range p.Files {
			for _, d := range f.Syntax.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					if object := m.Info.Defs[d.Name]; object != nil {
						out[object] = stretch{d.Pos(), d.End()}
					}
				}
			}
		}
	}
	return out
}
