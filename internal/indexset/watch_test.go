package indexset_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/indexset"
	"github.com/docent-md/docent/internal/library/refresh"
)

// A named index is told of changes in its own folder.
func TestWatchOfANamedIndex(t *testing.T) {
	docs := filepath.Join(t.TempDir(), "docs")
	if err := os.Mkdir(docs, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(docs, name), []byte("# "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md")
	set, err := indexset.OfProject(filepath.Dir(docs), indexset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if _, err := set.Make(t.Context(), "docs", "", docs, indexset.MakeOptions{}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	told, done := make(chan struct{}, 100), make(chan error, 1)
	go func() {
		done <- set.Watch(ctx, "docs", refresh.WatchOptions{Debounce: 20 * time.Millisecond}, func() { told <- struct{}{} })
	}()
	<-told // at the start
	write("b.md")
	<-told
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := set.Watch(t.Context(), "nope", refresh.WatchOptions{}, func() {}); !errors.Is(err, indexset.ErrNoIndex) {
		t.Errorf("of no such index: %v", err)
	}
}
