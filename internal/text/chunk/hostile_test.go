package chunk_test

import (
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/token"
)

// hostile are the shapes that make a careless splitter slow, large or wrong.
// Each is made about size bytes long.
var hostile = []struct {
	name string
	make func(size int) string
}{
	{"nothing but newlines", func(size int) string { return strings.Repeat("\n", size) }},
	{"nothing but spaces", func(size int) string { return strings.Repeat(" ", size) }},
	{"one word", func(size int) string { return strings.Repeat("a", size) }},
	{"one line of words", func(size int) string { return strings.Repeat("word ", size/5) }},
	{"one line of Chinese", func(size int) string { return strings.Repeat("轮换签名密钥", size/18) }},
	{"one line of emoji", func(size int) string { return strings.Repeat("🙂", size/4) }},
	{"bytes that are not UTF-8", func(size int) string { return strings.Repeat("\xff", size) }},
	{"short paragraphs", func(size int) string { return strings.Repeat("a\n\n", size/3) }},
	{"short lines", func(size int) string { return strings.Repeat("a\n", size/2) }},
	{"headings", func(size int) string { return strings.Repeat("# a\n", size/4) }},
	{"deep headings", func(size int) string { return strings.Repeat("###### a\n", size/9) }},
	{"headings in turn", func(size int) string { return strings.Repeat("# a\n## b\n### c\n\nd\n", size/18) }},
	{"list items", func(size int) string { return strings.Repeat("- a\n", size/4) }},
	{"nested lists", func(size int) string {
		var b strings.Builder
		for b.Len() < size {
			for depth := range 40 {
				b.WriteString(strings.Repeat("  ", depth) + "- item of a list\n")
			}
		}
		return b.String()
	}},
	{"nested quotes", func(size int) string { return strings.Repeat(strings.Repeat("> ", 100)+"a\n", size/202) }},
	{"a quote around the rest, again and again", func(size int) string {
		var b strings.Builder
		for depth := 1; depth < 60; depth++ {
			b.WriteString(strings.Repeat("> ", depth) + "a\n" + strings.Repeat("> ", depth) + "\n")
		}
		for b.Len() < size {
			b.WriteString(strings.Repeat("> ", 60) + "some words in the middle of it all\n")
		}
		return b.String()
	}},
	{"a table", func(size int) string { return "|a|b|\n|-|-|\n" + strings.Repeat("| 1 | 2 |\n", size/10) }},
	{"a wide table", func(size int) string {
		columns := size / 40
		return strings.Repeat("|a", columns) + "\n" + strings.Repeat("|-", columns) + "\n" + strings.Repeat(strings.Repeat("|1", columns)+"\n", 18)
	}},
	{"code", func(size int) string { return "```go\n" + strings.Repeat("x = y\n", size/6) + "```\n" }},
	{"code with blank lines", func(size int) string { return "```go\n" + strings.Repeat("x\n\n", size/3) + "```\n" }},
	{"code in one line", func(size int) string { return "```\n" + strings.Repeat("x=y;", size/4) + "\n```\n" }},
	{"code that never ends", func(size int) string { return "a\n\n```\n" + strings.Repeat("x = y\n", size/6) }},
	{"code of blank lines", func(size int) string { return "```\n" + strings.Repeat("\n", size) + "```\n" }},
	{"fences", func(size int) string { return strings.Repeat("```\nx\n```\n", size/10) }},
	{"an info string", func(size int) string {
		return "```" + strings.Repeat("go ", size/6) + "\n" + strings.Repeat("x\n", size/4) + "```\n"
	}},
	{"a fence of many marks", func(size int) string {
		mark := strings.Repeat("`", size/3)
		return mark + "\n" + strings.Repeat("x\n", size/6) + mark + "\n"
	}},
	{"front matter", func(size int) string { return "---\na: >\n" + strings.Repeat("  b\n", size/4) + "---\n" }},
	{"a comment", func(size int) string { return "<!--\n" + strings.Repeat("a b c\n", size/6) + "-->\n" }},
}

func TestHostileShapes(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			d := markdown.Parse("guide.md", []byte(h.make(30_000)))
			for _, p := range []chunk.Policy{
				{Depth: 3, Min: 100, Max: 800, Count: token.O200k().Count},
				{Depth: 6, Min: 1, Max: 16, Count: token.Claude().Count},
			} {
				checkSections(t, d, p, chunk.Split(d, p))
				p.Window = true
				checkWindows(t, d, p, chunk.Split(d, p))
			}
		})
	}
}

// Counting is nearly all of the work. Each byte is counted a few times at most
// however large the file, even when every call costs as much as 16 bytes.
func TestWorkIsLinear(t *testing.T) {
	const size = 100_000
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			d := markdown.Parse("guide.md", []byte(h.make(size)))
			for i, estimate := range []func([]byte) int{
				token.O200k().Count,
				func(text []byte) int { return len(text) / 4 }, // nothing, for a short line
			} {
				for _, window := range []bool{false, true} {
					counted := 0
					count := func(text []byte) int {
						counted += len(text) + 16
						return estimate(text)
					}
					chunk.Split(d, chunk.Policy{Window: window, Count: count})
					if perByte := float64(counted) / size; perByte > 40 {
						t.Errorf("estimate %d, window %v: %.1f bytes counted per byte", i, window, perByte)
					}
				}
			}
		})
	}
}

func TestFewBytes(t *testing.T) {
	for _, src := range []string{"", "a", "\n", "#", "# ", "```", "```\n", "|", "- ", "> ", "---", "\ufeff", "\r", "\x00"} {
		for _, p := range []chunk.Policy{{}, {Window: true}, {Depth: -3, Min: -5, Max: -7, Overlap: 900}, {Window: true, Min: 50, Max: 1}} {
			got := ""
			for _, c := range split(src, p) {
				got += c.Text
			}
			if got != src {
				t.Errorf("%q, %+v: got %q", src, p, got)
			}
		}
	}
}
