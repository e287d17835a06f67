package graph_test

import (
	"strings"
	"testing"
)

func TestWhereLinksLead(t *testing.T) {
	for _, tt := range []struct {
		name, corpus, from, link, want string
	}{
		// Paths from the file.
		{"a file beside", "a/x.md", "a/s.md", "[x](x.md)", "a/x.md"},
		{"a file above", "x.md", "a/b/s.md", "[x](../../x.md)", "x.md"},
		{"a file below", "a/b/x.md", "a/s.md", "[x](./b/x.md)", "a/b/x.md"},
		{"without extension", "a/x.md", "a/s.md", "[x](x)", "a/x.md"},
		{"with the extension of a page made of it", "a/x.md", "a/s.md", "[x](x.html)", "a/x.md"},
		{"with a slash at the end", "a/x.md", "s.md", "[x](a/x/)", "a/x.md"},
		{"an MDX file", "a/x.mdx", "a/s.md", "[x](x)", "a/x.mdx"},
		{"percent codes", "my notes/x y.md", "s.md", "[x](my%20notes/x%20y.md)", "my notes/x y.md"},
		{"angle brackets", "x y.md", "s.md", "[x](<x y.md>)", "x y.md"},
		{"a query is dropped", "x.md", "s.md", "[x](x.md?plain=1)", "x.md"},
		{"escapes and entities", "a_b&c.md", "s.md", `[x](a\_b&amp;c.md)`, "a_b&c.md"},
		{"backslashes as separators", "a/x.md", "a/b/s.md", `[x](..\x.md)`, "a/x.md"},
		{"a reference link", "x.md", "s.md", "[x][1]\n\n[1]: x.md", "x.md"},
		{"an HTML link", "x.md", "s.md", `<a href="x.md">x</a>`, "x.md"},
		{"letter case is forgiven and said", "Guide/X.md", "s.md", "[x](guide/x.md)", "Guide/X.md loosely"},
		{"the page's address as folder, as sites resolve it", "a/x.md", "a/s.md", "[x](../x/)", "a/x.md loosely"},
		{"a vault's own links go by name", "deep/Note.md", "s.md", "[x](Note.md)", "deep/Note.md loosely"},

		// Folders and their pages.
		{"a folder with an index", "a/index.md", "s.md", "[x](a/)", "a/index.md"},
		{"a folder with an _index", "a/_index.md", "s.md", "[x](a)", "a/_index.md"},
		{"a folder with a README", "a/README.md", "s.md", "[x](./a)", "a/README.md"},
		{"the folder one stands in", "a/README.md", "a/s.md", "[x](.)", "a/README.md"},
		{"the root", "README.md", "a/s.md", "[x](..)", "README.md"},
		{"the root of a site", "index.md", "a/s.md", "[x](/)", "index.md"},
		{"index before README", "a/README.md a/index.md", "s.md", "[x](a/)", "a/index.md"},
		{"the one that is named", "a/README.md a/index.md", "s.md", "[x](a/README.md)", "a/README.md"},
		{"a file before a folder of its name", "a.md a/index.md", "s.md", "[x](a)", "a.md"},
		{"unless a folder is meant", "a.md a/index.md", "s.md", "[x](a/)", "a/index.md"},
		{"index.html is the folder's page", "a/README.md", "s.md", "[x](a/index.html)", "a/README.md"},

		// Paths from the root of a site.
		{"from the root", "docs/x.md", "a/s.md", "[x](/docs/x)", "docs/x.md"},
		{"under a content folder", "content/en/docs/x.md", "content/en/docs/a/s.md", "[x](/docs/x/)", "content/en/docs/x.md"},
		{"the whole path first", "docs/x.md a/docs/x.md", "a/docs/s.md", "[x](/docs/x)", "docs/x.md"},
		{"the nearest of several sites", "content/de/docs/x.md content/en/docs/x.md", "content/en/s.md", "[x](/docs/x/)", "content/en/docs/x.md"},
		{"a language in the address", "content/zh-cn/docs/x.md content/en/docs/x.md", "content/en/s.md", "[x](/zh-cn/docs/x/)", "content/zh-cn/docs/x.md"},
		{"a prefix that has no folder", "guide/x.md", "s.md", "[x](/docs/guide/x)", "guide/x.md"},
		{"the same under a folder is a guess", "website/guide/x.md", "s.md", "[x](/docs/guide/x)", "website/guide/x.md loosely"},
		{"an unknown prefix is not dropped", "x.md", "s.md", "[x](/blog/2020/x)", "missing blog/2020/x"},
		{"deep paths", "c/a/b/c/d/e.md c/z/b/c/d/e.md", "s.md", "[x](/z/b/c/d/e)", "c/z/b/c/d/e.md"},
		{"Docusaurus' root", "docs/x.md", "docs/a/s.mdx", "[x](@site/docs/x.md)", "docs/x.md"},
		{"numbers that order files", "docs/01-intro/02-setup.md", "s.md", "[x](/docs/intro/setup)", "docs/01-intro/02-setup.md"},
		{"a version that a template puts there", "guide.md", "s.md", "[x](/docs/{{version}}/guide)", "guide.md"},
		{"a post under its date", "blog/_posts/2021-02-01-news.md", "s.md", "[x](/blog/2021/02/news/)", "blog/_posts/2021-02-01-news.md"},
		{"a path without its slash", "site/content/guide/x.md", "site/content/a/s.md", "[x](guide/x#page)", "site/content/guide/x.md#page loosely"},
		{"a template's base address", "guide/x.md", "s.md", "[x]({{site.baseurl}}/guide/x)", "guide/x.md"},

		// Declared names.
		{"a slug beside the file", "docs/x.md=---|slug: other|---|# X", "docs/s.md", "[x](other)", "docs/x.md"},
		{"a slug from the root", "docs/x.md=---|slug: /start|---|# X", "s.md", "[x](/start)", "docs/x.md"},
		{"a permalink", "_posts/x.md=---|permalink: /a/b/|---|# X", "s.md", "[x](/a/b)", "_posts/x.md"},
		{"an alias that is a path", "x.md=---|aliases: [/old/place/]|---|# X", "s.md", "[x](/old/place/)", "x.md"},
		{"MDN's slug", "api/fetch/index.md=---|slug: Web/API/Fetch_API|---|X", "s.md", "[x](/en-US/docs/Web/API/Fetch_API)", "api/fetch/index.md"},

		// Hugo.
		{"ref", "content/docs/x.md", "content/s.md", `[x]({{< ref "/docs/x" >}})`, "content/docs/x.md"},
		{"relref to a name", "content/a/x.md", "content/b/s.md", `[x]({{% relref "x.md" %}})`, "content/a/x.md"},
		{"relref beside first", "a/x.md b/x.md", "b/s.md", `[x]({{< relref "x" >}})`, "b/x.md"},
		{"ref with an anchor", "docs/x.md=# X||## Two Words", "s.md", `[x]({{< ref "docs/x.md#two-words" >}})`, "docs/x.md#two-words"},
		{"ref in HTML", "docs/x.md", "s.md", `<a href='{{< ref "docs/x.md" >}}'>x</a>`, "docs/x.md"},
		{"other shortcodes make addresses of their own", "x.md", "s.md", `[x]({{< param "x" >}})`, "external"},

		// Nowhere.
		{"no such page", "x.md", "a/s.md", "[x](y.md)", "missing a/y.md"},
		{"out of the corpus", "x.md", "a/s.md", "[x](../../../x.md)", "outside"},
		{"out of the corpus by codes", "x.md", "a/s.md", "[x](%2e%2e/%2e%2e/%2e%2e/etc/passwd)", "outside"},
		{"from the root out of the corpus", "x.md", "a/s.md", "[x](/../../x.md)", "outside"},
		{"a NUL", "x.md", "a/s.md", "[x](x%00.md)", "outside"},
		{"an image", "x.md", "a/s.md", "![x](../img/x.png)", "asset img/x.png"},
		{"a download", "x.md", "a/s.md", "[x](/files/x.yaml)", "asset files/x.yaml"},
		{"a file of an unknown kind", "x.md", "a/s.md", "[x](Makefile.am)", "asset a/Makefile.am"},
		{"an address", "x.md", "s.md", "[x](https://example.com/x.md)", "external"},
		{"a bare address", "x.md", "s.md", "https://example.com/x.md", "external"},
		{"mail", "x.md", "s.md", "<a@example.com>", "external"},
		{"an address without scheme", "x.md", "s.md", "[x](//example.com/x.md)", "external"},
		{"an address that a template makes", "x.md", "s.md", "[x]({{site.blog}}/x)", "external"},
		{"a name in a language", "x.md", "s.md", "[x](std::fmt::Display)", "external"},

		// Places in a file.
		{"a section", "x.md=# X||## Two Words", "s.md", "[x](x.md#two-words)", "x.md#two-words"},
		{"a section of its own", "x.md", "s.md", "[x](#here)\n\n## Here", "s.md#here"},
		{"no such section", "x.md", "s.md", "[x](x.md#nope)", "x.md: no nope"},
		{"the top", "x.md", "s.md", "[x](x.md#top)", "x.md#page"},
		{"an empty anchor", "x.md", "s.md", "[x](x.md#)", "x.md"},
		{"a rule of a specification", "ref/x.md=# X||r[items.fn]|text||## Y||r[items.fn.generic]|text", "s.md", "[x][items.fn.generic]\n\n[items.fn.generic]: items.fn.generic", "ref/x.md#y"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := lead(t, files(splitCorpus(tt.corpus)...), tt.from, tt.link)
			if len(got) != 1 || got[0] != tt.want {
				t.Errorf("%s in %s leads to %q, want %q", tt.link, tt.from, got, tt.want)
			}
		})
	}
}

