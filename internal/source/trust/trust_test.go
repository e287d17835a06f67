package trust

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// On Windows the advice named variables that it does not read.
func TestVariablesOfEachSystem(t *testing.T) {
	for system, want := range map[string]string{"windows": "%AppData%", "darwin": "HOME", "linux": "XDG_CONFIG_HOME or HOME"} {
		if got := variables(system); got != want {
			t.Errorf("%s: %s, want %s", system, got, want)
		}
	}
}

func TestApprovals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	s := In(dir)
	h := Hash("sources", "https://docs.example/llms.txt")
	if s.Approved(h) {
		t.Error("approved before anyone said so")
	}
	if err := s.Approve(h, "https://docs.example/llms.txt"); err != nil {
		t.Fatal(err)
	}
	if !s.Approved(h) || !In(dir).Approved(h) {
		t.Error("not remembered")
	}
	if s.Approved(Hash("sources", "https://docs.example/llms.txt", "https://evil.example/llms.txt")) {
		t.Error("one place more is approved with it")
	}
	if s.Approved(Hash("embedder", "https://docs.example/llms.txt")) {
		t.Error("another use of the same place is approved with it")
	}
}

func TestOnlyHashesNameApprovals(t *testing.T) {
	dir := t.TempDir()
	s := In(filepath.Join(dir, "approved"))
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := Hash("sources", "x")
	for _, bad := range []string{"", ".", "..", "../file", "/etc/passwd", h[:10], h + "00", "Z" + h[1:], "A" + h[1:]} {
		if s.Approved(bad) {
			t.Errorf("%q is approved", bad)
		}
		if s.Approve(bad) == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	// A link or folder of that name is not an approval.
	if err := os.MkdirAll(filepath.Join(dir, "approved", h), 0o700); err != nil {
		t.Fatal(err)
	}
	if s.Approved(h) {
		t.Error("a folder is taken for an approval")
	}
}

// What failed leaves no approval, unless it was there before.
func TestApproveWith(t *testing.T) {
	s, h := In(t.TempDir()), Hash("sources", "https://example.com")
	failed := errors.New("failed")
	for _, step := range []struct {
		err  error
		want bool
	}{{failed, false}, {nil, true}, {failed, true}} {
		err := s.ApproveWith(h, "x", func() error {
			if !s.Approved(h) {
				t.Error("not approved meanwhile")
			}
			return step.err
		})
		if !errors.Is(err, step.err) || s.Approved(h) != step.want {
			t.Errorf("%v: %v, approved %v", step.err, err, s.Approved(h))
		}
	}
}

func TestManyApproveAtOnce(t *testing.T) {
	s := In(t.TempDir())
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			if err := s.Approve(Hash("sources", string(rune('a'+i%16))), "x"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 16 {
		if !s.Approved(Hash("sources", string(rune('a'+i)))) {
			t.Errorf("%d was lost", i)
		}
	}
}

// Order and repetition do not matter; everything else does. No cutting of the
// places into other pieces gives the same hash.
func TestHash(t *testing.T) {
	if Hash("k", "a", "b") != Hash("k", "b", "a", "b") {
		t.Error("order or repetition matters")
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\x00:1")), 1, 12, -1).Draw(t, "text")
		i := rapid.IntRange(1, len(text)).Draw(t, "cut")
		if i < len(text) && Hash("k", text) == Hash("k", text[:i], text[i:]) {
			t.Fatalf("%q cut at %d", text, i)
		}
		if Hash("k", text) == Hash("k"+text[:1], text[1:]) {
			t.Fatalf("%q moved into the kind", text)
		}
	})
}
