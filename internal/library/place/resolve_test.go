package place_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// harbour is a view of the example documents.
func harbour(t testing.TB) *snapshot.View {
	t.Helper()
	live, err := refresh.FromFS(t.Context(), os.DirFS(filepath.Join("..", "..", "..", "examples", "harbour")))
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

// All the ways to name a section lead to the same lines.
func TestWaysToNameASection(t *testing.T) {
	v := harbour(t)
	want, err := place.Resolve(v, "reference/http-api.md#52-rotate-a-key")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{
		"reference/http-api.md::5.2 Rotate a key", "reference/http-api.md#5.2 rotate a key", "reference/http-api.md::5.2",
		"./reference/http-api.md#52-Rotate-a-key", "/reference/http-api.md#52-rotate-a-key",
		fmt.Sprintf("reference/http-api.md:%d-%d", want.Lines.Start, want.Lines.End),
		fmt.Sprintf("reference/http-api.md#L%d-L%d", want.Lines.Start, want.Lines.End),
	} {
		got, err := place.Resolve(v, ref)
		if err != nil || got.Lines != want.Lines {
			t.Errorf("%s: %v, %v; want %v", ref, got.Lines, err, want.Lines)
		}
	}
}

// Whatever is given as a Ref, resolving it gives a place or an error.
func FuzzResolve(f *testing.F) {
	v := harbour(f)
	for _, s := range []string{"guide/keys.md#rotate-a-key:code-1", "guide/keys.md:3-9@abcdef", "faq.md::x::2", "a#b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := place.Resolve(v, s)
		if err == nil && (p.Lines.Start < 1 || p.Path == "") {
			t.Fatalf("Resolve(%q) = %+v", s, p)
		}
	})
}
