package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/needs"
)

var linkKinds = map[doc.LinkKind]string{
	doc.Inline: "inline", doc.Reference: "reference", doc.Auto: "auto", doc.Wiki: "wiki", doc.Macro: "macro",
}

func TestLinks(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // [image] kind: text -> target
	}{
		{"inline", `[a](b) [c]( d.md "t" ) [e]() [f](<g h> 'i') [j](k "l" m)`, []string{"inline: a -> b", "inline: c -> d.md", "inline: e -> ", "inline: f -> g h"}},
		{"targets with parentheses and escapes", `[a](b(c)d) [e](f\)g) [h](<i\>j>) [k](l`, []string{"inline: a -> b(c)d", `inline: e -> f\)g`, `inline: h -> i\>j`}},
		{"text with brackets, code and marks", "[a [b] `]` *c* \\] d](e)", []string{"inline: a [b] ] c ] d -> e"}},
		{"over lines, also in quotes", "> [a\n> b](c\n> \"t\n> u\")", []string{"inline: a b -> c"}},
		{"links do not nest, images do", `[a [b](c) d](e) [![f](g)](h) ![i [j](k)](l)`, []string{"inline: b -> c", "inline: f -> h", "image inline: f -> g", "image inline: i j -> l", "inline: j -> k"}},
		{"references", "[a][B  c] [d][] [d] ![e][d] [f][none] [none]\n\n[b C]: /x 'y'\n[D]: <z>", []string{"reference: a -> /x", "reference: d -> z", "reference: d -> z", "image reference: e -> z"}},
		{"definitions anywhere, the first wins", "> [a]: 1\n\n[a]\n\n- [a]: 2", []string{"reference: a -> 1"}},
		{"a definition in code is none", "```\n[a]: 1\n```\n\n[a]", nil},
		{"addresses", "<https://a.b> <x@y.z> see https://c.d/e_(f), or (http://g.h/i). ftp://no xhttps://no", []string{"auto: https://a.b -> https://a.b", "auto: x@y.z -> x@y.z", "auto: https://c.d/e_(f) -> https://c.d/e_(f)", "auto: http://g.h/i -> http://g.h/i"}},
		{"an address as the text of a link is its text", "[https://a.b](https://c.d)", []string{"inline: https://a.b -> https://c.d"}},
		{"wiki", "[[a]] [[b c|d]] [[e#f]] ![[g.png|100]] [[h#^i]]", []string{"wiki: a -> a", "wiki: d -> b c", "wiki: e#f -> e#f", "image wiki: 100 -> g.png", "wiki: h#^i -> h#^i"}},
		{"wiki in tables", "| a |\n|---|\n| [[b\\|c]] |", []string{"wiki: c -> b"}},
		{"double brackets that are no wiki links", "[[a]](b) [[ -f x ]] [[c]]\n\n[c]: d", []string{"inline: [a] -> b", "reference: c -> d"}},
		{"macros", `{{domxref("Node")}} {{ cssxref("a", "b") }} {{Compat}} {{EmbedLiveSample('x', 20)}}`, []string{`macro: Node -> domxref("Node")`, `macro: a b -> cssxref("a", "b")`, `macro: x -> EmbedLiveSample('x', 20)`}},
		{"shortcodes as targets", `[a]({{< ref "b#c" >}}) [d]({{% relref "e f" %}} "t")`, []string{`inline: a -> {{< ref "b#c" >}}`, `inline: d -> {{% relref "e f" %}}`}},
		{"not in code, tags or comments", "`[a](b)` <a title='[c](d)'> <!-- [e](f) -->\n\n    [g](h)\n\n```\n[i](j)\n```", nil},
		{"escaped", `\[a](b) [c\](d) \![e](f) !\[g](h)`, []string{"inline: e -> f"}},
		{"HTML in text", `a <a class=x href="b">c <i>d</i></a> <img alt="e f" src=g>`, []string{"inline: c d -> b", "image inline: e f -> g"}},
		{"HTML blocks", "<div>\n<a href='b'>c</a>\n<!-- <a href=no> -->\n</div>\n\n<script>\n'<a href=no>'\n</script>", []string{"inline: c -> b"}},
		{"in headings, lists and tables", "# [a](b)\n\n- [c](d)\n\n| [e](f) |\n|---|", []string{"inline: a -> b", "inline: c -> d", "inline: e -> f"}},
		{"tasks and footnotes are no links", "- [ ] a\n- [x] b[^1]\n\n[^1]: c", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("a.md", []byte(c.text))
			if err := check(&d); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range d.Links {
				s := fmt.Sprintf("%s: %s -> %s", linkKinds[l.Kind], l.Text, l.Target)
				if l.Image {
					s = "image " + s
				}
				got = append(got, s)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLinksKnowWhereTheyStand(t *testing.T) {
	d := Parse("a.md", []byte(lines("[a](1)", "# B", "x", "y [b](2) [c](3)", "## C", "- z", "  [d](4)")))
	var got []string
	for _, l := range d.Links {
		got = append(got, fmt.Sprintf("%s line %d section %d %q", l.Target, l.Line, l.Section, l.Span.Of(d.Source)))
	}
	want := []string{
		`1 line 1 section 0 "[a](1)"`, `2 line 4 section 1 "[b](2)"`,
		`3 line 4 section 1 "[c](3)"`, `4 line 7 section 2 "[d](4)"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// oracleLinks returns the targets of goldmark's links and images, in order.
func oracleLinks(src []byte) (out []string) {
	root := oracle().Parse(gmtext.NewReader(src))
	_ = ast.Walk(root, func(n ast.Node, in bool) (ast.WalkStatus, error) {
		if in {
			switch n := n.(type) {
			case *ast.Link:
				out = append(out, string(n.Destination))
			case *ast.Image:
				out = append(out, string(n.Destination))
			case *ast.AutoLink:
				out = append(out, string(n.Label(src)))
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

// commonLinks returns the links that CommonMark has too: not those of HTML, wiki pages, macros and bare addresses.
func commonLinks(d *doc.Document) (out []doc.Link) {
	for _, l := range d.Links {
		tag := d.Source[l.Span.Start] == '<'
		if (l.Kind == doc.Inline || l.Kind == doc.Reference) && !tag || l.Kind == doc.Auto && tag {
			out = append(out, l)
		}
	}
	return out
}

// In the examples of the specification we find the links of CommonMark, in its
// order, with their targets.
func TestSpecLinks(t *testing.T) {
	for i, ex := range specExamples(t) {
		d := Parse("x.md", []byte(ex))
		var got []string
		for _, l := range commonLinks(&d) {
			got = append(got, l.Target)
		}
		if diff := cmp.Diff(oracleLinks(blankFrontMatter(&d)), got); diff != "" {
			t.Errorf("example %d, %q: %s", i+1, ex, diff)
		}
	}
}

// linkDifferences counts, by cause, the links that only we find over a corpus,
// and those that only goldmark finds.
type linkDifferences struct{ mkdocs, shortcode, footnote, missing int }

// wantedLinks lists every difference over the corpora. What we do not find are
// brackets in the arguments of macros, {{jsxref("a", "[b]()")}}, and a footnote
// that goldmark, not told of footnotes, takes for a definition.
var wantedLinks = map[string]linkDifferences{
	"mdn-reference": {missing: 17},
	"pydantic":      {mkdocs: 56},
	"k8s":           {shortcode: 13},
	"rust":          {footnote: 1, missing: 1},
}

func TestLinksAgreeWithGoldmark(t *testing.T) {
	needs.Time(t)
	for _, name := range someCorpora() {
		var got linkDifferences
		n := 0
		for _, f := range corpus(t, name) {
			d := Parse(f.path, f.text)
			theirs := map[string]int{}
			for _, target := range oracleLinks(blankFrontMatter(&d)) {
				n++
				theirs[target]++
			}
			links := commonLinks(&d)
			mkdocs := func(l doc.Link) bool {
				above := bytes.Split(d.Source, newline)[max(l.Line-2, 0)]
				return cause(&d, difference{feature{start: l.Line, end: l.Line}, true}) == inMkDocs || bytes.HasPrefix(above, []byte("<figure markdown"))
			}
			// Links in MkDocs blocks last: goldmark sees some of them.
			slices.SortStableFunc(links, func(a, b doc.Link) int { return compareBool(mkdocs(a), mkdocs(b)) })
			for _, l := range links {
				switch {
				case theirs[l.Target] > 0:
					theirs[l.Target]--
				case strings.HasPrefix(l.Target, "{{"):
					got.shortcode++
				case mkdocs(l):
					got.mkdocs++
				case bytes.HasPrefix(bytes.Split(d.Source, newline)[l.Line-1], []byte("[^")):
					got.footnote++
				default:
					t.Errorf("%s:%d: only we have a link to %q", f.path, l.Line, l.Target)
				}
			}
			for _, k := range theirs {
				got.missing += k
			}
		}
		t.Logf("%s: %d links", name, n)
		if got != wantedLinks[name] {
			t.Errorf("%s: %+v, not %+v", name, got, wantedLinks[name])
		}
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
