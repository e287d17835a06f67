package refresh_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// manySections writes documents with enough sections for the table to be adapted.
func manySections(t *testing.T, dir string) {
	t.Helper()
	for i := range 40 {
		var b strings.Builder
		fmt.Fprintf(&b, "# Harbour %d\n\nShips that moor at pier %d.\n", i, i)
		for j := range 9 {
			fmt.Fprintf(&b, "\n## Crane %d\n\nThe crane number %d lifts containers of the line %d from the hold. It is greased weekly. Its driver reports to the master.\n", j, j, i*j)
		}
		put(t, dir, fmt.Sprintf("pier/%02d.md", i), b.String())
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	// Times that are a moment old are not trusted, and not stored.
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
}

// open opens documents with the index in some folder, until the test ends.
func open(t *testing.T, dir, index string, o refresh.Options) *snapshot.View {
	t.Helper()
	c, err := corpus.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.IndexDir = index
	live, err := refresh.OpenCorpus(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = live.Close() })
	snap, release, err := live.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	v, err := snap.View(t.Context(), snapshot.Want{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// scored are the hits for a question and what they came to.
func scored(t *testing.T, v *snapshot.View, q answer.Query) string {
	t.Helper()
	a, err := search.Run(t.Context(), local.New(v, "", nil), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, h := range a.Hits {
		fmt.Fprintf(&b, "%s %.4f\n", h.Ref, h.Score)
	}
	return b.String()
}

func segmentBytes(t *testing.T, index string) []byte {
	t.Helper()
	snap, err := segment.OpenStore(index)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if n := len(snap.Files()); n != 1 {
		t.Fatalf("%d segments", n)
	}
	raw, err := os.ReadFile(filepath.Join(index, snap.Files()[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// An index that was made by words and then given vectors is, byte for byte, the one
// that is made with vectors at once.
func TestVectorsLater(t *testing.T) {
	dir := t.TempDir()
	manySections(t, dir)
	whole, stepwise := t.TempDir(), t.TempDir()
	open(t, dir, whole, refresh.Options{})
	for range 2 { // what needs no vectors leaves it at that
		v := open(t, dir, stepwise, refresh.Options{DeferVectors: true})
		if m, err := v.Vectors(); m != nil || err != nil {
			t.Fatalf("vectors were made although they can wait (%v)", err)
		}
		if scored(t, v, answer.Query{Text: "who greases the crane"}) == "" {
			t.Fatal("no answer by words")
		}
	}
	if v := open(t, dir, stepwise, refresh.Options{}); local.ModelName(v) != "builtin, adapted" {
		t.Fatalf("model %q", local.ModelName(v))
	}
	if !bytes.Equal(segmentBytes(t, whole), segmentBytes(t, stepwise)) {
		t.Error("the segments differ")
	}
	if v := open(t, dir, stepwise, refresh.Options{DeferVectors: true}); local.ModelName(v) != "builtin, adapted" {
		t.Errorf("who needs no vectors lost them: model %q", local.ModelName(v))
	}
}

// Documents that change before the vectors come are taken in with them.
func TestVectorsLaterOfChangedDocuments(t *testing.T) {
	dir, index := t.TempDir(), t.TempDir()
	manySections(t, dir)
	open(t, dir, index, refresh.Options{DeferVectors: true})
	put(t, dir, "pier/03.md", "# Harbour\n\nOnly gulls are left at this pier, and a lighthouse.\n")
	put(t, dir, "pier/99.md", "# Lighthouse\n\nIts refresher polishes the lens.\n")
	if err := os.Remove(filepath.Join(dir, "pier/05.md")); err != nil {
		t.Fatal(err)
	}
	later, atOnce := open(t, dir, index, refresh.Options{}), open(t, dir, t.TempDir(), refresh.Options{})
	for _, text := range []string{"who polishes the lens", "gulls", "the driver of the crane"} {
		q := answer.Query{Text: text, Mode: answer.Semantic, Limit: 10}
		if got, want := scored(t, later, q), scored(t, atOnce, q); got != want || got == "" {
			t.Errorf("%q:\n%s\nmade at once:\n%s", text, got, want)
		}
	}
}

// A corpus that is large enough has the table adapted to it; two runs give the same
// bytes, and what is added later is embedded with the same table.
func TestAdapted(t *testing.T) {
	dir, index := t.TempDir(), t.TempDir()
	manySections(t, dir)
	first := open(t, dir, index, refresh.Options{})
	if m := local.ModelName(first); m != "builtin, adapted" {
		t.Fatalf("model %q", m)
	}
	again := open(t, dir, t.TempDir(), refresh.Options{})
	if !bytes.Equal(vectorBytes(t, first), vectorBytes(t, again)) {
		t.Error("two runs gave different vectors")
	}
	put(t, dir, "pier/07.md", "# Harbour\n\nThe crane is rusty, and nobody greases it.\n")
	next := open(t, dir, index, refresh.Options{})
	if len(next.Segments) != 2 {
		t.Fatalf("%d segments", len(next.Segments))
	}
	a, err := first.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	b, err := next.Segments[1].Vectors()
	if err != nil || b == nil || a.Model != b.Model {
		t.Errorf("model %+v, then %+v, %v", a, b, err)
	}
	if n, _ := local.ChangedSince(next, snapshot.DeadRows(next.Segments), 0); n != 1 {
		t.Errorf("%d files have changed since the table was adapted", n)
	}
	if scored(t, next, answer.Query{Text: "rusty crane", Limit: 5}) == "" {
		t.Error("no answer after a change")
	}
}

// vectorBytes are the parts of the first segment that vectors take.
func vectorBytes(t *testing.T, v *snapshot.View) []byte {
	t.Helper()
	var out []byte
	file := v.Segments[0].File
	for _, name := range file.Names() {
		if !embedding.IsVectorPart(name) {
			continue
		}
		part, err := snapshot.Part(file, name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := part.Bytes(0, part.Len())
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, name...), data...)
	}
	return out
}