// splitCorpus divides at spaces before a path, which ends in .md or .mdx.
func splitCorpus(s string) []string {
	if strings.Contains(s, "=") || strings.Contains(s, "x y") || strings.Contains(s, "&") {
		return []string{s}
	}
	return strings.Fields(s)
}

func TestWhereWikiLinksLead(t *testing.T) {
	notes := func() map[string]string {
		return files(
			"Home.md=# Home",
			"Start/Link notes.md=# Link notes||## First||### Deep||## Second||### Deep||text ^blk",
			"Plugins/Notes.md=# Notes",
			"Start/Notes.md=# Notes",
			"Start/a-b.md=---|title: Dashes|aliases: [Short, How to/Dash]|---|text",
			"Sub/README.md=# Sub",
			"Both/README.md=# Both",
			"Both/index.md=# Both",
			"Node.js.md=# N",
		)
	}
	for _, tt := range []struct{ name, from, link, want string }{
		{"a name", "s.md", "[[Home]]", "Home.md"},
		{"case does not matter", "s.md", "[[home]]", "Home.md"},
		{"text shown", "s.md", "[[Home|the start]]", "Home.md"},
		{"a bar in a table", "s.md", "| a |\n| - |\n| [[Home\\|x]] |", "Home.md"},
		{"the nearest", "Plugins/s.md", "[[Notes]]", "Plugins/Notes.md"},
		{"the nearest, from elsewhere: the order of paths", "s.md", "[[Notes]]", "Plugins/Notes.md"},
		{"with a folder", "s.md", "[[Start/Notes]]", "Start/Notes.md"},
		{"with extension", "s.md", "[[Home.md]]", "Home.md"},
		{"a heading", "s.md", "[[Link notes#Second]]", "Start/Link notes.md#second"},
		{"a heading under a heading", "s.md", "[[Link notes#Second#Deep]]", "Start/Link notes.md#deep-1"},
		{"a heading of its own", "s.md", "# T\n\n[[#Here I am!]]\n\n## Here I am!", "s.md#here-i-am"},
		{"a block", "s.md", "[[Link notes#^blk]]", "Start/Link notes.md#deep-1"},
		{"no such block", "s.md", "[[Link notes#^nope]]", "Start/Link notes.md: no ^nope"},
		{"no such heading", "s.md", "[[Home#Nope]]", "Home.md: no Nope"},
		{"an alias", "s.md", "[[short]]", "Start/a-b.md"},
		{"an alias with a slash", "s.md", "[[How to/Dash]]", "Start/a-b.md"},
		{"a title", "s.md", "[[Dashes]]", "Start/a-b.md"},
		{"space for dash", "s.md", "[[A b]]", "Start/a-b.md"},
		{"a folder", "s.md", "[[Sub]]", "Sub/README.md"},
		{"its page by name", "s.md", "[[Sub/README]]", "Sub/README.md"},
		{"its page by name, beside another", "s.md", "[[Both/README]]", "Both/README.md"},
		{"a folder of two pages", "s.md", "[[Both]]", "Both/index.md"},
		{"a full stop in a name", "s.md", "[[Node.js]]", "Node.js.md"},
		{"an embed", "s.md", "![[Home]]", "Home.md"},
		{"an embedded image", "s.md", "![[pic.png#right|100]]", "asset pic.png"},
		{"no such note", "s.md", "[[Nowhere]]", "missing Nowhere"},
		{"out of the vault", "s.md", "[[../../Home]]", "outside"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := lead(t, notes(), tt.from, tt.link)
			if len(got) != 1 || got[0] != tt.want {
				t.Errorf("%s in %s leads to %q, want %q", tt.link, tt.from, got, tt.want)
			}
		})
	}
}

