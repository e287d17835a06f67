package web

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"pgregory.net/rapid"
)

func nowhere(string, *doc.Link) link { return link{} }

func rendered(src string) string {
	d := markdown.Parse("a.md", []byte(src))
	return string(toHTML(&d, nowhere).html)
}

func TestRender(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"a paragraph", "a *b* **c** `d`", "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>\n"},
		{"escapes and entities", `\*a\* &amp; &lt;b&gt;`, "<p>*a* &amp; &lt;b&gt;</p>\n"},
		{"tags are left out", "a <b>c</b> d", "<p>a c d</p>\n"},
		{"but for line breaks", "a<br>b<BR />c", "<p>a<br>b<br>c</p>\n"},
		{"a block of HTML gives its words", "<div>\n<p align=center>Hello &amp; <b>you</b></p>\n<script>x</script></div>", "<div class=\"from-html\">Hello &amp; you</div>\n"},
		{"a comment gives nothing", "<!-- secret -->", ""},
		{"front matter is not text", "---\ntitle: x\n---\n\na", "<p>a</p>\n"},
		{"a tight list", "- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"},
		{"a list that begins elsewhere", "3. a", "<ol start=\"3\">\n<li>a</li>\n</ol>\n"},
		{"tasks", "- [ ] a\n- [x] *b*\n- [y] c", "<ul>\n<li><span class=\"task\" role=\"img\" aria-label=\"open\">☐</span> a</li>\n" +
			"<li><span class=\"task\" role=\"img\" aria-label=\"done\">☑</span> <em>b</em></li>\n<li>[y] c</li>\n</ul>\n"},
		{"a picture is named", "![a cat](cat.png)", "<p><span class=\"picture\" title=\"cat.png\">a cat</span></p>\n"},
		{"code keeps its first word", "```js {1,3} live\nx < y\n```", "<div class=\"code\"><pre tabindex=\"0\"><code data-lang=\"js\">x &lt; y\n</code></pre></div>\n"},
		{"a pipe in code in a table", "a|b\n-|-\n`x\\|y`|z", "<div class=\"table\" role=\"region\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody>\n<tr><td><code>x|y</code></td><td>z</td></tr>\n</tbody></table></div>\n"},
		{"a heading has its anchor", "# A b", "<h1 id=\"a-b\" tabindex=\"-1\">A b<a class=\"anchor\" href=\"#a-b\" aria-label=\"link to this section\">#</a></h1>\n"},
		{"a bare address", "see https://example.com/x.", "<p>see <span>https://example.com/x</span>.</p>\n"},
		{"an address in brackets", "(https://example.com/x) https://example.com/y", "<p>(<span>https://example.com/x</span>) <span>https://example.com/y</span></p>\n"},
		{"a wiki link", "see [[x|the page]].", "<p>see <span>the page</span>.</p>\n"},
		{"a wiki link in a link is words", "[see [[x]] there](y)", "<p><span>see x there</span></p>\n"},
		{"an address in the name of a picture is words", "![at https://example.com](y)", "<p><span class=\"picture\" title=\"y\">at https://example.com</span></p>\n"},
		{"an alert", "> [!TIP]\n> a", "<blockquote class=\"alert tip\"><p class=\"kind\">tip</p>\n<p>a</p>\n</blockquote>\n"},
		{"an id is not shown", "# A b {#c_d_e}", "<h1 id=\"c_d_e\" tabindex=\"-1\">A b<a class=\"anchor\" href=\"#c_d_e\" aria-label=\"link to this section\">#</a></h1>\n"},
		{"struck, and a rule", "~~a~~ ~b~\n\n***", "<p><del>a</del> ~b~</p>\n<hr>\n"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rendered(tt.src); got != tt.want {
				t.Errorf("%q gives\n%s\nwant\n%s", tt.src, got, tt.want)
			}
		})
	}
}

