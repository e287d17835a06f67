package embed_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/google/go-cmp/cmp"
)

func parsePages(fsys fs.FS) ([]embed.Page, error) {
	var out []embed.Page
	for p, err := range embed.Pages(fsys, markdown.Parse, markdown.AppendText) {
		if err != nil {
			return out, err
		}
		out = append(out, p)
	}
	return out, nil
}

func TestPages(t *testing.T) {
	const keys = "---\ntitle: Keys\ndescription: All about keys\n---\nThey *sign* tokens.\n\n## Rotate\n\nRun `rotate`.\n\n### Often\n\nMonthly.\n"
	got, err := parsePages(fstest.MapFS{
		"b/x.md":      {Data: []byte("# X\n\nText.\n")},
		"a-b/keys.md": {Data: []byte(keys)},
		"a/z.md":      {Data: []byte("Only text.\n")},
		"a/z.txt":     {Data: []byte("no Markdown")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []embed.Page{
		{Source: "a-b", Title: "Keys", Description: "All about keys", Sections: []embed.Section{
			{Title: "Keys", Parent: -1, Body: "They sign tokens.\n"},
			{Title: "Rotate", Parent: 0, Body: "Run rotate.\n"},
			{Title: "Often", Parent: 1, Body: "Monthly.\n"},
		}},
		{Source: "a", Title: "z", Sections: []embed.Section{{Title: "z", Parent: -1, Body: "Only text.\n"}}},
		{Source: "b", Title: "X", Sections: []embed.Section{{Title: "X", Parent: -1, Body: "Text.\n"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestPagesReportsReading(t *testing.T) {
	if _, err := parsePages(os.DirFS(filepath.Join(t.TempDir(), "missing"))); err == nil {
		t.Error("a folder that is not there has pages")
	}
}

// The same folder gives the same table, byte for byte.
func TestTrainBase(t *testing.T) {
	docs := fstest.MapFS{}
	for i := range 60 {
		text := fmt.Sprintf("# Topic%d\n\nThis page is about topic%d and the word%d that goes with it.\n\n"+
			"## Details%d\n\nDetails%d follow. They are told in word%d and word%d. Nothing else is said of them here.\n", i, i, i%7, i%5, i, i%7, i%11)
		docs[fmt.Sprintf("source%d/page%d.md", i%3, i)] = &fstest.MapFile{Data: []byte(text)}
	}
	o := embed.BaseOptions{Words: 40, Buckets: 16}
	make := func() *embed.Table {
		table, err := embed.TrainBase(context.Background(), embed.Pages(docs, markdown.Parse, markdown.AppendText), o)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	a, b := make(), make()
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two runs differ")
	}
	if a.Rows() != 56 || a.Verify() != nil {
		t.Errorf("%d rows, %v", a.Rows(), a.Verify())
	}
	o.Seed = 2
	if bytes.Equal(a.Bytes(), make().Bytes()) {
		t.Error("the seed changes nothing")
	}
}

func TestTrainBaseOnNothing(t *testing.T) {
	_, err := embed.TrainBase(context.Background(), embed.Pages(fstest.MapFS{}, markdown.Parse, markdown.AppendText), embed.BaseOptions{})
	if err != embed.ErrNoPairs {
		t.Error(err)
	}
}
