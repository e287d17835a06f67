package prose

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent/internal/structure/code"
)

var long = strings.Repeat("word ", 25)

func TestLongLines(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"short lines are fine", "a\nb", 0},
		{"long ones are not", "a\n" + long, 1},
		{"columns are characters, not bytes", strings.Repeat("ü", 120), 0},
		{"tables cannot be wrapped", "| " + long + " |", 0},
		{"neither can fenced code", "```\n" + long + "\n```", 0},
		{"a longer fence holds a shorter one", "````\n```\n" + long + "\n````\n" + long, 1},
		{"indented code can", "    " + long, 1},
		{"an address does not count", "See https://example.com/" + strings.Repeat("a", 120), 0},
		{"nor does a link's", "[here](" + strings.Repeat("a", 120) + ")", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := LongLines(tt.text); len(got) != tt.want {
				t.Errorf("got %v, want %d", got, tt.want)
			}
		})
	}
}

// source is a module with a function that only tests would call.
var source = fstest.MapFS{
	"go.mod": {Data: []byte("module example.com/m\n")},
	"m.go":   {Data: []byte("package m\n\nimport \"example.com/m/internal/rank\"\n\n// Top is public.\nfunc Top() { rank.New().Push(nil) }\n")},
	"internal/rank/a.go": {Data: []byte(`package rank

import "os"

type Heap struct{ size int }

type pusher interface{ Pull() }

func New() *Heap { return &Heap{} }

func (h *Heap) Push(p pusher) { h.size++; p.Pull(); _ = os.Args }

func (h *Heap) Pull() {}

func Order() { Order() }

func (h *Heap) Unused() {}
`)},
	"internal/rank/a_test.go": {Data: []byte("package rank\n")},
	"internal/lone/b.go":      {Data: []byte("package lone\n")},
	"docs/output.md":          {Data: []byte("# Output\n")},
}

func load(t *testing.T) *code.Module {
	t.Helper()
	m, err := code.Load(source)
	if err != nil {
		t.Fatal(err)
	}
	m.Check()
	return m
}

func TestNames(t *testing.T) {
	names, err := NewNames(load(t), source)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, text, want string }{
		{"a file by its path", "`internal/rank/a.go`", ""},
		{"a file by its name", "`a.go`, `a_test.go`", ""},
		{"a file that is gone", "text\n`b.go` and `c.go`", "2: there is no file c.go"},
		{"a package", "`internal/rank`", ""},
		{"a package that is gone", "`internal/index`", "1: there is no internal/index"},
		{"several packages", "`internal/{rank,lone,gone}`", "1: there is no internal/gone"},
		{"a document", "`docs/output.md`", ""},
		{"a document that is gone", "`docs/input.md`", "1: there is no docs/input.md"},
		{"an example path is none of ours", "`guide/auth.md`, `catalogue.json`", ""},
		{"a function", "`rank.New`, `rank.New()`", ""},
		{"a method and a field", "`Heap.Push`, `rank.Heap.Push`, `Heap.size`", ""},
		{"a method that an interface asks for", "`Heap.Pull`", ""},
		{"a function that is gone", "`rank.Old`", "1: there is no rank.Old"},
		{"a method that is gone", "`Heap.Pop`", "1: there is no Heap.Pop"},
		{"a type that is gone", "`Tree.Pop`", "1: there is no Tree.Pop"},
		{"calling itself is no use", "`rank.Order`", "1: rank.Order is reached by tests only"},
		{"a method that nobody calls", "`Heap.Unused`", "1: Heap.Unused is reached by tests only"},
		{"what is public is reached by others", "`m.Top`", ""},
		{"other people's packages", "`os.Root`", ""},
		{"words and flags are not looked up", "`--budget`, `size`, `docent search`", ""},
		{"code blocks too", "```\nrank.Gone  internal/rank/z.go\n```", "2: there is no internal/rank/z.go|2: there is no rank.Gone"},
		{"indented blocks too", "    a -> rank.Gone", "1: there is no rank.Gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range names.Check(tt.text) {
				got = append(got, f.String())
			}
			if strings.Join(got, "|") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMissingPackages(t *testing.T) {
	m := load(t)
	for text, want := range map[string][]string{
		"internal/rank and internal/lone/.":         nil,
		"`internal/{rank, lone}`":                   nil,
		"internal/rank/a.go is no name of a folder": {"internal/lone", "internal/rank"},
	} {
		var got []string
		for _, f := range MissingPackages(text, m) {
			got = append(got, strings.Fields(f.Text)[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: missing %v, want %v", text, got, want)
		}
	}
	if got := MissingPackages("internal/rank internal/lone", m, "internal/structure"); len(got) != 1 {
		t.Errorf("got %v, want internal/structure", got)
	}
}
