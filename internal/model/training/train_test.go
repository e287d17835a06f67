package training_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/model/training"
)

// The rows of a trained model stay whole through changes and merges.
func TestTrainedModelSurvivesChanges(t *testing.T) {
	docs, model := t.TempDir(), t.TempDir()
	write := func(i int, text string) {
		t.Helper()
		name := filepath.Join(docs, fmt.Sprintf("%d.md", i))
		if err := os.WriteFile(name, []byte(fmt.Sprintf("# Page %d\n\n%s\n", i, text)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 30 {
		write(i, "Jobs wait in the queue until a worker is free.")
	}
	lines := `{"query": "get rid of a key", "positive": "Revoking ends a key for good."}
{"query": "slow queue", "positive": "Jobs wait until a worker is free."}
`
	if _, err := training.Train(t.Context(), strings.NewReader(lines), model, training.TrainOptions{}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(model, embedding.DeltaFile))
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Find(docs)
	if err != nil {
		t.Fatal(err)
	}
	c.IndexDir = filepath.Join(t.TempDir(), "index")
	live, err := refresh.OpenCorpus(t.Context(), c, refresh.Options{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	_ = live.Close()
	write(7, "Revoking ends a key for good.")
	if live, err = refresh.OpenCorpus(t.Context(), c, refresh.Options{}); err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	parts := merged(t, live)
	for _, p := range parts {
		if p.Name == "model.delta" && bytes.Equal(p.Data, want) {
			return
		}
	}
	t.Error("the merged index has other rows than the model")
}

// merged are the segments of an index, of which there must be several, as one.
func merged(t *testing.T, live *refresh.Live) []segment.Part {
	t.Helper()
	snap, release, err := live.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	v, err := snap.View(t.Context(), snapshot.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Segments) < 2 {
		t.Fatalf("%d segments", len(v.Segments))
	}
	parts, err := build.MergeSegments(v.Segments, snapshot.DeadRows(v.Segments))
	if err != nil {
		t.Fatal(err)
	}
	return parts
}
