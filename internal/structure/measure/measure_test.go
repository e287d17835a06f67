package measure

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent/internal/structure/code"
)

// load makes a module of a txtar-like text: "-- name --" begins a file.
func load(t *testing.T, text string) (*code.Module, fstest.MapFS) {
	t.Helper()
	fsys := fstest.MapFS{"go.mod": {Data: []byte("module example.com/m\n")}}
	for part := range strings.SplitSeq(text, "-- ") {
		if name, body, ok := strings.Cut(part, " --\n"); ok {
			fsys[name] = &fstest.MapFile{Data: []byte(body)}
		}
	}
	m, err := code.Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	m.Check()
	return m, fsys
}

func TestCycleOfFiles(t *testing.T) {
	m, _ := load(t, `
-- lib/a.go --
package lib
type A struct{ field int }
func a() { b() }
-- lib/b.go --
package lib
func b() { var x T; x.method() }
-- lib/c.go --
package lib
type T struct{}
func (T) method() { _ = A{}.field }
-- lib/d.go --
package lib
func d() { a() }
-- alone/e.go --
package alone
func e() { e() }
`)
	r := largestCycle(m)
	if want := []string{"lib 3: a b c"}; r.Value != 3 || !slices.Equal(r.Offenders, want) {
		t.Errorf("got %d %v, want 3 %v", r.Value, r.Offenders, want)
	}
}

func TestComplexityIsThatOfGocyclo(t *testing.T) {
	tests := []struct {
		name, body string
		want       int
	}{
		{"a function is 1", ``, 1},
		{"branches and loops", `if true {}; for {}; for range 3 {}`, 4},
		{"else adds nothing, else if does", `if true {} else if false {} else {}`, 3},
		{"cases, but not default", `switch 1 { case 1, 2: ; case 3: ; default: }`, 3},
		{"conditions", `_ = true && false || !true`, 3},
		{"literals belong to their function", `_ = func() { if true {} }`, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, _ := load(t, "-- f.go --\npackage m\nfunc f() {"+tt.body+"}\n")
			d := m.Packages[0].Files[0].Syntax.Decls[0]
			if got := complexity(funcDecl(t, d)); got != tt.want {
				t.Errorf("complexity %d, want %d", got, tt.want)
			}
		})
	}
}

func TestRootPackage(t *testing.T) {
	m, _ := load(t, `
-- a.go --
package m
import "context"
type Library struct{}
type hidden int
const One, two = 1, 2
var Three int
func Open() (*Library, error) { return nil, nil }
func (*Library) Search(ctx context.Context) error { return nil }
func (*Library) Read(name string) (string, error) { return "", nil }
func (*Library) Name() string { return "" }
func (*Library) Close() error { return nil }
func (hidden) Method() {}
`)
	rows := rootSize(m)
	if got, want := rows[2].Offenders, []string{"Library", "One", "Three", "Open"}; !slices.Equal(got, want) {
		t.Errorf("exported %v, want %v", got, want)
	}
	if r := libraryMethods(m); r.Value != 4 {
		t.Errorf("Library has %d methods, want 4", r.Value)
	}
	if r := withoutContext(m); !slices.Equal(r.Offenders, []string{"Read"}) {
		t.Errorf("without a context: %v, want Read alone", r.Offenders)
	}
}

func TestMethodsOfAnAlias(t *testing.T) {
	m, _ := load(t, `
-- a.go --
package m
import "example.com/m/internal/lib"
type Library = lib.Library
-- internal/lib/b.go --
package lib
type base struct{}
func (base) Promoted() error { return nil }
func (base) hidden() {}
type Library struct{ base }
func (*Library) own() {}
`)
	if r := libraryMethods(m); !slices.Equal(r.Offenders, []string{"Promoted", "hidden", "own"}) {
		t.Errorf("got %v", r.Offenders)
	}
	if r := withoutContext(m); !slices.Equal(r.Offenders, []string{"Promoted"}) {
		t.Errorf("without a context: %v, want Promoted", r.Offenders)
	}
}

func TestTypesWithManyMethods(t *testing.T) {
	text := "-- lib/a.go --\npackage lib\ntype G[T any] struct{}\n"
	for n := range 26 {
		text += "func (g *G[T]) m" + string(rune('a'+n)) + "() {}\n"
	}
	m, _ := load(t, text)
	if r := otherMethods(m); !slices.Equal(r.Offenders, []string{"lib G 26"}) {
		t.Errorf("got %v", r.Offenders)
	}
}

func TestLargePackages(t *testing.T) {
	long := "package p\n" + strings.Repeat("\n", 3500)
	m, _ := load(t, "-- internal/store/a.go --\n"+long+
		"-- internal/surface/cli/b.go --\n"+long+"-- internal/engine/c.go --\n"+long)
	if r := largePackages(m); !slices.Equal(r.Offenders, []string{"internal/store 3501"}) {
		t.Errorf("got %v", r.Offenders)
	}
}

func TestPathOfAQuery(t *testing.T) {
	tests := []struct {
		name, text string
		value      int
		fault      string
	}{
		{"no document", "", 0, "does not exist"},
		{"no section", "-- ARCHITECTURE.md --\n# A\n", 0, "no block"},
		{"fenced", "-- ARCHITECTURE.md --\n## The path of a query\n\n```\na.go  what it does\na.go\n```\n\nb.go\n-- a.go --\npackage m\n", 1, ""},
		{"indented", "-- ARCHITECTURE.md --\n## The path of a query\n\nText.\n\n    a.go  here\n\n## Next\n\n    b.go\n-- a.go --\npackage m\n", 1, ""},
		{"a file that is gone", "-- ARCHITECTURE.md --\n## The path of a query\n\n    lib/gone.go\n", 1, "lib/gone.go does not exist"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, fsys := load(t, tt.text)
			r := queryPath(fsys)
			if r.Value != tt.value || !strings.Contains(r.Fault, tt.fault) || (tt.fault == "") != (r.Fault == "") {
				t.Errorf("got %d, %q", r.Value, r.Fault)
			}
		})
	}
}

func TestTableNamesWhatIsOver(t *testing.T) {
	var b strings.Builder
	rows := []Row{{Name: "small", Most: 2, Value: 1, Offenders: []string{"not shown"}}, {Name: "large", Most: 1, Value: 2, Offenders: []string{"x", "y"}}}
	if err := WriteTable(&b, rows); err != nil {
		t.Fatal(err)
	}
	const want = `requirement  at most  is  
small        2        1   ok
large        1        2   over

large: 
  x
  y
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func funcDecl(t *testing.T, d ast.Decl) *ast.FuncDecl {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		t.Fatalf("%T is no function", d)
	}
	return f
}
