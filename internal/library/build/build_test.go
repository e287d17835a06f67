package build

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// documents writes files with links and code, so old that their times are trusted.
func documents(t *testing.T, files, sections int) *corpus.Corpus {
	t.Helper()
	c := corpus.Default()
	c.Dir = t.TempDir()
	rng := rand.New(rand.NewPCG(3, 1))
	words := func(n int) string {
		all := strings.Fields("rotate key secret worker queue retry deploy backup restore crane pier harbour ship addEventListener kube-proxy feature_gates")
		out := make([]string, n)
		for i := range out {
			out[i] = all[min(rng.IntN(len(all)), rng.IntN(len(all)))]
		}
		return strings.Join(out, " ")
	}
	old := time.Now().Add(-time.Hour)
	for i := range files {
		b := &strings.Builder{}
		fmt.Fprintf(b, "# %s\n\n%s\n", words(2), words(10+rng.IntN(60)))
		for range 1 + rng.IntN(sections) {
			fmt.Fprintf(b, "\n## %s\n\n%s.\n\n```go\nfunc %s() { %s }\n```\n", words(3), words(20+rng.IntN(200)), words(1), words(5))
			fmt.Fprintf(b, "\nSee [it](%d.md#%s) and [[%s]].\n", rng.IntN(files), words(1), words(2))
		}
		name := filepath.Join(c.Dir, fmt.Sprintf("%d.md", i))
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// made is what a build with so many workers makes of a corpus.
func made(t *testing.T, c *corpus.Corpus, e *embedding.Maker, workers int) string {
	t.Helper()
	p, err := c.ChunkPolicy()
	if err != nil {
		t.Fatal(err)
	}
	files, err := c.OpenFiles()
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	b := newBuilder(p, e, workers)
	if _, err := files.Walk(t.Context(), b.add); err != nil {
		t.Fatal(err)
	}
	parts, err := b.finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, p := range parts {
		all += p.Name + ":" + string(p.Data)
	}
	return all
}

// One worker and many make the same bytes.
func TestBuildIsDeterministic(t *testing.T) {
	c := documents(t, 50, 5)
	first := made(t, c, nil, 1)
	for _, workers := range []int{2, 7} {
		if made(t, c, nil, workers) != first {
			t.Errorf("%d workers make other bytes than one", workers)
		}
	}
}

// The same with vectors, by a table that is adapted to the documents.
func TestVectorsAreDeterministic(t *testing.T) {
	c := documents(t, 40, 20)
	first := ""
	for _, workers := range []int{1, 2, 7} {
		_, e, err := c.Choice.Resolve(embedding.Record{}, false, t.Logf)
		if err != nil || e == nil {
			t.Fatalf("no vectors: %v", err)
		}
		all := made(t, c, e, workers)
		if first == "" {
			first = all
		} else if all != first {
			t.Errorf("%d workers make other bytes than one", workers)
		}
	}
	if !strings.Contains(first, "model.delta:") {
		t.Error("there are no vectors by an adapted table")
	}
}

// A build in batches makes segments that, merged, are the bytes of a build at once.
func TestBatchesAreTheWhole(t *testing.T) {
	c := documents(t, 40, 20)
	p, err := c.ChunkPolicy()
	if err != nil {
		t.Fatal(err)
	}
	files, err := c.OpenFiles()
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	build := func(limit int64) [][]segment.Part {
		_, e, err := c.Choice.Resolve(embedding.Record{}, false, t.Logf)
		if err != nil {
			t.Fatal(err)
		}
		scratch, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = scratch.Close() })
		a := &assembly{file: scratch, limit: limit, new: func() *builder { return newBuilder(p, e, 2) }, embed: e}
		out, _, err := a.all(t.Context(), files, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	whole := build(maxBatch)
	var segs []*snapshot.Segment
	for _, parts := range build(100 << 10) {
		var raw bytes.Buffer
		if _, err := segment.Write(&raw, parts); err != nil {
			t.Fatal(err)
		}
		f, err := segment.FromBytes(raw.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		s, err := snapshot.OpenSegment(f)
		if err != nil {
			t.Fatal(err)
		}
		segs = append(segs, s)
	}
	if len(whole) != 1 || len(segs) < 3 {
		t.Fatalf("%d segments at once, %d in batches", len(whole), len(segs))
	}
	merged, err := MergeSegments(segs, make([][]int, len(segs)))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range whole[0] {
		if i >= len(merged) || merged[i].Name != p.Name || !bytes.Equal(merged[i].Data, p.Data) {
			t.Errorf("part %s is another when it is merged of batches", p.Name)
		}
	}
}
