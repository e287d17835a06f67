package chunk_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// text generates Markdown of all the shapes that cutting has to do with.
func text() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		if rapid.IntRange(0, 3).Draw(t, "front matter") == 0 {
			b.WriteString("---\ntitle: A title\ntags: [a, b]\n---\n\n")
		}
		for range rapid.IntRange(0, 14).Draw(t, "blocks") {
			b.WriteString(block().Draw(t, "block"))
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n", "\n\n\n"}).Draw(t, "gap"))
		}
		out := b.String()
		if rapid.IntRange(0, 5).Draw(t, "line ends") == 0 {
			out = strings.ReplaceAll(out, "\n", "\r\n")
		}
		if rapid.IntRange(0, 3).Draw(t, "cut short") == 0 {
			out = strings.TrimRight(out, "\r\n")
		}
		return out
	})
}

func block() *rapid.Generator[string] {
	return rapid.OneOf(heading(), heading(), paragraph(), paragraph(), fence(), table(), list(), quote(), rapid.SampledFrom([]string{
		"***\n", "<div>\n<p>html</p>\n</div>\n", "    indented code\n\n    more of it\n", "Setext\n======\n", "[a]: /b\n",
	}))
}

func heading() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		level := rapid.IntRange(1, 6).Draw(t, "level")
		return strings.Repeat("#", level) + " " + rapid.StringMatching(`[A-Z][a-z]{0,9}( [a-z]{1,9}){0,3}`).Draw(t, "title") + "\n"
	})
}

func paragraph() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 80).Draw(t, "words") {
			b.WriteString(rapid.SampledFrom([]string{
				"word ", "words ", "end. ", "line\n", "colon:\n", "größe ", "文字。", "ひらがな", "🙂 ", "`code` ", "unbroken" + strings.Repeat("x", 40) + " ",
			}).Draw(t, "word"))
		}
		return strings.TrimSpace(b.String()) + "\n"
	})
}

func fence() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		mark := rapid.SampledFrom([]string{"```", "````", "~~~"}).Draw(t, "mark")
		info := rapid.SampledFrom([]string{"", "go", "js title=\"a.js\""}).Draw(t, "info")
		return mark + info + "\n" + codeLines().Draw(t, "lines") + mark + "\n"
	})
}

func codeLines() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 60).Draw(t, "lines") {
			b.WriteString(rapid.SampledFrom([]string{
				"\n", "x := f(y)\n", "\tif err != nil {\n", "# not a heading\n", "| not | a table |\n", "}\n",
			}).Draw(t, "line"))
		}
		return b.String()
	})
}

func table() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		columns := rapid.IntRange(1, 12).Draw(t, "columns")
		var b strings.Builder
		fmt.Fprintf(&b, "|%s\n|%s\n", strings.Repeat(" name |", columns), strings.Repeat("---|", columns))
		for range rapid.IntRange(0, 40).Draw(t, "rows") {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat(" a cell |", columns))
		}
		return b.String()
	})
}

func list() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "items") {
			inside := rapid.OneOf(paragraph(), rapid.Just("short\n"), fence()).Draw(t, "inside")
			if rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
				inside += "- nested\n- " + indent("  ", paragraph().Draw(t, "inner"))
			}
			b.WriteString("- " + indent("  ", inside))
		}
		return b.String()
	})
}

func quote() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		inside := rapid.OneOf(paragraph(), fence(), list()).Draw(t, "inside")
		return "> " + indent("> ", inside)
	})
}

// indent puts prefix before all lines but the first.
func indent(prefix, text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	return strings.Join(lines, prefix) + "\n"
}

// document returns a plausible page of n sections, always the same.
func document(n int) []byte {
	var b strings.Builder
	b.WriteString("---\ntitle: Guide\n---\n\n# Guide\n\n" + prose(40))
	for i := range n {
		fmt.Fprintf(&b, "\n%s Section %d\n\n%s\n", strings.Repeat("#", 2+i%3), i, prose(30+37*i%200))
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "```go\n%s```\n", strings.Repeat("\tx, err := f(y)\n\n\treturn g(x)\n", 5+i%40))
		case 1:
			fmt.Fprintf(&b, "| name | value |\n|---|---|\n%s", strings.Repeat("| `key` | a value of some kind |\n", 5+i%60))
		case 2:
			b.WriteString(strings.Repeat("- an item of a list, with a few words\n", 5+i%30))
		}
	}
	return []byte(b.String())
}
