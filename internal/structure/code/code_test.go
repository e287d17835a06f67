package code

import (
	"go/types"
	"slices"
	"testing"
	"testing/fstest"
)

func module(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"go.mod": {Data: []byte("module example.com/m\n\ngo 1.26\n")}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestOnlyProductCodeIsLoaded(t *testing.T) {
	m, err := Load(module(map[string]string{
		"a.go":                     "package m\n",
		"a_test.go":                "package m\n",
		"lib/b.go":                 "package lib\n\nvar B int\n",
		"lib/b_windows.go":         "package lib\n\nvar B int\n",
		"lib/testdata/c.go":        "package c\n",
		"bench/d.go":               "package main\n",
		"other/go.mod":             "module other\n",
		"other/e.go":               "package other\n",
		".hidden/f.go":             "package f\n",
		"internal/structure/g.go":  "package main\n",
		"internal/structured/h.go": "package structured\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, p := range m.Packages {
		dirs = append(dirs, p.Dir)
	}
	if want := []string{".", "internal/structured", "lib"}; !slices.Equal(dirs, want) {
		t.Errorf("packages %v, want %v", dirs, want)
	}
	lib := m.Package("lib")
	if lib.Lines() != 6 {
		t.Errorf("lib has %d lines, want those of all systems, 6", lib.Lines())
	}
	if !lib.Files[0].Built || lib.Files[1].Built {
		t.Error("b.go is built on linux, b_windows.go is not")
	}
	if !m.Package(".").Public() || !lib.Public() || m.Package("internal/structured").Public() {
		t.Error("root and lib are public, what lies in internal is not")
	}
}

func TestIdentifiersAreResolvedAcrossPackages(t *testing.T) {
	m, err := Load(module(map[string]string{
		"a.go": `package m

import (
	"strings"

	"example.com/m/lib"
	"example.org/other/yaml/v3"
)

func A() string { return strings.ToUpper(lib.T{}.Name(yaml.Version)) }
`,
		"lib/b.go": "package lib\n\ntype T struct{}\n\nfunc (T) Name(s string) string { return s }\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	m.Check()
	used := map[string]bool{}
	for _, object := range m.Info.Uses {
		if f, ok := object.(*types.Func); ok {
			used[f.FullName()] = true
		}
	}
	for _, want := range []string{"strings.ToUpper", "(example.com/m/lib.T).Name"} {
		if !used[want] {
			t.Errorf("%s is not among the functions used: %v", want, used)
		}
	}
}

func TestNamesOfOtherModules(t *testing.T) {
	for path, want := range map[string]string{
		"go.yaml.in/yaml/v3":         "yaml",
		"github.com/spf13/cobra":     "cobra",
		"github.com/mattn/go-isatty": "isatty",
	} {
		if got := guessName(path); got != want {
			t.Errorf("guessName(%q) = %q, want %q", path, got, want)
		}
	}
}
