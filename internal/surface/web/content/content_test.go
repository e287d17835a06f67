package content

import (
	"bytes"
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

func rendered(src string) string {
	d := markdown.Parse("a.md", []byte(src))
	return string(Render(&d, Places{}).HTML)
}

func number(n string) string {
	return `<a class="line-number" href="#docent-line-1-` + n + `" aria-label="explained in ` + n + `" data-number="` + n + `"></a>`
}

const tableHead = "<div class=\"table\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody>\n"

func TestRender(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"a paragraph", "a *b* **c** `d`", "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>\n"},
		{"escapes and entities", `\*a\* &amp; &lt;b&gt;`, "<p>*a* &amp; &lt;b&gt;</p>\n"},
		{"tags without a meaning are left out", "a <font size=9>c</font> d", "<p>a c d</p>\n"},
		{"those with one lose their attributes", "<kbd onclick=hit()>Esc</kbd> H<sub style=x>2</sub>O", "<p><kbd>Esc</kbd> H<sub>2</sub>O</p>\n"},
		{"what is not closed ends with its paragraph", "a <b>b\n\nc", "<p>a <b>b</b></p>\n<p>c</p>\n"},
		{"what was not opened is not closed", "a</b></p></div>", "<p>a</p>\n"},
		{"a list in a cell", "a|b\n-|-\n|<ul><li>x<li>y</ul>|z", tableHead + "<tr><td><ul><li>x</li><li>y</li></ul>\n</td><td>z</td></tr>\n</tbody></table></div>\n"},
		{"but for line breaks", "a<br>b<BR />c", "<p>a<br>b<br>c</p>\n"},
		{"a block of HTML gives its words", "<div>\n<p align=center>Hello &amp; <b>you</b></p>\n<script>x</script></div>", "<div><div class=\"center\">Hello &amp; <b>you</b></div>\n</div>\n"},
		{"details have Markdown in them", "<details open>\n<summary>More</summary>\n\n*a*\n\n</details>\n\nb", "<details open><summary>More</summary><p><em>a</em></p>\n</details>\n<p>b</p>\n"},
		{"details that do not end, end with what they are in", "- <details>\n\n  a\n- b", "<ul>\n<li><details><p>a</p>\n</details>\n</li>\n<li><p>b</p>\n</li>\n</ul>\n"},
		{"a link of HTML", "<a href='b.md' onclick=x><i>b</i></a>", "<p><span><i>b</i></span></p>\n"},
		{"links do not nest", "[a <a href=c>b</a>](d)", "<p><span>a b</span></p>\n"},
		{"a comment gives nothing", "<!-- secret -->", ""},
		{"front matter is not text", "---\ntitle: x\n---\n\na", "<p>a</p>\n"},
		{"a tight list", "- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"},
		{"a list that begins elsewhere", "3. a", "<ol start=\"3\">\n<li>a</li>\n</ol>\n"},
		{"tasks", "- [ ] a\n- [x] *b*\n- [y] c", "<ul>\n<li><span class=\"task\" role=\"img\" aria-label=\"open\">☐</span> a</li>\n" +
			"<li><span class=\"task\" role=\"img\" aria-label=\"done\">☑</span> <em>b</em></li>\n<li>[y] c</li>\n</ul>\n"},
		{"a picture is named", "![a cat](cat.png)", "<p><span class=\"picture\" title=\"cat.png\">a cat</span></p>\n"},
		{"code has its language", "```js live\nx < y\n```", "<div class=\"code\"><p class=\"code-lang\" aria-hidden=\"true\">js</p><pre tabindex=\"0\"><code data-lang=\"js\">x &lt; y\n</code></pre></div>\n"},
		{"code has its title, and lines that are pointed out", "```js {2-3} title=\"a<b.js\"\nx\ny\nz\n```", "<div class=\"code\"><p class=\"code-title\">a&lt;b.js</p><pre tabindex=\"0\"><code data-lang=\"js\">x\n<span class=\"line hl\">y\n</span><span class=\"line hl\">z\n</span></code></pre></div>\n"},
		{"as MkDocs writes it", "```{ .py hl_lines=\"1\" }\nx\n```", "<div class=\"code\"><p class=\"code-lang\" aria-hidden=\"true\">py</p><pre tabindex=\"0\"><code data-lang=\"py\"><span class=\"line hl\">x\n</span></code></pre></div>\n"},
		{"what was added and cut", "```diff\n+a\n-b\n c\n```", "<div class=\"code\"><p class=\"code-lang\" aria-hidden=\"true\">diff</p><pre tabindex=\"0\"><code data-lang=\"diff\"><span class=\"line add\">+a\n</span><span class=\"line cut\">-b\n</span> c\n</code></pre></div>\n"},
		{"a pipe in code in a table", "a|b\n-|-\n`x\\|y`|z", "<div class=\"table\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody>\n<tr><td><code>x|y</code></td><td>z</td></tr>\n</tbody></table></div>\n"},
		{"a heading has its anchor", "# A b", "<h1 id=\"a-b\" tabindex=\"-1\">A b<a class=\"anchor\" href=\"#a-b\" aria-label=\"link to this section\">#</a></h1>\n"},
		{"a bare address", "see https://example.com/x.", "<p>see <span>https://example.com/x</span>.</p>\n"},
		{"an address in brackets", "(https://example.com/x) https://example.com/y", "<p>(<span>https://example.com/x</span>) <span>https://example.com/y</span></p>\n"},
		{"a picture of HTML is named", "<img alt=\"a cat\" src=cat.png>", "<div class=\"p\"><span class=\"picture\" title=\"cat.png\">a cat</span></div>\n"},
		{"a wiki link", "see [[x|the page]].", "<p>see <span>the page</span>.</p>\n"},
		{"a wiki link in a link is words", "[see [[x]] there](y)", "<p><span>see x there</span></p>\n"},
		{"an address in the name of a picture is words", "![at https://example.com](y)", "<p><span class=\"picture\" title=\"y\">at https://example.com</span></p>\n"},
		{"an alert", "> [!TIP]\n> a", "<div class=\"callout is-tip\"><p class=\"label\">Tip</p>\n<p>a</p>\n</div>\n"},
		{"a callout that is folded", "> [!warning]- W\n> a", "<details class=\"callout is-warning\"><summary class=\"label\">W</summary>\n<p>a</p>\n</details>\n"},
		{"a callout in a callout", "> [!note]\n> > [!todo] T\n> > a", "<div class=\"callout is-note\"><p class=\"label\">Note</p>\n<div class=\"callout is-note\"><p class=\"label\">T</p>\n<p>a</p>\n</div>\n</div>\n"},
		{"an admonition that can be folded", "???+ tip \"T\"\n\n    a", "<details open class=\"callout is-tip\"><summary class=\"label\">T</summary>\n<p>a</p>\n</details>\n"},
		{"a container", ":::tip T\na\n:::", "<div class=\"callout is-tip\"><p class=\"label\">T</p>\n<p>a</p>\n</div>\n"},
		{
			"a shortcode that stands for something", "{{< feature-state for=\"v1.24\" state=\"stable\" >}}",
			"<p><code class=\"placeholder\" title=\"filled in by the build of the site\">v1.24</code> " +
				"<code class=\"placeholder\" title=\"filled in by the build of the site\">stable</code></p>\n",
		},
		{"a heading from a table", "a\n\n{{% heading \"whatsnext\" %}}", "<p>a</p>\n<p>What&#39;s next</p>\n"},
		{"a shortcode", "{{< warning >}}\na\n{{< /warning >}}", "<div class=\"callout is-warning\"><p class=\"label\">Warning</p>\n<p>a</p>\n</div>\n"},
		{"tabs of MkDocs", "=== \"A\"\n\n    a\n\n=== \"B\"\n\n    b", "<section class=\"tab\"><p class=\"label\">A</p>\n<p>a</p>\n</section>\n<section class=\"tab\"><p class=\"label\">B</p>\n<p>b</p>\n</section>\n"},
		{"tabs of Docusaurus", "import Tabs from '@theme/Tabs';\n\n<Tabs groupId=\"x\" values={[{a: '>'}]}>\n<TabItem value=\"a\" label=\"A\">\n\n*a*\n\n</TabItem>\n</Tabs>\n", "<div class=\"tabs\"><section class=\"tab\"><p class=\"label\">A</p>\n<p><em>a</em></p>\n</section>\n</div>\n"},
		{"footnotes", "a[^x] b[^y] c[^x]\n\n[^x]: *d*\n[^z]: f\n[^y]: e", "<p>a<sup class=\"note-mark\"><a href=\"#docent-note-1\" id=\"docent-mark-1\">1</a></sup> b<sup class=\"note-mark\"><a href=\"#docent-note-2\" id=\"docent-mark-2\">2</a></sup> c<sup class=\"note-mark\"><a href=\"#docent-note-1\">1</a></sup></p>\n" +
			"<hr>\n<ol class=\"notes\">\n<li id=\"docent-note-1\"><p><em>d</em></p>\n<a class=\"note-back\" href=\"#docent-mark-1\" aria-label=\"back to the text\">↩</a></li>\n<li id=\"docent-note-2\"><p>e</p>\n<a class=\"note-back\" href=\"#docent-mark-2\" aria-label=\"back to the text\">↩</a></li>\n<li id=\"docent-note-3\"><p>f</p>\n</li>\n</ol>\n"},
		{"terms", "a\n: b", "<dl>\n<dt>a</dt>\n<dd><p>b</p>\n</dd>\n</dl>\n"},
		{"terms of MDN", "- a\n  - : b", "<ul class=\"terms\">\n<li>a\n<ul class=\"terms\">\n<li>b</li>\n</ul>\n</li>\n</ul>\n"},
		{"marked", "==a==", "<p><mark>a</mark></p>\n"},
		{"a reference of MkDocs", "[Field()][pydantic.fields.Field] [bool][]", "<p><span>Field()</span> <span>bool</span></p>\n"},
		{"a place", "[](){#here}", "<p><span class=\"place\" id=\"here\"></span></p>\n"},
		{"attributes", "`a`{.b}\n{ .c }", "<p><code>a</code>\n</p>\n"},
		{"a formula", "$x^2$ $\\nope<$", "<p><math><msup><mi>x</mi><mn>2</mn></msup></math> <code>\\nope&lt;</code></p>\n"},
		{"a formula by itself", "$$\nx\n$$", "<div class=\"formula\" tabindex=\"0\" role=\"group\" aria-label=\"formula\"><math display=\"block\"><mi>x</mi></math></div>\n"},
		{"a diagram is its source", "```mermaid\na-->b\n```", "<div class=\"code\" data-diagram><pre tabindex=\"0\"><code data-lang=\"mermaid\">a--&gt;b\n</code></pre></div>\n"},
		// The words of a picture left a barrier behind, over which </details> did not reach.
		{"an element ends behind a picture in it", "<details>\n\n![a](b.png)\n\n</details>\n\nc", "<details><p><span class=\"picture\" title=\"b.png\">a</span></p>\n</details>\n<p>c</p>\n"},
		{"what a template fills in", "version {{ version }}.\n\n{% include \"x.md\" %}", "<p>version <code class=\"placeholder\" title=\"filled in by the build of the site\">version</code>.</p>\n" +
			"<p><code class=\"placeholder\" title=\"filled in by the build of the site\">x.md</code></p>\n"},
		{"statements of a template leave nothing", "{% raw %}\n\n`{{ a }}` {{ b }}\n\n{% endraw %}", "<p><code>{{ a }}</code> {{ b }}</p>\n"},
		{"a picture in a figure of MkDocs", "<figure markdown=\"span\">\n  ![a](b.png){ width=\"9\" }\n  <figcaption>c</figcaption>\n</figure>\n\nd", "<figure><p><span class=\"picture\" title=\"b.png\">a</span></p>\n  <figcaption>c</figcaption></figure>\n<p>d</p>\n"},
		{"macros of MDN", "{{domxref(\"Window/fetch\", \"fetch()\")}} {{domxref(\"Window/fetch\")}} {{HTMLElement('a')}} {{Glossary(\"x\")}}", "<p><span>fetch()</span> <span>Window.fetch</span> <span>&lt;a&gt;</span> <span>x</span></p>\n"},
		{"an id is not shown", "# A b {#c_d_e}", "<h1 id=\"c_d_e\" tabindex=\"-1\">A b<a class=\"anchor\" href=\"#c_d_e\" aria-label=\"link to this section\">#</a></h1>\n"},
		{"struck, and a rule", "~~a~~ ~b~\n\n***", "<p><del>a</del> ~b~</p>\n<hr>\n"},
		{"a footnote where it stands", "a^[b *c*.] d^[e <f>]", "<p>a<sup class=\"note-mark\"><a href=\"#docent-note-1\" id=\"docent-mark-1\">1</a></sup> d<sup class=\"note-mark\"><a href=\"#docent-note-2\" id=\"docent-mark-2\">2</a></sup></p>\n<hr>\n<ol class=\"notes\">\n<li id=\"docent-note-1\">b <em>c</em>.<a class=\"note-back\" href=\"#docent-mark-1\" aria-label=\"back to the text\">↩</a></li>\n<li id=\"docent-note-2\">e <a class=\"note-back\" href=\"#docent-mark-2\" aria-label=\"back to the text\">↩</a></li>\n</ol>\n"},
		{"keys", "++ctrl+arrow-up++", "<p><span class=\"keys\"><kbd>Ctrl</kbd>+<kbd>↑</kbd></span></p>\n"},
		{"numbers in code lead to what explains them", "```py\nx = 1  # (1)!\ny  # a (2)!\nf(3)!\n```\n\n1. a\n    1. b\n2. c", "<div class=\"code\"><p class=\"code-lang\" aria-hidden=\"true\">py</p><pre tabindex=\"0\"><code data-lang=\"py\">x = 1  " + number("1") + "\ny  # a " + number("2") + "\nf(3)!\n</code></pre></div>\n<ol>\n<li id=\"docent-line-1-1\" tabindex=\"-1\">a\n<ol>\n<li>b</li>\n</ol>\n</li>\n<li id=\"docent-line-1-2\" tabindex=\"-1\">c</li>\n</ol>\n"},
		{"those that nothing explains lead nowhere", "```{ .c .annotate hl_lines=\"1\" }\nx /* (1) */\na--; f(1)\n```\n\na\n\n1. b", "<div class=\"code\"><p class=\"code-lang\" aria-hidden=\"true\">c</p><pre tabindex=\"0\"><code data-lang=\"c\"><span class=\"line hl\">x /* <span class=\"line-number\" role=\"img\" aria-label=\"number 1\" data-number=\"1\"></span> */\n</span>a--; f(1)\n</code></pre></div>\n<p>a</p>\n<ol>\n<li>b</li>\n</ol>\n"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rendered(tt.src); got != tt.want {
				t.Errorf("%q gives\n%s\nwant\n%s", tt.src, got, tt.want)
			}
		})
	}
}