// An address out of the corpus is what its escapes and entities stand for, and
// goes through the same gate.
func TestAddressesAreDecoded(t *testing.T) {
	for src, want := range map[string]string{
		"[a](https://x.y/?b&amp;c)":       `<a href="https://x.y/?b&amp;c" rel="noopener noreferrer nofollow" class="foreign">a</a>`,
		`[a](https://x.y/b\_c)`:           `<a href="https://x.y/b_c" rel="noopener noreferrer nofollow" class="foreign">a</a>`,
		"[a](javascript&colon;hit())":     `<span class="unlinked" title="javascript:hit()">a</span>`,
		"[a](&#106;avascript:hit())":      `<span class="unlinked" title="javascript:hit()">a</span>`,
		"[a](https&#58;//x.y/&quot;&gt;)": `<a href="https://x.y/%22%3E" rel="noopener noreferrer nofollow" class="foreign">a</a>`,
	} {
		d := markdown.Parse("a.md", []byte(src))
		w := newLinkResolver(&frame{Names: []string{"x"}}, &d, noLinks)
		if got := string(toHTML(&d, w.link).html); got != "<p>"+want+"</p>\n" {
			t.Errorf("%s gives %s", src, got)
		}
	}
}

// Every anchor that docent knows is a place in the page. (So it is of all 81,007
// headings of MDN's reference.)
func TestAnchorsAreDocents(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../../../examples", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !doc.IsMarkdown(file) {
			return err
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		parsed := markdown.Parse(file, src)
		page := string(toHTML(&parsed, nowhere).html)
		for _, h := range parsed.Headings {
			n++
			if h.Anchor != "" && !strings.Contains(page, ` id="`+html.EscapeString(h.Anchor)+`"`) {
				t.Errorf("%s: no place for #%s", file, h.Anchor)
			}
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("%d headings: %v", n, err)
	}
}

// What would be too large or too deep for a browser is refused; the rest is
// rendered, whatever it holds, and its page stays in proportion to it.
func TestGuards(t *testing.T) {
	r := strings.Repeat
	nested := func(depth int, between string) string {
		b := &strings.Builder{}
		for i := range depth {
			b.WriteString(r("  ", i) + "- a\n" + between)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, src string
		refused   bool
	}{
		{"an ordinary document", r("# A\n\nSome *words* and [links](b.md).\n\n", 500), false},
		{"a large document", r("a line of words\n", 40_000), true},
		{"a long line", r("a", 70_000), false},
		{"deep quotes", r(">", 100) + "a", true},
		{"deep lists on a line", r("- ", 100) + "a", true},
		{"deep lists with blank lines", nested(100, "\n"), true},
		{"lists within bounds", nested(24, "\n"), false},
		{"code that is indented far", "```\n" + r(" ", 300) + "x\n```\n", false},
		{"stars that never close", r("*a_ ", 25_000), false},
		{"brackets that never close", r("[a](b", 30_000)[:65_000], false},
		{"brackets in many paragraphs", r(r("[a](b", 1000)+"\n\n", 100), false},
		{"stars within bounds", r(r("*a_ ", 900)+"\n\n", 20), false},
		{"a wide table", r("|", 5000) + "\n" + r("|-", 5000) + "\n|a|\n", false},
		{"a table within bounds, with short rows", r("|a", 199) + "|\n" + r("|-", 199) + "|\n" + r("|a|\n", 50_000), false},
		{"definitions", func() string {
			b := &strings.Builder{}
			for i := range 30_000 {
				fmt.Fprintf(b, "[a%d]: b\n", i)
			}
			return b.String()
		}(), false},
		{"one long definition used by all", "[a]: /" + r("u", 10_000) + "\n\n" + r("[a] ", 50_000), false},
		{"emphasis that nests", r("*a **b ", 20_000) + "c" + r("** d*", 20_000), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := markdown.Parse("a.md", []byte(tt.src))
			out := newRenderer().render(context.Background(), &d, nowhere)
			if (out.why != "") != tt.refused {
				t.Errorf("not rendered because %q", out.why)
			}
			if len(out.html) > 40*len(tt.src)+1000 {
				t.Errorf("%d bytes of %d", len(out.html), len(tt.src))
			}
		})
	}
}

