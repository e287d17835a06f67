//go:build unix

package markdown

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// growing are hostile documents of any size: what makes parsers of Markdown
// slow, by cmark's tests and by our own search.
var growing = []struct {
	name string
	text func(n int) string
}{
	{"mismatched openers and closers", func(n int) string { return rep("*a_ ", n) }},
	{"openers and closers, multiple of three", func(n int) string { return "a**b" + rep("c* ", n) }},
	{"runs that open and close", func(n int) string { return rep("a*b**c_", n) }},
	{"runs of growing length", func(n int) string {
		var b strings.Builder
		for i := range n / 100 {
			b.WriteString(rep("*", i%50+1) + "a ")
		}
		return b.String()
	}},
	{"long runs", func(n int) string { return rep("*", n) + "a" + rep("*", n) }},
	{"nested emphasis", func(n int) string { return rep("*a **b ", n) + "c" + rep("** d*", n) }},
	{"struck openers", func(n int) string { return rep("~~a *b ", n) }},
	{"unclosed inline links", func(n int) string { return rep("[a](b", n) }},
	{"unclosed links with angle brackets", func(n int) string { return rep("[a](<b", n) }},
	{"unclosed links with titles", func(n int) string { return rep("[a](b \"c", n) }},
	{"links in brackets", func(n int) string { return rep("[", n) + rep("[a](b)", n) }},
	{"links with emphasis in them", func(n int) string { return rep("[*a _b](c) ", n) }},
	{"nested brackets", func(n int) string { return "[a]: b\n\n" + rep("[", n) + "a" + rep("]", n) }},
	{"nested images", func(n int) string { return rep("![", n) + "a" + rep("](b)", n) }},
	{"brackets and bangs", func(n int) string { return rep("![[[[", n) }},
	{"angles", func(n int) string { return rep("<", n) + rep("<a ", n) }},
	{"unclosed comments", func(n int) string { return "a " + rep("<!--b ", n) }},
	{"unclosed tags with quotes", func(n int) string { return "a " + rep("<a b='<a b=\" ", n) }},
	{"mail that is none", func(n int) string { return "a " + rep("<b@c.d", n) + rep("<", n) + rep("a", n) }},
	{"backticks", func(n int) string { return rep("`a ``b ```c ", n) }},
	{"entities", func(n int) string { return rep("&amp;&#x41;&nope;&", n) }},
	{"deep quotes", func(n int) string { return rep(">", n) + "a\n" + rep("b\n", n) }},
	{"deep lists", func(n int) string { return rep("- ", n) + "a\n" + rep("\n", n) + "b" }},
	{"deep lists in a quote, with blank lines", func(n int) string { return "> " + rep("- ", 30) + "a\n" + rep(">\n", n) }},
	{"nested lists with blank lines", func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(rep("  ", i%40) + "- a\n\n")
		}
		return b.String()
	}},
	{"lazy lines after deep lists", func(n int) string { return rep("- ", 30) + "a\n" + rep("b\n", n) }},
	{"stars that are no rule", func(n int) string { return rep("* ", n) + "a" }},
	{"definitions", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "[r%d]: /u\n", i)
		}
		return b.String() + rep("[r1][r2] ", n)
	}},
	{"a definition that never ends", func(n int) string { return rep("[a]: b\n\"", n) }},
	{"a long definition used by all", func(n int) string { return "[a]: /" + rep("u", n) + "\n\n" + rep("[a] ", n) }},
	{"a table of 200 columns with short rows", func(n int) string {
		return rep("|a", 200) + "|\n" + rep("|-", 200) + "|\n" + rep("|b|\n", n)
	}},
	{"a table of many columns", func(n int) string { return rep("|a", n) + "|\n" + rep("|-", n) + "|\n|b|\n" }},
	{"delimiter rows", func(n int) string { return rep("|a|b|\n|-|\n", n) }},
	{"known links", func(n int) string { return rep("https://a.b [[c]] {{d('e')}}\n", n) }},
	{"boxes by indentation", func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(rep("    ", i%40) + "!!! note \"a\"\n\n")
		}
		return b.String()
	}},
	{"containers that nest, and short lines", func(n int) string { return rep(":::note\n", 20) + rep("a\n\n", n) + rep(":::\n", 20) }},
	{"containers that do not close", func(n int) string { return rep(":::note a\n", n) }},
	{"shortcodes that nest", func(n int) string { return rep("{{< note >}}\n", n) + rep("a\n", n) + rep("{{< /note >}}\n", n) }},
	{"shortcodes that do not match", func(n int) string { return rep("{{< note >}}\n{{< /tip >}}\n", n) }},
	{"shortcodes in text", func(n int) string { return rep("{{< a text=\"b\" >}}{{<", n) }},
	{"components", func(n int) string { return "import A from 'a'\n\n" + rep("<A b={\n", n) }},
	{"fences that do not close", func(n int) string { return "```\n" + rep("``\n~~~\n", n) }},
}

// pageWork is what a page costs: the steps that could be too many, and bytes of
// memory.
func pageWork(src []byte) (steps, bytes int) {
	d := Parse("a.md", src)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := NewPage(&d)
	w := newPageWalker(p, func(x *Piece) { steps += 1 + len(x.Text) + len(x.Target) })
	budget := w.budget
	p.walk(w)
	runtime.ReadMemStats(&after)
	return steps + p.steps + w.looks + budget - w.budget, int(after.TotalAlloc - before.TotalAlloc)
}

// Twice the document, at most twice the work.
func TestPagesAreLinear(t *testing.T) {
	needs.Time(t)
	const n = 4000
	for _, c := range growing {
		t.Run(c.name, func(t *testing.T) {
			small, large := []byte(c.text(n)), []byte(c.text(2*n))
			steps, bytes := pageWork(small)
			steps2, bytes2 := pageWork(large)
			t.Logf("%d bytes: %d steps, %d bytes; %d bytes: %d steps, %d bytes", len(small), steps, bytes, len(large), steps2, bytes2)
			if steps2 > 21*steps/10+2000 || bytes2 > 26*bytes/10+200_000 {
				t.Errorf("from %d to %d bytes: from %d to %d steps, from %d to %d bytes of memory", len(small), len(large), steps, steps2, bytes, bytes2)
			}
			d := Parse("a.md", large)
			checkPage(t, &d)
		})
	}
}

// Each hostile document that Parse bears makes a page that keeps its promises,
// in memory in proportion to it.
func TestPathologicalPages(t *testing.T) {
	needs.Time(t)
	for _, c := range pathological {
		t.Run(c.name, func(t *testing.T) {
			src := []byte(c.text())
			src = src[:min(len(src), 128<<10)]
			d := Parse("a.md", src)
			checkPage(t, &d)
			if _, bytes := pageWork(src); bytes > 200*len(src)+1<<20 {
				t.Errorf("%d bytes for %d", bytes, len(src))
			}
		})
	}
}
