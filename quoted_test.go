package docent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two hundred short texts have the words of the phrase, which makes them better
// answers by words than the long one in which they stand side by side. That was
// once the end of it: only the first eighty were looked at.
func TestPhraseIsFoundHoweverFarDown(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		write(fmt.Sprintf("%03d.md", i), "# First\n\nThe first and the second method.\n")
	}
	write("long.md", "# Long\n\nIt must first be locked. "+strings.Repeat("Nothing else is said here about what to do.\n\n", 40)+"\n")
	write("be.md", "# Be\n\nTo be or not to be.\n")
	ctx := context.Background()
	lib, err := OpenDir(ctx, dir, filepath.Join(t.TempDir(), "index"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	for i := range 200 {
		write(fmt.Sprintf("%03d.md", i), "# First\n\nThe first, to be short. Be first!\n")
	}
	next, err := lib.Refresh(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if next != lib {
		defer next.Close()
	}
	for _, q := range []Query{
		{Text: `"first be"`},
		{Text: `"first be"`, Mode: Lexical},
		{Text: `"first be" short`},
		{Text: `"first be"`, Budget: 500},
	} {
		a, err := next.Search(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Hits) != 1 || a.Hits[0].File != "long.md" {
			t.Errorf("%+v: %d hits, %+v", q, len(a.Hits), a.Miss)
		}
	}
	a, err := next.Search(ctx, Query{Text: `"be locked first"`})
	if err != nil || len(a.Hits) != 0 || len(a.Miss.Partial) != maxPartial {
		t.Errorf("a phrase that stands nowhere: %+v, %v", a, err)
	}
	u := &Union{libs: []*Library{next}, names: []string{"docs"}}
	if err := u.join(); err != nil {
		t.Fatal(err)
	}
	a, err = u.Search(ctx, Query{Text: `"first be"`})
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Ref != "docs:long.md#long:1-83" {
		t.Errorf("from a named index: %d hits, %v", len(a.Hits), err)
	}
	a, err = u.Search(ctx, Query{Text: `"be locked first"`})
	if err != nil || len(a.Hits) != 0 || len(a.Miss.Partial) != maxPartial || !strings.HasPrefix(a.Miss.Partial[0].Ref, "docs:") {
		t.Errorf("a phrase that stands nowhere in a named index: %+v, %v", a, err)
	}
}

// The same of a database, where as many as are worth it are looked at.
func TestPhraseIsFoundInADatabase(t *testing.T) {
	ctx := context.Background()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "docs.db")
	for i := range 500 {
		text := "# First\n\nThe first, to be short. Be first!\n"
		if i == 400 {
			text = "# Long\n\nIt must first be locked. " + strings.Repeat("Nothing else is said here. ", 60) + "\n"
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := IndexDB(ctx, file, nil, StoreOptions{Root: dir, Options: Options{Embed: noModel}}); err != nil {
		t.Fatal(err)
	}
	lib, err := OpenDB(ctx, file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	a, err := lib.Search(ctx, Query{Text: `"first be"`})
	if err != nil || len(a.Hits) != 1 || a.Hits[0].File != "400.md" {
		t.Errorf("%+v, %v", a.Miss, err)
	}
}
