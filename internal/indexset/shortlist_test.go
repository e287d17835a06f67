package indexset

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/needs"
)

// The index that holds the answer is on the shortlist of a question to all of them.
func TestShortlist(t *testing.T) {
	if testing.Short() {
		t.Skip("a dozen corpora: not in short runs")
	}
	shared := needs.Shared(t, "eval")
	sets, err := filepath.Glob(filepath.Join(shared, "*", "qrels.tsv"))
	if err != nil || len(sets) == 0 {
		t.Fatalf("no test sets in %s: %v", shared, err)
	}
	dir := t.TempDir()
	set := OfUser(filepath.Join(dir, "indexes"), Options{Options: refresh.Options{NoRefresh: true}})
	defer set.Close()
	type question struct {
		text, index string
		people      bool // in people's own words
	}
	var questions []question
	add := func(name, root string) {
		t.Helper()
		if _, err := set.Make(t.Context(), name, "", root, MakeOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, qrels := range sets {
		e, err := eval.Load(filepath.Dir(qrels))
		if err != nil {
			t.Fatal(err)
		}
		root := filepath.Join(dir, e.Name)
		if err := e.WriteFiles(root); err != nil {
			t.Fatal(err)
		}
		add(e.Name, root)
		const each = 15
		for i := range each {
			questions = append(questions, question{e.Queries[i*len(e.Queries)/each].Text, e.Name, false})
		}
	}
	// Of people's own questions, five of thirty once missed their index.
	for _, name := range []string{"k8s", "rust", "vue"} {
		e, err := eval.Load(needs.Shared(t, "eval-people", "people-"+name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 30 {
			questions = append(questions, question{e.Queries[i*len(e.Queries)/30].Text, name, true})
		}
	}
	root := filepath.Join(dir, "corpora")
	for _, c := range []string{"obsidian-help", "pydantic", "mdn-reference"} {
		if err := untar(needs.Shared(t, "corpora", c+".tar.gz"), root); err != nil {
			t.Fatal(err)
		}
	}
	add("obsidian", filepath.Join(root, "obsidian-help"))
	add("pydantic", filepath.Join(root, "pydantic"))
	for _, part := range []string{"css", "html", "javascript", "svg"} {
		add("mdn-"+part, filepath.Join(root, "mdn-reference", part))
	}
	all, err := set.resolve(All)
	if err != nil || len(all) < 12 {
		t.Fatalf("%d indexes, %v", len(all), err)
	}
	asked, missed := map[bool]int{}, map[bool]int{}
	for _, q := range questions {
		asked[q.people]++
		if names := shortlisted(t, set, q.text); !slices.Contains(names, q.index) {
			missed[q.people]++
			t.Logf("%q of %s: shortlist %v", q.text, q.index, names)
		}
	}
	for people, most := range map[bool]int{false: 2, true: 7} { // in a hundred
		if t.Logf("people's own %v: %d of %d missed their index, of %d", people, missed[people], asked[people], len(all)); 100*missed[people] > most*asked[people] {
			t.Errorf("people's own %v: %d of %d missed their index, more than %d in a hundred", people, missed[people], asked[people], most)
		}
	}
}

// shortlisted names the indexes that a question to all of them is put to.
func shortlisted(t *testing.T, s *Set, question string) []string {
	t.Helper()
	all, err := s.resolve(All)
	if err != nil {
		t.Fatal(err)
	}
	u := &union{set: s, refs: all, q: question, all: true}
	snap, release, err := u.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	var names []string
	for _, m := range snap.(*openUnion).members {
		names = append(names, m.name)
	}
	if len(names) > maxShortlist {
		t.Errorf("%q: a shortlist of %d", question, len(names))
	}
	return names
}

// untar unpacks the Markdown of an archive that is ours.
func untar(file, dir string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg || !strings.HasSuffix(h.Name, ".md") || strings.Contains(h.Name, "/api/") {
			continue
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("%s leads out", h.Name)
		}
		name := filepath.Join(dir, h.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
}
