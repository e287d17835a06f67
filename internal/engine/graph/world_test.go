package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/text/markdown"
)

// memory is a Blob over plain bytes.
type memory []byte

func (m memory) Len() int { return len(m) }

func (m memory) Bytes(off, n int) ([]byte, error) {
	if off < 0 || n < 0 || off+n > len(m) {
		return nil, fmt.Errorf("out of range: %d+%d of %d", off, n, len(m))
	}
	return m[off : off+n : off+n], nil
}

// A segment is one part of a world: documents, and their tables.
type segment struct {
	docs  []doc.Document
	dead  map[int]bool
	parts map[string]memory
	read  *graph.Reader
}

type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// finish makes a segment of a builder that got docs.
func finish(t fataler, b *graph.Builder, docs []doc.Document) *segment {
	t.Helper()
	s := &segment{docs: docs, dead: map[int]bool{}, parts: map[string]memory{}}
	b.Parts(func(name string, data []byte) { s.parts[name] = data })
	var err error
	s.read, err = graph.Open(func(name string) (blob.Blob, error) { return s.parts[name], nil })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newSegment makes a segment of files.
func newSegment(t fataler, files map[string]string) *segment {
	t.Helper()
	b := graph.NewBuilder()
	var docs []doc.Document
	for _, p := range slices.Sorted(maps.Keys(files)) {
		d := markdown.Parse(p, []byte(files[p]))
		if err := b.Add(graph.Extract(&d)); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return finish(t, b, docs)
}

func (s *segment) segment() graph.Segment {
	return graph.Segment{
		Reader: s.read, Dead: s.dead,
		Page: func(row int) (string, string, error) { return s.docs[row].Path, s.docs[row].Title, nil },
		Sections: func(row int) ([]graph.Section, error) {
			d := &s.docs[row]
			out := make([]graph.Section, len(d.Sections))
			for i, s := range d.Sections {
				out[i] = graph.Section{Title: s.Title, Anchor: s.Anchor, Level: s.Level, Parent: s.Parent, Lines: s.Lines}
			}
			return out, nil
		},
	}
}

// A world is a corpus of several segments.
type world []*segment

func newWorld(t fataler, files map[string]string) world { return world{newSegment(t, files)} }

func (w world) walk() *graph.Walker {
	var segs []graph.Segment
	for _, s := range w {
		segs = append(segs, s.segment())
	}
	return graph.Walk(segs)
}

// find returns the live file of a path.
func (w world) find(path string) (graph.ID, bool) {
	for s, seg := range w {
		for row := range seg.docs {
			if seg.docs[row].Path == path && !seg.dead[row] {
				return graph.ID{Segment: s, Row: row}, true
			}
		}
	}
	return graph.ID{}, false
}

// paths returns the paths of the live files, sorted.
func (w world) paths() []string {
	var out []string
	for _, seg := range w {
		for row := range seg.docs {
			if !seg.dead[row] {
				out = append(out, seg.docs[row].Path)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (w world) out(t fataler, walker *graph.Walker, path string) []graph.Edge {
	t.Helper()
	id, ok := w.find(path)
	if !ok {
		t.Fatalf("%s is not in the corpus", path)
	}
	edges, err := walker.Out(id)
	if err != nil {
		t.Fatal(err)
	}
	return edges
}

func (w world) in(t fataler, walker *graph.Walker, path string) []graph.Edge {
	t.Helper()
	id, ok := w.find(path)
	if !ok {
		t.Fatalf("%s is not in the corpus", path)
	}
	edges, err := walker.In(id)
	if err != nil {
		t.Fatal(err)
	}
	return edges
}

// show writes where an edge leads: "path", "path#anchor" or what became of it.
func (w world) show(e graph.Edge) string {
	loose := ""
	if e.Loose {
		loose = " loosely"
	}
	switch e.State {
	case graph.Found:
		if e.To.Section < 0 {
			return e.To.Path + loose
		}
		d := &w[e.To.File.Segment].docs[e.To.File.Row]
		return e.To.Path + "#" + d.Sections[e.To.Section].Anchor + loose
	case graph.NoAnchor:
		return e.To.Path + loose + ": no " + e.Anchor
	case graph.External, graph.Outside:
		return e.State.String()
	}
	return e.State.String() + " " + e.Path
}

// files reads "path path=text ..." as a corpus; a file without text has a heading
// that is its path, "|" is a line ending.
func files(list ...string) map[string]string {
	out := map[string]string{}
	for _, f := range list {
		path, text, ok := strings.Cut(f, "=")
		if !ok {
			text = "# Page"
		}
		out[path] = strings.ReplaceAll(text, "|", "\n") + "\n"
	}
	return out
}

// lead returns where the references of text lead when it stands at from.
func lead(t *testing.T, corpus map[string]string, from, text string) []string {
	t.Helper()
	corpus[from] = text
	w := newWorld(t, corpus)
	var out []string
	for _, e := range w.out(t, w.walk(), from) {
		out = append(out, w.show(e))
	}
	return out
}