// A refused document is shown as its source.
func TestSourceInstead(t *testing.T) {
	fsys := docs
	fsys["deep.md"] = fsys["readme.md"]
	deep := *fsys["readme.md"]
	deep.Data = []byte("# Deep\n\n" + strings.Repeat(">", 200) + " <b>words</b>\n")
	fsys["deep.md"] = &deep
	defer delete(fsys, "deep.md")
	page := body(t, handler(t, fsys), "/read/deep.md")
	if !strings.Contains(page, "nested too deeply") || !strings.Contains(page, "&lt;b&gt;words&lt;/b&gt;") {
		t.Error(page)
	}
}

var cellText = regexp.MustCompile(`<t[hd](?: [^>]*)?>(.*?)</t[hd]>`)

// cellsOf divides a row in the simplest way.
func cellsOf(row string) []string {
	row = strings.ReplaceAll(strings.TrimSpace(row), `\|`, "-")
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// Tables are those that goldmark's own extension sees, but that rows are not
// filled up; nor are heads, of which it takes those that are too short, or that
// have an empty cell too many, though GitHub does not.
func TestTablesAgreeWithGoldmark(t *testing.T) {
	gold := goldmark.New(goldmark.WithExtensions(extension.Table))
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[ ]{0,2}\|?([ab |]|a\\\|b){0,8}\|?`)
		delim := rapid.StringMatching(`\|?( ?:?-{1,3}:? ?\|){0,3} ?:?-{0,2}:?\|?`)
		head, dashes := line.Draw(t, "head"), delim.Draw(t, "delimiter")
		row := cellsOf(head)
		if len(row) < len(cellsOf(dashes)) || row[len(row)-1] == "" {
			t.Skip("the head is too short, or ends in an empty cell")
		}
		src := head + "\n" + dashes + "\n" + line.Draw(t, "row") + "\n"
		b := &bytes.Buffer{}
		if err := gold.Convert([]byte(src), b); err != nil {
			t.Fatal(err)
		}
		shown := func(s string) (out []string) {
			for _, m := range cellText.FindAllStringSubmatch(s, -1) {
				if m[1] != "" {
					out = append(out, m[1])
				}
			}
			return out
		}
		want, got := fmt.Sprint(shown(b.String())), fmt.Sprint(shown(rendered(src)))
		if got != want {
			t.Fatalf("%q: cells %s, goldmark has %s", src, got, want)
		}
	})
}

// written are all the tags that a document's page may be made of.
var written = func() *regexp.Regexp {
	const text = `[^"'<>]*`
	return regexp.MustCompile(strings.Join([]string{
		`</?(p|em|strong|del|code|ul|ol|li|blockquote|table|thead|tbody|tr|th|td)>`,
		`<(br|hr)>`, `</(h[1-6]|a|span|div|pre)>`, `<span>`,
		`<h[1-6]( id="` + text + `" tabindex="-1")?>`,
		`<a class="anchor" href="#` + text + `" aria-label="link to this section">`,
		`<a href="(/|#|https?://|mailto:)` + text + `"( rel="noopener noreferrer nofollow")?( class="\w+")?( title="` + text + `")?>`,
		`<span class="\w+"( title="` + text + `")?>`,
		`<span class="task" role="img" aria-label="(done|open)">`,
		`<blockquote class="alert \w+">`, `<p class="(kind|label)">`,
		`<ol start="\d+">`, `<t[hd] class="(right|center)">`,
		`<div class="(code|from-html)">`, `<pre tabindex="0">`, `<code data-lang="[-\w+#.]*">`,
		`<div class="table" role="region" aria-label="table" tabindex="0">`,
	}, "|"))
}()

// checkWritten fails for anything in a document's page that is neither such a tag
// nor text without a character that means something in HTML.
func checkWritten(t interface{ Errorf(string, ...any) }, name, page string) {
	rest := written.ReplaceAllString(page, "")
	if i := strings.IndexAny(rest, "<>\"'\x00"); i >= 0 {
		t.Errorf("%s: %q is in the page", name, rest[max(0, i-20):min(len(rest), i+60)])
	}
}

// Nothing of a document reaches its page as it is, wherever it stands.
func TestNothingUnescaped(t *testing.T) {
	places := []string{
		"%s", "# %s", "# a {#%s}", "%s\n===", "- %s", "- [x] %s", "> %s", "> [!NOTE]\n> %s", "> [!%s]", "> [!note] %s\n> a", "!!! note \"%s\"\n    a", "!!! %s\n\n    a", ":::note %s\na\n:::", ":::%s\na\n:::", "{{< note title=\"%s\" >}}\na\n{{< /note >}}", "import %s from 'a'\n\n<B c=\"%s\">\n", "    %s", "```\n%s\n```", "```%s\nx\n```", "~~~ a %s\n",
		"`%s`", "*%s*", "~~%s~~", "[%s](b)", "[a](%s)", "[a](<%s>)", "[a](b \"%s\")", "[a][%s]\n\n[%s]: <c>", "[a]\n\n[a]: <%s>", "![%s](b)", "![a](%s)", "![a](<%s>)",
		"<%s>", "<a %s>", "<http:%s>", "<https://%s>", "<a@%s>", "https://x.y/%s", "[[%s]]", "[[a|%s]]", "![[%s]]", "{{a(\"%s\")}}", "{{%s('a')}}",
		"a|b\n-|-\n%s|c", "%s|b\n-|-", "<div>\n%s\n</div>", "<!-- %s", "<!-- a --> %s", "&%s;", "\\%s", "[a]({{< %s >}})", "1%s. a", "---\ntitle: %s\n---\n\n# a",
	}
	hostile := []string{
		"<script>hit()</script>", "\"onmouseover=\"hit()", "'onload='hit()", "\"><img src=x onerror=hit()>", "javascript:hit()", "&lt;script&gt;hit()&lt;/script&gt;",
		"&#34;&#62;&#60;b&#62;", "&quot;&gt;", "\\\"\\>\\<b\\>", "%22%3e%3cb%3e", "data:text/html,<b>", "java\tscript:hit()", "\x00<\x00b>", "`<b>`", "]]><b>", "--><b>", "<b a='>'>", "\u2028<b>", "https://a.b/\"onclick=\"hit()", "//evil.example/\"x", "\xff<b\xfe>",
	}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 3).Draw(t, "n") {
			place, what := rapid.SampledFrom(places).Draw(t, "place"), rapid.SampledFrom(hostile).Draw(t, "what")
			b.WriteString(strings.ReplaceAll(place, "%s", what) + rapid.SampledFrom([]string{"", " ", "\n", "\n\n"}).Draw(t, "between"))
		}
		d := markdown.Parse("a.md", []byte(b.String()))
		w := newLinkResolver(&frame{Names: []string{"x"}}, &d, noLinks)
		checkWritten(t, fmt.Sprintf("%q", b.String()), string(toHTML(&d, w.link).html))
	})
}

// Whatever a document holds, its page holds nothing that runs.
func FuzzRender(f *testing.F) {
	for _, file := range hostile(f) {
		f.Add(string(file.Data))
	}
	f.Fuzz(func(t *testing.T, src string) {
		d := markdown.Parse("a.md", []byte(src))
		w := newLinkResolver(&frame{Names: []string{"x"}}, &d, noLinks)
		out := newRenderer().render(context.Background(), &d, w.link)
		checkMarkup(t, "page", string(out.html))
		checkWritten(t, "page", string(out.html))
		if strings.Count(string(out.html), "<a ") != strings.Count(string(out.html), "</a>") {
			t.Errorf("links are not closed in %s", out.html)
		}
	})
}
