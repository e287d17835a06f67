//go:build unix

package markdown

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/needs"
)

// pathological holds inputs that make Markdown parsers slow or large: those of
// cmark's pathological tests, and others that broke parsers we measured.
var pathological = []struct {
	name string
	text func() string
}{
	{"nested strong emphasis", func() string { return rep("*a **a ", 65_000) + "b" + rep(" a** a*", 65_000) }},
	{"many emphasis closers", func() string { return rep("a_ ", 65_000) }},
	{"many emphasis openers", func() string { return rep("_a ", 65_000) }},
	{"many link closers", func() string { return rep("a]", 65_000) }},
	{"many link openers", func() string { return rep("[a", 65_000) }},
	{"mismatched openers and closers", func() string { return rep("*a_ ", 50_000) }},
	{"openers and closers, multiple of three", func() string { return "a**b" + rep("c* ", 50_000) }},
	{"link openers and emphasis closers", func() string { return rep("[ a_", 50_000) }},
	{"many inline link openers", func() string { return rep("[a](", 50_000) }},
	{"many unclosed inline links", func() string { return rep("[a](b", 30_000) }},
	{"unclosed links with angle brackets", func() string { return rep("[a](<b", 30_000) }},
	{"unclosed links with titles", func() string { return rep("[a](b \"c", 30_000) }},
	{"nested brackets", func() string { return rep("[", 50_000) + "a" + rep("]", 50_000) }},
	{"brackets only", func() string { return rep("[", 200_000) }},
	{"links in dead brackets", func() string { return rep("[", 50_000) + rep("[a](b)", 20_000) }},
	{"nested images", func() string { return rep("![", 50_000) + "a" + rep("](b)", 50_000) }},
	{"nested images in groups", func() string { return rep(rep("![*", 500)+"a"+rep("*](b)", 500), 100) }},
	{"wiki link openers", func() string { return rep("[[a ", 50_000) + rep("]]", 10) }},
	{"deep parentheses in a target", func() string { return "[a](" + rep("(", 100_000) + rep(")", 100_000) }},
	{"nested block quotes", func() string { return rep("> ", 50_000) + "a" }},
	{"deep quotes, line by line", func() string {
		var b strings.Builder
		for i := range 1500 {
			b.WriteString(rep(">", i) + "a\n")
		}
		return b.String()
	}},
	{"lazy lines after deep quotes", func() string { return rep("> ", 100) + "a\n" + rep("b\n", 500_000) }},
	{"lazy lines after deep lists", func() string { return rep("- ", 100) + "a\n" + rep("b\n", 500_000) }},
	{"nested lists on one line", func() string { return rep("- ", 50_000) + "a" }},
	{"nested lists line by line", func() string {
		var b strings.Builder
		for i := range 1000 {
			b.WriteString(rep("  ", i) + "* a\n")
		}
		return b.String()
	}},
	{"nested lists, then blank lines", func() string { return rep("- ", 10_000) + "a" + rep("\n", 100_000) + "b" }},
	{"nested lists with blank lines between", func() string {
		var b strings.Builder
		for i := range 400 {
			b.WriteString(rep("  ", i) + "- a\n\n")
		}
		return b.String() + rep("\n", 50_000)
	}},
	{"stars that are no thematic break", func() string { return rep("* ", 100_000) + "a" }},
	{"alternating list markers", func() string { return rep("* a\n+ b\n", 50_000) }},
	{"backticks of growing length", func() string {
		var b strings.Builder
		for i := 1; i < 1000; i++ {
			b.WriteString("e" + rep("`", i))
		}
		return b.String()
	}},
	{"backticks that never close", func() string { return rep("`a ``b ```c ", 30_000) }},
	{"unclosed comments", func() string { return rep("<!--a", 40_000) }},
	{"unclosed comments in text", func() string { return "a " + rep("<!--b ", 40_000) }},
	{"unclosed instructions", func() string { return "a " + rep("<?b ", 40_000) }},
	{"unclosed declarations and CDATA", func() string { return "a " + rep("<!A <![CDATA[ ", 20_000) }},
	{"unclosed tags with quotes", func() string { return "a " + rep("<a b='<a b=\" ", 20_000) }},
	{"interleaved quotes in a tag", func() string { return "a <a x='<a e=\"D'" + rep(" A='<a B=\" C=\"<a D='", 20_000) }},
	{"autolink openers", func() string { return rep("<http:", 50_000) }},
	{"bare addresses with parentheses", func() string {
		return rep("http://a"+rep(")", 50)+" ", 2_000) + "http://b" + rep("(", 100_000) + rep(")", 100_000)
	}},
	{"reference definitions", func() string {
		var b strings.Builder
		for i := range 80_000 {
			fmt.Fprintf(&b, "[r%d]: /u\n", i)
		}
		return b.String()
	}},
	{"one reference used by all", func() string { return "[a]: /" + rep("u", 10_000) + "\n\n" + rep("[a] ", 50_000) }},
	{"labels that only differ in case and space", func() string { return "[a b]: /u\n\n" + rep("[A \n B] ", 30_000) }},
	{"a definition that never ends", func() string { return rep("[a]: b\n\"", 30_000) }},
	{"a table of 5,000 columns with short rows", func() string {
		return "|" + rep("a|", 5_000) + "\n|" + rep("-|", 5_000) + "\n" + rep("|b|\n", 10_000)
	}},
	{"delimiter rows without a header", func() string { return rep("|a|b|\n|-|\n", 20_000) }},
	{"many entities", func() string { return rep("&amp;&#x41;&nope;&", 30_000) }},
	{"many escapes", func() string { return rep("\\", 300_000) }},
	{"templates that never close", func() string { return rep("{{", 100_000) + rep("{{a(\"b\") {% {/* ", 10_000) }},
	{"headings with one name", func() string { return rep("# a\n", 50_000) }},
	{"headings named like copies", func() string {
		var b strings.Builder
		for i := range 30_000 {
			fmt.Fprintf(&b, "# a-%d\n", i)
		}
		return b.String() + rep("# a\n", 30_000)
	}},
	{"a heading of marks", func() string { return "# " + rep("*a_ **b__ ", 50_000) }},
	{"colon containers", func() string { return rep(":::a\n", 20_000) + rep("b\n", 50_000) + rep(":::\n", 20_000) }},
	{"admonitions", func() string {
		var b strings.Builder
		for i := range 400 {
			b.WriteString(rep("    ", i) + "!!! note\n")
		}
		return b.String() + rep("\n", 100_000)
	}},
	{"unclosed components", func() string { return "import a from 'a'\n\n" + rep("<A b={\n\n", 30_000) }},
	{"one long line", func() string { return rep("word ", 1_000_000) }},
	{"one long paragraph", func() string { return rep("a line of words\n", 200_000) }},
	{"only line ends", func() string { return rep("\n", 3_000_000) }},
	{"spaces in a deep list", func() string { return rep("- ", 90) + "a\n" + rep(rep(" ", 2_000)+"b\n", 500) }},
	{"10 MB of list items", func() string { return rep("* a\n+ b\n", 1_300_000) }},
	{"8 MB of headings", func() string { return rep("#\n", 4_000_000) }},
	{"8 MB of quoted headings", func() string { return rep("> a\n-\n", 1_300_000) }},
	{"8 MB of short paragraphs", func() string { return rep("a\n\n", 2_700_000) }},
	{"8 MB of links", func() string { return rep("[a](b)", 1_300_000) }},
	{"8 MB of macros", func() string { return rep("{{a('b')}}", 800_000) }},
	{"8 MB of definitions", func() string { return rep("[a]:b\n", 1_300_000) }},
	{"zero bytes", func() string { return rep("\x00", 1_000_000) }},
	{"YAML aliases that multiply", func() string {
		var b strings.Builder
		b.WriteString("---\na0: &a0 [x, x, x, x, x, x, x, x, x]\n")
		for i := 1; i < 30; i++ {
			fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, rep(fmt.Sprintf("*a%d, ", i-1), 8), i-1)
		}
		return b.String() + "---\n"
	}},
	{"YAML nested in depth", func() string { return "---\na: " + rep("[", 30_000) + "\n---\n" }},
	{"YAML nested maps", func() string { return "---\na: " + rep("{a: ", 15_000) + "\n---\n" }},
	{"YAML over the limit", func() string { return "---\n" + rep("a: {b: c}\n", 100_000) + "---\n" }},
	{"front matter that never closes", func() string { return "---\n" + rep("a: b\n", 200_000) }},
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

