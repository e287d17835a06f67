package docent_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/eval"
)

// The index that holds the answer is on the shortlist of a question to all of them.
func TestShortlist(t *testing.T) {
	shared := os.Getenv("DOCENT_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "shared")
	}
	sets, _ := filepath.Glob(filepath.Join(shared, "eval", "*", "qrels.tsv"))
	if len(sets) == 0 || testing.Short() {
		t.Skip("no test sets in the folder shared beside the checkout, or -short")
	}
	ctx, dir := context.Background(), t.TempDir()
	cat := docent.UserCatalogue(filepath.Join(dir, "indexes"))
	type question struct{ text, index string }
	var questions []question
	make := func(name, root string) {
		t.Helper()
		if _, err := cat.IndexDirectory(ctx, name, "", root, docent.NamedOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, qrels := range sets {
		set, err := eval.Load(filepath.Dir(qrels))
		if err != nil {
			t.Fatal(err)
		}
		root := filepath.Join(dir, set.Name)
		if err := set.WriteFiles(root); err != nil {
			t.Fatal(err)
		}
		make(set.Name, root)
		const each = 15
		for i := range each {
			questions = append(questions, question{set.Queries[i*len(set.Queries)/each].Text, set.Name})
		}
	}
	root := filepath.Join(dir, "corpora")
	for _, c := range []string{"obsidian-help", "pydantic", "mdn-reference"} {
		if err := untar(filepath.Join(shared, "corpora", c+".tar.gz"), root); err != nil {
			t.Fatal(err)
		}
	}
	make("obsidian", filepath.Join(root, "obsidian-help"))
	make("pydantic", filepath.Join(root, "pydantic"))
	for _, part := range []string{"css", "html", "javascript", "svg"} {
		make("mdn-"+part, filepath.Join(root, "mdn-reference", part))
	}
	all, err := cat.List()
	if err != nil || len(all) < 12 {
		t.Fatalf("%d indexes, %v", len(all), err)
	}
	missed := 0
	for _, q := range questions {
		u, err := cat.Union(ctx, docent.All, docent.Options{NoRefresh: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := cat.Shortlist(u, q.text); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(u.Names(), q.index) {
			missed++
			t.Logf("%q of %s: shortlist %v", q.text, q.index, u.Names())
		}
		_ = u.Close()
	}
	t.Logf("%d of %d questions had their index on the shortlist, of %d indexes", len(questions)-missed, len(questions), len(all))
	if missed*50 > len(questions) {
		t.Errorf("%d of %d questions missed their index: more than two in a hundred", missed, len(questions))
	}
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
