package docent_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/store"
)

// Two hundred short texts have the words of the phrase, which makes them better
// answers by words than the long one in which they stand side by side. That was
// once the end of it: only the first eighty were looked at.
func TestPhraseIsFoundHoweverFarDown(t *testing.T) {
	s := newSet(t, nil, docent.Options{})
	write := func(name, text string) {
		t.Helper()
		writeFile(t, filepath.Join(s.dir, "docs", name), text)
	}
	for i := range 200 {
		write(fmt.Sprintf("%03d.md", i), "# First\n\nThe first and the second method.\n")
	}
	write("long.md", "# Long\n\nIt must first be locked. "+strings.Repeat("Nothing else is said here about what to do.\n\n", 40)+"\n")
	write("be.md", "# Be\n\nTo be or not to be.\n")
	lib := openIn(t, filepath.Join(s.dir, "docs"))
	s.make("docs", "docs", docent.MakeOptions{})
	for i := range 200 {
		write(fmt.Sprintf("%03d.md", i), "# First\n\nThe first, to be short. Be first!\n")
	}
	if err := lib.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, q := range []answer.Query{
		{Text: `"first be"`},
		{Text: `"first be"`, Mode: answer.Lexical},
		{Text: `"first be" short`, Exact: true},
		{Text: `"first be"`, Budget: 500},
	} {
		if a := ask(t, lib, q); len(a.Hits) != 1 || a.Hits[0].File != "long.md" {
			t.Errorf("%+v: %d hits, %+v", q, len(a.Hits), a.Miss)
		}
	}
	if a := ask(t, lib, answer.Query{Text: `"be locked first"`}); len(a.Hits) != 0 || len(a.Miss.Partial) != 3 {
		t.Errorf("a phrase that stands nowhere: %+v", a)
	}
	a, err := s.Search(t.Context(), "docs", answer.Query{Text: `"first be"`})
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Ref != "docs:long.md#long:1-83" {
		t.Errorf("from a named index: %v, %v", a, err)
	}
	a, err = s.Search(t.Context(), "docs", answer.Query{Text: `"be locked first"`})
	if err != nil || len(a.Hits) != 0 || len(a.Miss.Partial) != 3 || !strings.HasPrefix(a.Miss.Partial[0].Ref, "docs:") {
		t.Errorf("a phrase that stands nowhere in a named index: %+v, %v", a, err)
	}
}

// The same of a database, where as many as are worth it are looked at.
func TestPhraseIsFoundInADatabase(t *testing.T) {
	ctx := t.Context()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "docs.db")
	for i := range 500 {
		text := "# First\n\nThe first, to be short. Be first!\n"
		if i == 400 {
			text = "# Long\n\nIt must first be locked. " + strings.Repeat("Nothing else is said here. ", 60) + "\n"
		}
		writeFile(t, filepath.Join(dir, fmt.Sprintf("%03d.md", i)), text)
	}
	if _, err := store.IndexDB(ctx, file, nil, store.Options{Root: dir, Options: refresh.Options{Embed: "none"}}); err != nil {
		t.Fatal(err)
	}
	lib, err := docent.OpenDB(ctx, file, docent.Options{})
	opened(t, lib, err)
	if a := ask(t, lib, answer.Query{Text: `"first be"`}); len(a.Hits) != 1 || a.Hits[0].File != "400.md" {
		t.Errorf("found %v, %+v", refs(a), a.Miss)
	}
}
