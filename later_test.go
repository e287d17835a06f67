package docent

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
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

func segmentBytes(t *testing.T, store string) []byte {
	t.Helper()
	snap, err := segment.OpenStore(store)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if n := len(snap.Files()); n != 1 {
		t.Fatalf("%d segments", n)
	}
	raw, err := os.ReadFile(filepath.Join(store, snap.Files()[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// An index that was made by words and then given vectors is, byte for byte, the one
// that is made with vectors at once.
func TestVectorsLater(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	manySections(t, dir)
	open := func(store string, o Options) *Library {
		t.Helper()
		l, err := OpenDir(ctx, dir, store, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	whole, stepwise := t.TempDir(), t.TempDir()
	open(whole, Options{})
	for range 2 { // what needs no vectors leaves it at that
		l := open(stepwise, Options{Words: true})
		if m, err := l.segs[0].meaning(); m != nil || err != nil {
			t.Fatalf("vectors were made although they can wait (%v)", err)
		}
		if a, err := l.Search(ctx, Query{Text: "who greases the crane"}); err != nil || len(a.Hits) == 0 {
			t.Fatalf("no answer by words: %v", err)
		}
	}
	if l := open(stepwise, Options{}); l.modelName() != "builtin, adapted" {
		t.Fatalf("model %q", l.modelName())
	}
	if !bytes.Equal(segmentBytes(t, whole), segmentBytes(t, stepwise)) {
		t.Error("the segments differ")
	}
	if l := open(stepwise, Options{Words: true}); l.modelName() != "builtin, adapted" {
		t.Errorf("who needs no vectors lost them: model %q", l.modelName())
	}
}

// Documents that change before the vectors come are taken in with them.
func TestVectorsLaterOfChangedDocuments(t *testing.T) {
	ctx := context.Background()
	dir, store := t.TempDir(), t.TempDir()
	manySections(t, dir)
	l, err := OpenDir(ctx, dir, store, Options{Words: true})
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	put(t, dir, "pier/03.md", "# Harbour\n\nOnly gulls are left at this pier, and a lighthouse.\n")
	put(t, dir, "pier/99.md", "# Lighthouse\n\nIts keeper polishes the lens.\n")
	if err := os.Remove(filepath.Join(dir, "pier/05.md")); err != nil {
		t.Fatal(err)
	}
	if l, err = OpenDir(ctx, dir, store, Options{}); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	fresh, err := OpenDir(ctx, dir, t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	for _, q := range []string{"who polishes the lens", "gulls", "the driver of the crane"} {
		var got, want strings.Builder
		for to, l := range map[*strings.Builder]*Library{&got: l, &want: fresh} {
			a, err := l.Search(ctx, Query{Text: q, Mode: Semantic, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range a.Hits {
				fmt.Fprintf(to, "%s %.4f\n", h.Ref, h.Score)
			}
		}
		if got.String() != want.String() || got.Len() == 0 {
			t.Errorf("%q:\n%s\nmade at once:\n%s", q, got.String(), want.String())
		}
	}
}
