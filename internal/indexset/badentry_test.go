package indexset_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/indexset"
	"github.com/docent-md/docent/internal/library/refresh"
)

// One entry that could not be used made all indexes of a set unusable, and nothing but an
// editor could remove it. The others work, the bad ones are named, and go when they are
// told to, without anything their names lead to.
func TestBadEntries(t *testing.T) {
	var said []string
	s := serve(t, indexset.Options{Options: refresh.Options{Note: func(line string) { said = append(said, line) }}})
	file := filepath.Join(s.dir, ".docent", "indexes", "indexes.json")
	precious := filepath.Join(s.dir, "x", "precious")
	s.write("x/precious", "keep me")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		t.Fatal(err)
	}
	entries = append(entries,
		json.RawMessage(`{"name": "../../x", "root": "x"}`),
		json.RawMessage(`{"name": "far", "root": "api", "centroid": [1e308]}`),
		json.RawMessage(`7`))
	if raw, err = json.Marshal(entries); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}

	names := func() []string {
		t.Helper()
		all, err := s.List()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, n := range all {
			out = append(out, n.Name)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"api"}) {
		t.Fatalf("indexes %v", got)
	}
	if a, err := s.Search(t.Context(), "all", answer.Query{Text: "token"}, nil); err != nil || len(a.Hits) != 1 {
		t.Errorf("a search of all: %v, %v", a, err)
	}
	for i, want := range []string{"docent indexes rm '../../x' removes it", "docent indexes rm far removes it", "docent indexes rm '#4' removes it"} {
		if len(said) != 3 || !strings.Contains(said[i], want) {
			t.Errorf("said %q, want %q", said, want)
		}
	}
	if _, err := s.Named("far"); err == nil || !strings.Contains(err.Error(), "docent index --name far <folder> makes it again") {
		t.Errorf("far: %v", err)
	}

	// A change of the list loses none of them; making one again, or removing it, does.
	s.make("other", "api")
	s.make("far", "api")
	if got := names(); !slices.Equal(got, []string{"api", "far", "other"}) {
		t.Errorf("indexes %v", got)
	}
	for _, bad := range []string{"../../x", "#4"} {
		if err := s.Remove(t.Context(), bad); err != nil {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if raw, err = os.ReadFile(file); err != nil || json.Unmarshal(raw, &entries) != nil || len(entries) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}

// A description is a line. A list that came with a clone held one of 100,000 characters,
// which every agent was shown.
func TestLongDescription(t *testing.T) {
	s := serve(t, indexset.Options{})
	long := strings.Repeat("ü", 501)
	if _, err := s.Make(t.Context(), "api", long, "", indexset.MakeOptions{}); err == nil || !strings.Contains(err.Error(), "501 characters: a line of 500 at most") {
		t.Errorf("error %v", err)
	}
	if _, err := s.Make(t.Context(), "api", long[2:], "", indexset.MakeOptions{}); err != nil {
		t.Error(err)
	}
	s.write(".docent/indexes/indexes.json", `[{"name": "api", "root": "api", "description": "`+strings.Repeat("ü", 100_000)+`"}]`)
	n, err := s.Find("api")
	if err != nil || len([]rune(n.Description)) != 500 || !strings.HasSuffix(n.Description, "ü…") {
		t.Errorf("%d characters, %v", len([]rune(n.Description)), err)
	}
}
