package prose

import (
	"go/types"
	"io/fs"
	gopath "path"
	"regexp"
	"strconv"
	"strings"

	"github.com/docent-md/docent/internal/structure/code"
)

// Names checks what documents name in code against a type-checked module.
type Names struct {
	m       *code.Module
	fsys    fs.FS
	bases   map[string]bool // names of Go files, in any folder
	foreign map[string]bool // names of packages that product code imports from elsewhere
	uses    uses
}

// NewNames prepares checking documents against m, whose files are in fsys.
func NewNames(m *code.Module, fsys fs.FS) (*Names, error) {
	n := &Names{m: m, fsys: fsys, bases: map[string]bool{}, foreign: map[string]bool{}, uses: findUses(m)}
	for _, p := range m.Packages {
		for _, f := range p.Files {
			for _, spec := range f.Syntax.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				if !strings.HasPrefix(path, m.Path) {
					n.foreign[gopath.Base(path)] = true
				}
			}
		}
	}
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && file != ".":
			return fs.SkipDir
		case strings.HasSuffix(file, ".go"):
			n.bases[d.Name()] = true
		}
		return nil
	})
	return n, err
}

// Check finds files, packages, functions and methods that a document names and
// that do not exist, or that only tests reach.
func (n *Names) Check(text string) []Fault {
	var faults []Fault
	for _, m := range mentions(text) {
		if fault := n.check(m.text); fault != "" {
			faults = append(faults, Fault{m.line, fault})
		}
	}
	return faults
}

var (
	filePath   = regexp.MustCompile(`^[\w.-]+(/[\w.{},-]+)*/?$`)
	identifier = regexp.MustCompile(`^[A-Za-z]\w*(\.[A-Za-z]\w*){1,2}(\(\))?$`)
	dataFile   = regexp.MustCompile(`\.(md|json|jsonl|txt|html|toml|yaml|yml|mod|sum|db|docent|table|gz|zip)$`)
)

func (n *Names) check(name string) string {
	switch {
	case strings.HasSuffix(name, ".go") && !strings.Contains(name, "/"):
		if filePath.MatchString(name) && !n.bases[name] {
			return "there is no file " + name
		}
	case strings.Contains(name, "/") && filePath.MatchString(name):
		return n.checkPath(name)
	case identifier.MatchString(name) && !dataFile.MatchString(name):
		return n.checkIdentifier(strings.TrimSuffix(name, "()"))
	}
	return ""
}

// checkPath looks a path up, if its first folder is one of the repository: a
// path like guide/auth.md is an example.
func (n *Names) checkPath(path string) string {
	first, _, _ := strings.Cut(path, "/")
	if _, err := fs.Stat(n.fsys, first); err != nil {
		return ""
	}
	for _, one := range expand(path) {
		if _, err := fs.Stat(n.fsys, trimPath(one)); err != nil {
			return "there is no " + one
		}
	}
	return ""
}

// checkIdentifier looks up package.Name, Type.Method, Type.Field and
// package.Type.Method.
func (n *Names) checkIdentifier(name string) string {
	first, rest, _ := strings.Cut(name, ".")
	found := n.lookUp(first, rest)
	if len(found) == 0 {
		if n.foreign[first] {
			return ""
		}
		return "there is no " + name
	}
	for _, object := range found {
		if n.reached(object) {
			return ""
		}
	}
	return name + " is reached by tests only"
}

// reached reports whether the program uses an object, or programs outside can.
func (n *Names) reached(object types.Object) bool {
	if object.Exported() && object.Pkg() != nil {
		for _, p := range n.m.Packages {
			if p.Types == object.Pkg() && p.Public() {
				return true
			}
		}
	}
	return n.uses.has(object)
}

// lookUp finds all objects that "first.rest" may mean.
func (n *Names) lookUp(first, rest string) []types.Object {
	var found []types.Object
	name, member, _ := strings.Cut(rest, ".")
	for _, p := range n.m.Packages {
		scope := p.Types.Scope()
		if p.Name() == first {
			if object := scope.Lookup(name); object != nil {
				found = append(found, memberOf(object, member)...)
			}
		}
		if object, ok := scope.Lookup(first).(*types.TypeName); ok && member == "" {
			found = append(found, memberOf(object, name)...)
		}
	}
	return found
}

// memberOf returns a method or field of a type, or the object itself for "".
func memberOf(object types.Object, name string) []types.Object {
	if name == "" {
		return []types.Object{object}
	}
	member, _, _ := types.LookupFieldOrMethod(types.NewPointer(object.Type()), true, object.Pkg(), name)
	if member == nil { // a pointer to an interface has no methods
		member, _, _ = types.LookupFieldOrMethod(object.Type(), true, object.Pkg(), name)
	}
	if member == nil {
		return nil
	}
	return []types.Object{member}
}
