package web

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/surface/web/content"
	"github.com/docent-md/docent/internal/text/markdown"
	"pgregory.net/rapid"
)

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
		if got := string(content.Render(&d, content.Places{Link: w.link}).HTML); got != "<p>"+want+"</p>\n" {
			t.Errorf("%s gives %s", src, got)
		}
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
			out := newRenderer().render(context.Background(), &d, content.Places{})
			if (out.Why != "") != tt.refused {
				t.Errorf("not rendered because %q", out.Why)
			}
			if len(out.HTML) > 40*len(tt.src)+1000 {
				t.Errorf("%d bytes of %d", len(out.HTML), len(tt.src))
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

// written are all the tags that a document's page may be made of.
var written = func() *regexp.Regexp {
	const text = `[^"'<>]*`
	return regexp.MustCompile(strings.Join([]string{
		`</?(p|em|strong|del|code|ul|ol|li|blockquote|table|thead|tbody|tr|th|td)>`,
		`</?(b|i|u|s|ins|kbd|mark|sub|sup|small|abbr|q|cite|samp|var|dfn|bdi|dl|dt|dd|tfoot|caption|details|summary|figure|figcaption|div)>`,
		`<(br|hr|details open)>`, `</(h[1-6]|a|span|div|pre)>`, `<span>`,
		`<img src="/picture/` + text + `" alt="` + text + `" loading="lazy" decoding="async"( width="\d+")?( height="\d+")?( title="` + text + `")?>`,
		`<h[1-6]( id="` + text + `" tabindex="-1")?>`,
		`<a class="anchor" href="#` + text + `" aria-label="link to this section">`,
		`<a href="(/|#|https?://|mailto:)` + text + `"( rel="noopener noreferrer nofollow")?( class="\w+")?( title="` + text + `")?>`,
		`<span class="\w+"( title="` + text + `")?>`,
		`<span class="task" role="img" aria-label="(done|open)">`,
		`<(div|details|details open) class="callout is-\w+">`, `<(p|summary) class="label">`, `</section>`,
		`<p class="code-(title|lang)"( aria-hidden="true")?>`, `<span class="line (hl|add|cut)">`, `<ul class="terms">`, `<ol class="notes">`,
		`<sup class="note-mark">`, `<a href="#docent-note-\d+"( id="docent-mark-\d+")?>`, `<li id="docent-note-\d+">`,
		`<a class="note-back" href="#docent-mark-\d+" aria-label="back to the text">`, `<section class="tab">`, `<div class="tabs">`,
		`<div class="formula" tabindex="0" role="group" aria-label="formula">`, `<div class="code" data-diagram>`,
		`</?(math|mrow|mi|mn|mo|mtext|mspace|msub|msup|msubsup|munder|mover|munderover|mfrac|msqrt|mroot|mtable|mtr|mtd)` +
			`( display="block"| stretchy="false"| fence="true" stretchy="true"| mathvariant="normal"| linethickness="0"| width="[\d.]+(em)?")?>`,
		`<a class="line-number" href="#docent-line-\d+-\d+" aria-label="explained in \d+" data-number="\d+">`, `<li id="docent-line-\d+-\d+" tabindex="-1">`,
		`<span class="line-number" role="img" aria-label="number \d+" data-number="\d+">`,
		`<div class="embed">`, `<p class="embed-(title|heading)">`,
		`<span class="place" id="` + text + `">`,
		`<ol start="\d+">`, `<t[hd] class="(right|center)">`,
		`<div class="(code|center|p)">`, `<pre tabindex="0">`, `<code data-lang="[-\w+#.]*">`,
		`<code class="placeholder" title="filled in by the build of the site">`,
		`<div class="table" role="group" aria-label="table" tabindex="0">`,
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
		"a|b\n-|-\n%s|c", "%s|b\n-|-", "<div>\n%s\n</div>", "<!-- %s", "<!-- a --> %s", "&%s;", "\\%s", "[a]({{< %s >}})", "a[^%s]\n\n[^%s]: b", "[^a]: %s\n\na[^a]", "%s\n: a", "a\n: %s", "==%s==", "a^[%s b]", "^[%s.] c", "++%s++", "++ctrl+%s++", "```a\n%s # (1)!\n# %s (2)!\n```\n\n1. %s", "```{.a .annotate %s}\nx // %s (3)\n```\n\n%s", "$%s$", "$\\text{%s}$", "$\\mathrm{%s}\\tag{%s}$", "```math\n%s\n```", "```mermaid\n%s\n```", "$$\n%s\n$$", "[a][b.%s]", "[](){#%s}", "[a](b){ %s }", "???+ %s \"%s\"\n\n    a", "=== \"%s\"\n\n    a", "```a title=\"%s\"\nx\n```", "```diff\n+%s\n```", "<Tabs>\n<TabItem label=\"%s\">\n%s\n</TabItem>\n</Tabs>\n\nimport a from 'b'", "import a from 'b'\n\n<Tabs>\n<TabItem label=\"%s\">\n\n%s\n\n</TabItem>\n</Tabs>\n", "![[%s.png]]", "![[a.png|%s]]", "<kbd %s>a</kbd>", "<details %s>\n<summary>%s</summary>\n\na", "<img src=\"%s\" alt=\"%s\">", "<a href=\"%s\">a</a>", "<table><tr><td %s>%s", "1%s. a", "---\ntitle: %s\n---\n\n# a",
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
		checkWritten(t, fmt.Sprintf("%q", b.String()), string(content.Render(&d, content.Places{Link: w.link}).HTML))
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
		out := newRenderer().render(context.Background(), &d, content.Places{Link: w.link})
		checkMarkup(t, "page", string(out.HTML))
		checkWritten(t, "page", string(out.HTML))
		if strings.Count(string(out.HTML), "<a ") != strings.Count(string(out.HTML), "</a>") {
			t.Errorf("links are not closed in %s", out.HTML)
		}
	})
}