// Pictures of the corpus are shown, others are named.
func TestPictures(t *testing.T) {
	to := Places{
		Link: func(dest string, _ *doc.Link) Link {
			if strings.HasPrefix(dest, "https:") {
				return Link{Href: dest, Foreign: true}
			}
			return Link{}
		},
		Picture: func(dest string, wiki bool) string {
			if dest == "cat.png" || wiki && dest == "far.png" {
				return "/picture/" + dest
			}
			return ""
		},
	}
	const lazy = ` loading="lazy" decoding="async"`
	for src, want := range map[string]string{
		"![a *cat* & `x`](cat.png \"t<\")":          `<img src="/picture/cat.png" alt="a cat &amp; x"` + lazy + ` title="t&lt;">`,
		"![a cat|120](cat.png)":                     `<img src="/picture/cat.png" alt="a cat"` + lazy + ` width="120">`,
		"![[cat.png|120x80]]":                       `<img src="/picture/cat.png" alt="cat.png"` + lazy + ` width="120" height="80">`,
		"![[far.png|a cat|99]]":                     `<img src="/picture/far.png" alt="a cat"` + lazy + ` width="99">`,
		"![[gone.png|120]]":                         `<span class="picture" title="gone.png">gone.png</span>`,
		"x <i><img src=cat.png width=50% height=7>": `x <i><img src="/picture/cat.png" alt=""` + lazy + ` height="7"></i>`,
		"![x](https://x.y/cat.png)":                 `<a href="https://x.y/cat.png" rel="noopener noreferrer nofollow" class="picture" title="https://x.y/cat.png">x</a>`,
		"[![x](https://x.y/z)](b)":                  `<span><span class="picture" title="https://x.y/z">x</span></span>`,
		"![a ![b](c) d](cat.png)":                   `<img src="/picture/cat.png" alt="a b d"` + lazy + `>`,
	} {
		d := markdown.Parse("a.md", []byte(src))
		if got := string(Render(&d, to).HTML); got != "<p>"+want+"</p>\n" {
			t.Errorf("%s gives\n%s, want\n%s", src, got, want)
		}
	}
}

// Every anchor that docent knows is a place in the page. (So it is of all 81,007
// headings of MDN's reference.)
func TestAnchorsAreDocents(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../../../../examples", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !doc.IsMarkdown(file) {
			return err
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		parsed := markdown.Parse(file, src)
		page := string(Render(&parsed, Places{}).HTML)
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

// Every element that documents open has the same bound; boxes that fold had none.
func TestElementsNestToABound(t *testing.T) {
	for _, name := range []string{"div", "Note", "Accordion", "Expandable", "Tabs"} {
		page := rendered(strings.Repeat("<"+name+">\n\n", 3*maxElements) + "text\n")
		depth, deepest := 0, 0
		for _, tag := range regexp.MustCompile(`</?(div|details|section)`).FindAllString(page, -1) {
			if depth++; tag[1] == '/' {
				depth -= 2
			}
			deepest = max(deepest, depth)
		}
		if depth != 0 || deepest > maxElements+1 || deepest < 10 {
			t.Errorf("%s: %d deep, %d left open", name, deepest, depth)
		}
	}
}