func TestWhereMacrosLead(t *testing.T) {
	mdn := func() map[string]string {
		out := map[string]string{}
		for _, slug := range []string{
			"Web/API/AbortController", "Web/API/AbortController/abort", "Web/API/Fetch_API",
			"Web/JavaScript/Reference/Global_Objects/Array", "Web/JavaScript/Reference/Global_Objects/Array/map",
			"Web/JavaScript/Reference/Statements/for...of", "Web/CSS/Reference/Properties/color",
			"Web/CSS/Reference/Values/color_value", "Web/CSS/Reference/Values/calc", "Web/CSS/Reference/At-rules/@media",
			"Web/SVG/Reference/Attribute/color", "Web/HTML/Reference/Elements/a", "Web/HTML/Reference/Elements/Heading_Elements",
			"Web/HTTP/Reference/Headers/Accept", "Web/HTTP/Reference/Status/404", "Glossary/User_agent",
		} {
			path := strings.NewReplacer("...", "", "@", "_at_").Replace(strings.ToLower(strings.TrimPrefix(slug, "Web/"))) + "/index.md"
			out[path] = "---\ntitle: T\nslug: " + slug + "\n---\n\n## Examples\n\n- `once` {{optional_inline}}\n  - : Words.\n- [`code`](x)\n  - : `code` first.\n"
		}
		return out
	}
	for _, tt := range []struct{ link, want string }{
		{`{{domxref("AbortController")}}`, "api/abortcontroller/index.md"},
		{`{{DOMxRef('AbortController.abort()', 'abort')}}`, "api/abortcontroller/abort/index.md"},
		{`{{domxref("AbortController", "", "#examples")}}`, "api/abortcontroller/index.md#examples"},
		{`{{domxref("Fetch API")}}`, "api/fetch_api/index.md"},
		{`{{domxref("Nothing")}}`, "missing web/api/Nothing"},
		{`{{jsxref("Array.prototype.map()")}}`, "javascript/reference/global_objects/array/map/index.md"},
		{`{{jsxref("Statements/for...of", "for...of")}}`, "javascript/reference/statements/forof/index.md"},
		{`{{cssxref("color")}}`, "css/reference/properties/color/index.md"},
		{`{{cssxref("&lt;color&gt;")}}`, "css/reference/values/color_value/index.md"},
		{`{{cssxref("calc()")}}`, "css/reference/values/calc/index.md"},
		{`{{cssxref("@media")}}`, "css/reference/at-rules/_at_media/index.md"},
		{`{{SVGAttr("color")}}`, "svg/reference/attribute/color/index.md"},
		{`{{HTMLElement("a")}}`, "html/reference/elements/a/index.md"},
		{`{{HTMLElement("h2")}}`, "html/reference/elements/heading_elements/index.md"},
		{`{{httpheader("Accept")}}`, "http/reference/headers/accept/index.md"},
		{`{{HTTPStatus(404)}}`, "http/reference/status/404/index.md"},
		{`{{Glossary("user agent", "agents")}}`, "glossary/user_agent/index.md"},
		{`{{RFC(7231)}}`, "external"},
		{`{{NextMenu("Web/API/Fetch_API")}}`, "api/fetch_api/index.md"},
		{"[x](/en-US/docs/Web/API/Fetch_API#once)", "api/fetch_api/index.md#examples"},
		{"[x](/en-US/docs/Web/API/Fetch_API#code)", "api/fetch_api/index.md#examples"},
	} {
		got := lead(t, mdn(), "s.md", tt.link)
		if len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s leads to %q, want %q", tt.link, got, tt.want)
		}
	}
	if got := lead(t, mdn(), "s.md", `{{APIRef("DOM")}} {{EmbedLiveSample("x", 100, 100)}} {{ page.title("x") }}`); len(got) != 0 {
		t.Errorf("macros that are no links lead to %q", got)
	}
	if got := lead(t, mdn(), "s.md", `{{PreviousNext("Web/API/Fetch_API", "Web/API/AbortController")}}`); len(got) != 2 {
		t.Errorf("a macro with two pages leads to %q", got)
	}
}

// A reader is shown the second argument of a macro.
func TestMacroText(t *testing.T) {
	w := newWorld(t, files("s.md="+`{{domxref("A.b", "the b()")}} {{cssxref("&lt;color&gt;")}}`))
	var got []string
	for _, e := range w.out(t, w.walk(), "s.md") {
		got = append(got, e.Text)
	}
	if strings.Join(got, "|") != "the b()|<color>" {
		t.Errorf("texts are %q", got)
	}
}
