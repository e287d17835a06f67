package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for in, want := range map[string]int{
		"8192": 8192, "8KB": 8000, "8kb": 8000, " 8 KB ": 8000, "8K": 8000, "8KiB": 8192, "2.5KiB": 2560, "1MB": 1e6, "1MiB": 1 << 20, "12B": 12,
	} {
		if got, err := parseSize(in); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "KB", "-8KB", "0", "8TB", "8 8KB", "1e30", "NaN", "Inf", "8BK", "0x10"} {
		if got, err := parseSize(in); err == nil {
			t.Errorf("%q is %d", in, got)
		}
	}
}

// What another program saves while we write is not lost, and nothing is left
// lying about.
func TestRewriteDoesNotOverwriteWhatItHasNotSeen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "AGENTS.md")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := rewrite(file, func([]byte) ([]byte, error) {
		return []byte("ours"), os.WriteFile(file, []byte("theirs"), 0o600)
	})
	if got, _ := os.ReadFile(file); err == nil || string(got) != "theirs" {
		t.Errorf("%v; the file holds %q", err, got)
	}
	if _, err := rewrite(file, func([]byte) ([]byte, error) { return nil, errors.New("no") }); err == nil || !strings.Contains(err.Error(), "AGENTS.md: no") {
		t.Errorf("got %v", err)
	}
	changed, err := rewrite(file, func([]byte) ([]byte, error) { return []byte("ours"), nil })
	info, statErr := os.Stat(file)
	if err != nil || !changed || statErr != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v %v %v", changed, err, info, statErr)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// JSON hides nothing from the person who looks at it, and changes nothing for a
// program.
func TestJSONIsVisible(t *testing.T) {
	out := &bytes.Buffer{}
	c := newConsole(strings.NewReader(""), out, out)
	want := "a\u202eb\u200dc\x1bd\U000e0041e\u009bf 世界 <&>"
	if err := c.json(map[string]string{"x": want}); err != nil {
		t.Fatal(err)
	}
	_ = c.out.Flush()
	if s := out.String(); strings.ContainsAny(s, "\u202e\u200d\x1b\U000e0041\u009b") || !strings.Contains(s, "世界 <&>") {
		t.Errorf("got %q", s)
	}
	var got map[string]string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got["x"] != want {
		t.Errorf("%v: %q", err, got["x"])
	}
}
