package chunk_test

import (
	"archive/tar"
	"bytes"
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
	for _, name := range []string{"pydantic.tar.gz", "k8s-zh-cn.tar.gz", "obsidian-help.tar.gz", "mdn-reference.tar.gz"} {
		chunks, small, parted := 0, 0, 0
		for _, d := range corpus(t, name) {
			p := chunk.Policy{Depth: 3, Min: 100, Max: 800, Count: token.O200k().Count}
			out := chunk.Split(d, p)
			checkSections(t, d, p, out)
			chunks += len(out)
			for _, c := range out {
				if c.Tokens < p.Min {
					small++
					if len(out) > 1 {
						parted++
					}
				}
			}
			checkWhole(t, d, p, out)
			p = chunk.Policy{Window: true, Count: p.Count}
			windows := chunk.Split(d, p)
			checkWindows(t, d, p, windows)
			for i, c := range windows {
				// One in ten had less, down to 2 tokens.
				if c.Tokens < 64 && len(windows) > 1 {
					t.Errorf("%s: window %d of %d has %d tokens", d.Path, i+1, len(windows), c.Tokens)
				}
			}
			checkOverlap(t, d, p, windows)
		}
		t.Logf("%s: %d chunks, %d of them under 100 tokens, %d of those not a whole file", name, chunks, small, parted)
		if small > chunks/10 || parted > chunks/200 {
			t.Errorf("%s: of %d chunks %d are under 100 tokens, %d of those not a whole file", name, chunks, small, parted)
		}
	}
}

// checkWhole checks that no block is cut inside that fits into a chunk.
func checkWhole(t *testing.T, d doc.Document, p chunk.Policy, chunks []doc.Chunk) {
	t.Helper()
	for _, b := range d.Blocks {
		if p.Count(b.Span.Of(d.Source)) > p.Max {
			continue
		}
		for _, c := range chunks {
			if b.Span.Start < c.Span.Start && c.Span.Start < b.Span.End {
				t.Errorf("%s: the %v at byte %d is cut at line %d", d.Path, b.Kind, b.Span.Start, c.Lines.Start)
			}
		}
	}
}

// checkOverlap checks that every window repeats a fifth of a window of the one before it,
// at least half of that, or has a reason not to: it begins at a heading that no window
// crosses, or behind or inside a block that is kept whole and is too large to repeat.
func checkOverlap(t *testing.T, d doc.Document, p chunk.Policy, windows []doc.Chunk) {
	t.Helper()
	const overlap = 320 / 5
	for i := 1; i < len(windows); i++ {
		a, b := windows[i-1], windows[i]
		repeated := p.Count(d.Source[b.Span.Start:max(a.Span.End, b.Span.Start)])
		if repeated >= overlap/2-4 { // what is added up is rounded
			continue
		}
		heading := d.Sections[b.Section].Level <= 2 && d.Sections[b.Section].Span.Start == b.Span.Start
		whole := false
		for n, block := range d.Blocks {
			sp := block.Span
			switch block.Kind {
			case doc.Fence, doc.Table, doc.IndentedCode, doc.HTML, doc.FrontMatter:
			default:
				continue
			}
			if block.Parent >= 0 && block.Parent == n-1 {
				sp.Start = d.Blocks[n-1].Span.Start // the first in a note goes with the note's title
			}
			whole = whole || sp.Start < b.Span.Start && repeated+p.Count(sp.Of(d.Source)) > overlap &&
				len(bytes.TrimSpace(d.Source[min(sp.End, b.Span.Start):b.Span.Start])) == 0
		}
		if !heading && !whole {
			t.Errorf("%s: windows %v and %v share %d tokens", d.Path, a.Lines, b.Lines, repeated)
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
