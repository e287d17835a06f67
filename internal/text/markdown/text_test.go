package markdown

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docent-md/docent/doc"
)

func TestAppendText(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"words without marks", "a.md", "Some *em* and __strong__ text, snake_case, 2 * 3, ~~gone~~.\n", "Some em and strong text, snake_case, 2 * 3, gone.\n"},
		{"front matter: title and description", "a.md", "---\ntitle: T\ndescription: D e\nweight: 3\n---\n\nx\n", "T\nD e\nx\n"},
		{"front matter that cannot be read is kept", "a.md", "---\ntitle: {#a}\n---\nx\n", "---\ntitle: {#a}\n---\nx\n"},
		{"headings without ids", "a.md", "## A `b` {#id}\n\nC\n===\n", "A b\nC\n"},
		{"code as it is", "a.md", "`a_b` ``c`d``\n\n```js title=x\nlet *a* = [b](c);\n```\n\n    code _x_\n", "a_b c`d\nlet *a* = [b](c);\n    code _x_\n"},
		{"links and images are their text", "a.md", "[a `b`](c \"d\") ![e](f) [g][h] <https://i.j> [[k#l|m]] [[n]]\n\n[h]: /secret \"t\"\n", "a b e g https://i.j m n\n"},
		{"macros are their arguments", "a.md", "{{domxref(\"Node.a\", \"a()\")}} {{Compat}} {{ cssxref('b', '', '#c') }}\n", "Node.a a()  b\n"},
		{"shortcodes are their words", "a.md", "{{< note >}}\n{{< tip text=\"pod\" term_id=\"x\" length=\"all\" >}} {{% ver \"1.2\" state=\"beta\" %}} {{< figure src=\"a.png\" alt=\"An image\" >}}\n{{< /note >}}\n", "\npod 1.2 beta An image\n\n"},
		{"Jekyll tags and MDX comments go", "a.md", "{% include x %} a {/* b */} {{ page.title }} {{ a | b }} {x}\n", " a   a | b {x}\n"},
		{"HTML tags, comments, scripts and styles go", "a.md", "<div class=\"x\">a <b>c</b></div>\n<!-- no -->\n\nd<br>e <!-- no --> <i>f</i>\n\n<script>\nno()\n</script>\n", "a c\n\nd e  f\n"},
		{"entities are characters", "a.md", "a &amp; b &lt; &#x41; &nope; &\n", "a & b < A &nope; &\n"},
		{"escapes", "a.md", `\*a\* \[b\] c\d` + "\n", `*a* [b] c\d` + "\n"},
		{"list markers and task boxes go", "a.md", "1. a\n2. - b\n- [x] c\n", "a\nb\nc\n"},
		{"quote markers go, also in code", "a.md", "> a\n> b\n>\n> ```\n> c\n> ```\n", " a\n b\n c\n"},
		{"prompts in a MkDocs block are no quotes", "a.md", "!!! note\n    ```\n    >>> a\n    ```\n", ">>> a\n"},
		{"tables: cells without borders", "a.md", "| a | `b\\|c` |\n|---|:-:|\n| [d](e) | f |\n", " a  b\\|c  \n d  f  \n"},
		{"admonition titles", "a.md", "> [!NOTE] My *title*\n> a\n\n!!! tip \"Your [t](u)\"\n    b\n\n:::info[Their title]\nc\n:::\n", "My title\n a\nYour t\n    b\nTheir title\nc\n"},
		{"imports, exports and component lines go", "a.mdx", "import A from 'a'\n\n<A b=\"c\">\n\nText <A d={e}>f</A>\n\n</A>\n", "Text f\n"},
		{"CRLF is LF", "a.md", "# a\r\n\r\nb\r\nc\r\n", "a\nb\nc\n"},
		{"a byte order mark goes", "a.md", "\ufeffa\n", "a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse(c.path, []byte(c.text))
			got := string(AppendText(nil, &d, doc.Span{End: len(c.text)}))
			if squeeze(got) != squeeze(c.want) {
				t.Errorf("%q\nnot %q", got, c.want)
			}
		})
	}
}

// squeeze makes white space that no reader sees equal.
func squeeze(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		if f := strings.Join(strings.Fields(line), " "); f != "" {
			out = append(out, f)
		}
	}
	return strings.Join(out, "\n")
}

// The text of a document is the text of its top-level blocks, one after another,
// and that of its sections.
func TestAppendTextOfParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 20).Draw(t, "pieces"), ""))
		d := Parse("a.md", src)
		if err := check(&d); err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		whole := AppendText(nil, &d, doc.Span{End: len(src)})
		var blocks, sections []byte
		for _, b := range d.Blocks {
			if b.Parent < 0 {
				blocks = AppendText(blocks, &d, b.Span)
			}
		}
		for _, s := range d.Sections {
			sections = AppendText(sections, &d, s.Span)
		}
		if !bytes.Equal(whole, blocks) || !bytes.Equal(whole, sections) {
			t.Fatalf("%q:\nwhole    %q\nblocks   %q\nsections %q", src, whole, blocks, sections)
		}
	})
}

// A part of a table or of code, cut at a line, has the text of its lines.
func TestAppendTextOfCutBlocks(t *testing.T) {
	src := []byte("| a |\n|---|\n| b |\n| [c](d) |\n\n```\ne\nf\n```\n")
	d := Parse("a.md", src)
	for _, c := range []struct{ from, to, want string }{
		{"| b", "| [c", "b"},
		{"| [c", "\n```", "c"},
		{"f\n", "", "f"},
	} {
		start, end := bytes.Index(src, []byte(c.from)), len(src)
		if c.to != "" {
			end = bytes.Index(src, []byte(c.to))
		}
		if got := squeeze(string(AppendText(nil, &d, doc.Span{Start: start, End: end}))); got != c.want {
			t.Errorf("from %q: %q, not %q", c.from, got, c.want)
		}
	}
}

// pieces are what documents are put together from.
var pieces = []string{
	"\n", "\n", "text\n", "a *b* [c](d) `e`\n", "# h\n", "## h {#x}\n", "### h\n", "- i\n", "  - j\n", "1. k\n", "> q\n", "> > r\n",
	"```\n", "~~~go\n", "    code\n", "| a | b |\n", "|---|---|\n", "[r]: /u\n", "[r]\n", "<div>\n", "</div>\n", "<!--\n", "-->\n",
	"!!! note\n", "    in\n", ":::tip t\n", ":::\n", "---\n", "===\n", "***\n", "{{< s \"a\" >}}\n", "{{m(\"b\")}} c\n", "[[w|x]]\n",
	"<a href=y>z</a>\n", "\\\n", "``\n", "> [!NOTE] n\n", "import A from 'a'\n", "<A>\n", "- [ ] t\n", "\t", "  ", "> ", "- ",
}
