package docent_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// The first question to a large folder used to wait for vectors, two thirds of its time.
func TestFirstQuestionGoesByWords(t *testing.T) {
	large, small := t.TempDir(), t.TempDir()
	for i := range 450 {
		text := fmt.Sprintf("# Pier %d\n\nShips of the line %d moor here, and the crane lifts their freight.\n", i, i*7)
		writeFile(t, filepath.Join(large, fmt.Sprintf("%03d.md", i)), text)
		if i < 10 {
			writeFile(t, filepath.Join(small, fmt.Sprintf("%03d.md", i)), text)
		}
	}
	const byWords = "searched by words only: the index is new"
	asked := func(dir, index string, q docent.Query) string {
		t.Helper()
		lib, err := docent.OpenDir(t.Context(), dir, index, docent.Options{WordsFirst: true})
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		a, err := lib.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Hits) == 0 {
			t.Errorf("%v: no hits", q)
		}
		return a.Note
	}
	q := docent.Query{Text: "crane", Limit: 1}
	index := filepath.Join(t.TempDir(), "index")
	if note := asked(large, index, q); !strings.HasPrefix(note, byWords) {
		t.Errorf("the first question: %q", note)
	}
	if note := asked(large, index, q); note != "" {
		t.Errorf("the second question: %q", note)
	}
	if note := asked(large, filepath.Join(t.TempDir(), "index"), docent.Query{Text: "crane", Limit: 1, Mode: answer.Hybrid}); note != "" {
		t.Errorf("by meaning, when asked for: %q", note)
	}
	if note := asked(small, filepath.Join(t.TempDir(), "index"), q); note != "" {
		t.Errorf("a small folder: %q", note)
	}

	t.Run("server", func(t *testing.T) {
		lib, err := docent.OpenDir(t.Context(), large, filepath.Join(t.TempDir(), "index"),
			docent.Options{Background: &docent.Background{RefreshWait: time.Millisecond}})
		lib = opened(t, lib, err)
		for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			a, err := lib.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if a.Note == "" {
				return
			}
			if !strings.HasPrefix(a.Note, byWords) {
				t.Fatalf("note %q", a.Note)
			}
			if time.Since(begun) > time.Minute {
				t.Fatal("no vectors after a minute")
			}
		}
	})
}
