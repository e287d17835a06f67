package chunk_test

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/needs"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/token"
)

// The promises hold for what people write, in English and in Chinese.
func TestRealDocumentation(t *testing.T) {
	for _, name := range []string{"pydantic.tar.gz", "k8s-zh-cn.tar.gz"} {
		chunks, small := 0, 0
		for _, d := range corpus(t, name) {
			p := chunk.Policy{Depth: 3, Min: 100, Max: 800, Count: token.O200k().Count}
			out := chunk.Split(d, p)
			checkSections(t, d, p, out)
			chunks += len(out)
			for _, c := range out {
				if c.Tokens < p.Min {
					small++
				}
			}
			p = chunk.Policy{Window: true, Count: p.Count}
			windows := chunk.Split(d, p)
			checkWindows(t, d, p, windows)
			for i, c := range windows {
				// One in ten had less, down to 2 tokens.
				if c.Tokens < 64 && len(windows) > 1 {
					t.Errorf("%s: window %d of %d has %d tokens", d.Path, i+1, len(windows), c.Tokens)
				}
			}
		}
		t.Logf("%s: %d chunks, %d of them under 100 tokens", name, chunks, small)
		if small > chunks/10 {
			t.Errorf("%s: %d of %d chunks are under 100 tokens", name, small, chunks)
		}
	}
}

// corpus reads the Markdown files of an archive in the shared folder that lies
// beside the checkout.
func corpus(t *testing.T, name string) []doc.Document {
	t.Helper()
	f, err := os.Open(needs.Shared(t, "corpora", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []doc.Document
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || !doc.IsMarkdown(h.Name) {
			continue
		}
		src, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, markdown.Parse(h.Name, src))
	}
}
