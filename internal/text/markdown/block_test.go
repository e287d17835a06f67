package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docent-md/docent/doc"
)

// outline writes the blocks of a document down, a line each: indented by depth,
// with info string and lines.
func outline(d *doc.Document) string {
	var sb strings.Builder
	depth := make([]int, len(d.Blocks))
	for i, b := range d.Blocks {
		if b.Parent >= 0 {
			depth[i] = depth[b.Parent] + 1
		}
		info := ""
		if b.Info != "" {
			info = fmt.Sprintf(" %q", b.Info)
		}
		fmt.Fprintf(&sb, "%*s%s%s %d-%d\n", 2*depth[i], "", b.Kind, info, b.Lines.Start, b.Lines.End)
	}
	return sb.String()
}

// lines joins lines and ends the last one too.
func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		name, path, text, want string
	}{
		{
			"an empty file has no blocks", "a.md", "", "",
		},
		{
			"a last line needs no line end", "a.md", "a\n\nb",
			lines("paragraph 1-1", "paragraph 3-3"),
		},
		{
			"blank lines belong to no block, but to indented code they do", "a.md",
			lines("", "a", "", "    b", "", "    c", "", "d"),
			lines("paragraph 2-2", "indented code 4-6", "paragraph 8-8"),
		},
		{
			"a fence in a list item", "a.md",
			lines("1. a", "", "   ```go title=x", "   b", "", "   ```", "2. c"),
			lines("list 1-7", "  item 1-6", "    paragraph 1-1", `    fence "go title=x" 3-6`, "  item 7-7", "    paragraph 7-7"),
		},
		{
			"an unclosed fence ends with its container", "a.md",
			lines("> ```", "> a", "b"),
			lines("quote 1-2", "  fence 1-2", "paragraph 3-3"),
		},
		{
			"another bullet begins another list", "a.md",
			lines("- a", "- b", "+ c"),
			lines("list 1-2", "  item 1-1", "    paragraph 1-1", "  item 2-2", "    paragraph 2-2", "list 3-3", "  item 3-3", "    paragraph 3-3"),
		},
		{
			"a lazy line continues a quoted paragraph, a heading does not", "a.md",
			lines("> a", "b", "# c"),
			lines("quote 1-2", "  paragraph 1-2", "heading 3-3"),
		},
		{
			"a table begins at its header, whatever stands above it", "a.md",
			lines("{{< table >}}", "| a | b |", "|---|---|", "| c", "{{< /table >}}", "", "d"),
			lines("paragraph 1-1", "table 2-5", "paragraph 7-7"),
		},
		{
			"pipes alone are no table", "a.md",
			lines("a | b", "- | -", "", "| a | b |", "| - |", "c"),
			lines("paragraph 1-1", "list 2-2", "  item 2-2", "    paragraph 2-2", "paragraph 4-6"),
		},
		{
			"definitions are a block of their own", "a.md",
			lines("[a]: b", "[c]:", "  <d>", "  'e'", "text", "", "> [f]: g"),
			lines("definition 1-4", "paragraph 5-5", "quote 7-7", "  definition 7-7"),
		},
		{
			"a footnote is no definition", "a.md",
			lines("[^1]: https://a.b"),
			lines("paragraph 1-1"),
		},
		{
			"alerts and callouts", "a.md",
			lines("> [!NOTE]", "> a", "", "> [!tip]- Title", "> - b", "", "> [link]"),
			lines(`admonition "note" 1-2`, "  paragraph 2-2", `admonition "tip" 4-5`, "  list 5-5", "    item 5-5", "      paragraph 5-5", "quote 7-7", "  paragraph 7-7"),
		},
		{
			"MkDocs blocks own what is indented by four", "a.md",
			lines("a", "", `!!! Note "Title"`, "    b", "", "    ```py", "    c", "    ```", "", `    === "Tab"`, "        d", "", "e", "", "??? tip", "f"),
			lines("paragraph 1-1", `admonition "note" 3-11`, "  paragraph 4-4", `  fence "py" 6-8`, `  admonition "tab" 10-11`, "    paragraph 11-11", "paragraph 13-13", `admonition "tip" 15-15`, "paragraph 16-16"),
		},
		{
			"exclamations are no MkDocs block", "a.md",
			lines("!!! wow, this is text", "", "!!!", "", `=== "a`),
			lines("paragraph 1-1", "paragraph 3-3", "paragraph 5-5"),
		},
		{
			"colon containers nest by their colons, or by turns", "a.md",
			lines("::::tabs", ":::tab[A]", "a", ":::", "::::", "", "::: tip Title", "- b", ":::"),
			lines(`admonition "tabs" 1-5`, `  admonition "tab" 2-4`, "    paragraph 3-3", `admonition "tip" 7-9`, "  list 8-8", "    item 8-8", "      paragraph 8-8"),
		},
		{
			"a colon container that is never closed is text", "a.md",
			lines("::: module.Class", "    options:", "", "# a", "", "```", ":::", "```"),
			lines("paragraph 1-2", "heading 4-4", "fence 6-8"),
		},
		{
			"a colon container in a list item", "a.md",
			lines("- a", "", "  :::note", "  b", "  :::", "", "  c"),
			lines("list 1-7", "  item 1-7", "    paragraph 1-1", `    admonition "note" 3-5`, "      paragraph 4-4", "    paragraph 7-7"),
		},
		{
			"HTML blocks end where CommonMark ends them", "a.md",
			lines("<!-- a", "", "b -->", "<div>", "*c*", "", "*d*", "</div>", "", "<script>", "", "</script>"),
			lines("html 1-3", "html 4-5", "paragraph 7-7", "html 8-8", "html 10-12"),
		},
		{
			"in MDX tags do not hide Markdown", "a.mdx",
			lines("import A from 'a'", "export const b = {", "", "  c: 1", "}", "", "<A>", "<B", "  d={{e: '>'}}", ">", "```js", "```", "</B>", "text <A/>", "</A>", "", "    not code"),
			lines("component 1-5", "component 7-7", "component 8-10", `fence "js" 11-12`, "component 13-13", "paragraph 14-14", "component 15-15", "paragraph 17-17"),
		},
		{
			"an import makes any file MDX", "a.md",
			lines("import A from 'a';", "", "<A>", "# b", "</A>"),
			lines("component 1-1", "component 3-3", "heading 4-4", "component 5-5"),
		},
		{
			"a brace left open does not swallow a document", "a.mdx",
			lines("export const a = {", "", "# b"),
			lines("component 1-2", "heading 3-3"),
		},
		{
			"import and export are words too", "a.md",
			lines("import duties are high", "", "export it from 'there' now"),
			lines("paragraph 1-1", "paragraph 3-3"),
		},
		{
			"carriage returns before line ends do not count", "a.md",
			"# a\r\n\r\n```\r\nb\r\n```\r\n| c |\r\n|---|\r\n\r\nd\r\n===\r\n",
			lines("heading 1-1", "fence 3-5", "table 6-7", "heading 9-10"),
		},
		{
			"a carriage return alone ends no line", "a.md",
			"a\r# b\rc",
			lines("paragraph 1-1"),
		},
		{
			"a byte order mark is no text", "a.md",
			"\ufeff# a\n\ufeffb\n",
			lines("heading 1-1", "paragraph 2-2"),
		},
		{
			"zero bytes and broken UTF-8 are text", "a.md",
			"\x00\xff\n\n# \xfe\n",
			lines("paragraph 1-1", "heading 3-3"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse(c.path, []byte(c.text))
			if err := check(&d); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, outline(&d)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFenceContent(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"between the fences", "```\na\n\nb\n```\nc\n", "a\n\nb\n"},
		{"empty", "```\n```\n", ""},
		{"to the end when never closed", "~~~\na", "a"},
		{"container prefixes included", "> ```\n> a\n> ```\n", "> a\n"},
		{"a shorter fence does not close", "````\n```\n````\n", "```\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("a.md", []byte(c.text))
			for _, b := range d.Blocks {
				if b.Kind == doc.Fence && string(b.Inner.Of(d.Source)) != c.want {
					t.Errorf("%q, not %q", b.Inner.Of(d.Source), c.want)
				}
			}
		})
	}
}
