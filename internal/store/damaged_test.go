package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/store"
	"github.com/docent-md/docent/internal/store/sqlite"
)

// A damaged database was refused by everything, --full among it, and nothing said what to
// do. The message names the way out, and --full takes it without deleting anything.
func TestDamagedDatabase(t *testing.T) {
	const docs = "../../examples/harbour"
	var said []string
	index := func(file string, full bool) error {
		said = nil
		o := store.Options{Root: docs, Full: full, Options: refresh.Options{Embed: "none", Note: func(s string) { said = append(said, s) }}}
		_, err := store.IndexDB(t.Context(), file, []string{docs}, o)
		return err
	}
	whole := filepath.Join(t.TempDir(), "whole.db")
	if err := index(whole, false); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	garbage := bytes.Repeat([]byte{0xa5}, 4096)
	for name, damage := range map[string]func([]byte) []byte{
		"its first bytes are gone": func(b []byte) []byte { return append(make([]byte, 100), b[100:]...) },
		"it is cut short":          func(b []byte) []byte { return b[:len(b)/3] },
		"its last page is garbage": func(b []byte) []byte { copy(b[len(b)-4096:], garbage); return b },
		"its pages are garbage": func(b []byte) []byte {
			for at := 5 * 4096; at < len(b); at += 4096 {
				copy(b[at:], garbage)
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.db")
			bad := damage(bytes.Clone(raw))
			if err := os.WriteFile(file, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := index(file, false); err != nil && (!errors.Is(err, sqlite.ErrDamaged) || !strings.Contains(err.Error(), "--full")) {
				t.Fatalf("without --full: %v", err)
			}
			for _, aside := range []string{file + ".damaged", file + ".damaged-2"} {
				if err := os.WriteFile(file, bad, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := index(file, true); err != nil {
					t.Fatal(err)
				}
				if kept, err := os.ReadFile(aside); err != nil || !bytes.Equal(kept, bad) {
					t.Errorf("%s: not what was damaged (%v)", aside, err)
				}
				if len(said) != 1 || !strings.HasSuffix(said[0], "it is now "+aside) {
					t.Errorf("said %q", said)
				}
			}
			d, err := store.OpenDB(t.Context(), file, refresh.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if s, err := d.Stats(t.Context()); err != nil || s.Files == 0 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
	t.Run("what is not ours stays", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "notes.txt")
		if err := os.WriteFile(file, []byte("my notes"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := index(file, true); !errors.Is(err, sqlite.ErrForeign) {
			t.Errorf("error %v", err)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "my notes" {
			t.Errorf("%q, %v", text, err)
		}
	})
}