// Each hostile input stays within a second of processor time and 200 MiB, its
// text for the index included, and gives a sound document. A second is a second of the
// machine that the gates are run on, with DOCENT_TORTURE; others may be slower.
func TestPathologicalInputs(t *testing.T) {
	needs.Time(t)
	maxTime, maxAlloc := 10*slowdown*time.Second, uint64(slowdown*200<<20)
	if os.Getenv("DOCENT_TORTURE") != "" {
		maxTime = slowdown * time.Second
	}
	for _, c := range pathological {
		t.Run(c.name, func(t *testing.T) {
			src := []byte(c.text())
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := cpuTime()
			p := new(parser)
			d := p.parse("a.md", src)
			text := AppendText(nil, &d, doc.Span{End: len(src)})
			took := cpuTime() - start
			runtime.ReadMemStats(&after)
			alloc := after.TotalAlloc - before.TotalAlloc
			t.Logf("%7d bytes: %v, %.1f MiB, %d of text", len(src), took.Round(100*time.Microsecond), float64(alloc)/(1<<20), len(text))
			if took > maxTime || alloc > maxAlloc {
				t.Errorf("%v and %d MiB; may take %v and %d MiB", took, alloc>>20, maxTime, maxAlloc>>20)
			}
			if p.budget < -2*len(src) || p.scanner.steps > 40*len(src)+1000 {
				t.Errorf("budget %d and %d steps for %d bytes", p.budget, p.scanner.steps, len(src))
			}
			if err := check(&d); err != nil {
				t.Error(err)
			}
		})
	}
}

// Fences that follow each other, and boxes of colons, went on for ever: only an open
// paragraph took what is beyond the bounds. 10 MiB of them cost 480 MiB.
func TestStructureIsBounded(t *testing.T) {
	needs.Time(t)
	for _, text := range []string{"```\n```\n", "~~~\n", "::: a\nb\n:::\n", "# a\n", "- a\n", "> a\n\n", "a\n\n", "***\n", "<div>\n\n", "[a](b)\n\n", "[a]: b\n\n"} {
		d := Parse("a.md", []byte(rep(text, MaxBlocks+10)))
		if n := len(d.Blocks); n > MaxBlocks+maxDepth {
			t.Errorf("%q: %d blocks", text, n)
		}
		if len(d.Headings) > MaxHeadings || len(d.Links) > MaxLinks {
			t.Errorf("%q: %d headings and %d links", text, len(d.Headings), len(d.Links))
		}
		if err := check(&d); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
