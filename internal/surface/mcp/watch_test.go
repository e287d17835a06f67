package mcp

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/library/refresh"
)

// The real thing: a new file is found without anyone asking for a comparison.
func TestServerFollowsItsWatch(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	write(t, dir, "a.md", "# Alpha\n\nText about alpha.\n")
	var told atomic.Int32
	watch := func(ctx context.Context, changed func()) error {
		return refresh.Watch(ctx, dir, refresh.WatchOptions{Debounce: 10 * time.Millisecond}, func() {
			changed()
			told.Add(1)
		})
	}
	cs := dial(t, newServer(t, openDisk(t, dir, docent.Options{Background: &docent.Background{Interval: time.Hour, Watch: watch}})))
	for told.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	write(t, dir, "b.md", "# Beta\n\nA file about beta.\n")
	soon(t, func() string {
		if text, _ := call(t, cs, "toc", object{}); !strings.Contains(text, "b.md") {
			return text
		}
		return ""
	})
}

// Named indexes are watched from the start, and refreshed when their files change.
func TestNamedIndexesAreWatched(t *testing.T) {
	dir := writeProject(t)
	o := openProject(t, dir, docent.Background{Interval: time.Hour}, true)
	if _, err := o.Indexes.Make(t.Context(), "api", "", filepath.Join(dir, "api"), docent.MakeOptions{}); err != nil {
		t.Fatal(err)
	}
	o.Indexes.OpenAll(t.Context()) // before anything is asked
	cs := dial(t, newServer(t, o))
	if text, failed := call(t, cs, "toc", object{"ref": "api:"}); failed {
		t.Fatal(text)
	}
	write(t, dir, "api/new.md", "# New\n\nA file about zebras.\n")
	soon(t, func() string {
		if text, _ := call(t, cs, "toc", object{"ref": "api:"}); !strings.Contains(text, "api:new.md") {
			return text
		}
		return ""
	})
}
