package markdown

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/needs"
)

// Pages show all 652 examples of the CommonMark specification as it does.
func TestSpecPages(t *testing.T) {
	cases := specCases(t)
	if len(cases) != 652 {
		t.Fatalf("%d examples, not 652", len(cases))
	}
	for i, c := range cases {
		if got := specHTML([]byte(c.Markdown)); got != c.HTML {
			t.Errorf("example %d, %q:\n%s\nnot:\n%s", i+1, c.Markdown, got, c.HTML)
		}
	}
}

// gitHubDiffers are the examples of GitHub's additions that pages show in
// another way, and why.
var gitHubDiffers = map[string]string{
	"strikethrough 3": "one tilde is no mark here, nor for the index",
}

// Pages show GitHub's additions as goldmark's examples of them do: tables,
// struck text and tasks.
func TestGitHubExamples(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		needs.Missing(t, "the go command", "it finds the examples")
	}
	const end, middle = "//= = = = = = = = = = = = = = = = = = = = = = = =//", "//- - - - - - - - -//\n"
	align := regexp.MustCompile(`align="(\w+)"`)
	n := 0
	for _, name := range []string{"table", "strikethrough", "tasklist"} {
		b, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "extension", "_test", name+".txt"))
		if err != nil {
			needs.Missing(t, "goldmark's examples in the module cache", err.Error())
		}
		for text := range strings.SplitSeq(string(b), end) {
			parts := strings.Split(text, middle)
			if len(parts) != 3 {
				continue
			}
			n++
			number, _, _ := strings.Cut(strings.TrimSpace(parts[0]), ":")
			want := align.ReplaceAllString(parts[2], `style="text-align:$1"`)
			want = strings.ReplaceAll(want, `type="checkbox">`, `type="checkbox" />`)
			got := specHTML([]byte(strings.ReplaceAll(parts[1], `\t`, "\t")))
			if same := sameHTML(got, want); same == (gitHubDiffers[name+" "+number] != "") {
				t.Errorf("%s %s, %q:\n%s\nnot:\n%s", name, number, parts[1], got, want)
			}
		}
	}
	if n < 20 {
		t.Errorf("%d examples", n)
	}
}

// sameHTML compares two pages without the line ends between their tags.
func sameHTML(a, b string) bool {
	line := func(s string) string {
		for strings.Contains(s, ">\n<") {
			s = strings.ReplaceAll(s, ">\n<", "><")
		}
		return strings.TrimSpace(strings.ReplaceAll(s, "&#39;", "'"))
	}
	return line(a) == line(b)
}

// pageOutline writes the pieces of a document one after another.
func pageOutline(src string) string {
	d := Parse("a.md", []byte(src))
	var b strings.Builder
	NewPage(&d).Walk(func(p *Piece) {
		if p.Close {
			b.WriteString(")")
			return
		}
		name := map[PieceKind]string{
			QuotePiece: "quote", BoxPiece: "box", LabelPiece: "label", ListPiece: "list", ItemPiece: "item", ParagraphPiece: "p", HeadingPiece: "h", TablePiece: "table",
			RowPiece: "row", CellPiece: "cell", LinkPiece: "link", ImagePiece: "image", EmphasisPiece: "em", StrongPiece: "strong",
			StruckPiece: "del", CodePiece: "code", HTMLPiece: "html", RulePiece: "rule", CodeSpanPiece: "`", TagPiece: "tag",
			AddressPiece: "address", NotePiece: "note", NoteMarkPiece: "mark", InlineNotePiece: "aside", KeysPiece: "keys", CallPiece: "call", TermsPiece: "terms", TermPiece: "term", DefinitionPiece: "definition", MarkPiece: "marked", ComponentPiece: "component", MathPiece: "$", KnownPiece: "known", TaskPiece: "task", BreakPiece: "break", SoftPiece: "soft",
		}[p.Kind]
		switch p.Kind {
		case HeadingPiece:
			name += fmt.Sprint(p.Level)
			if p.Heading != nil {
				name += "#" + p.Heading.Anchor
			}
		case QuotePiece, BoxPiece:
			if name += p.Alert; p.Plain && string(p.Info) != p.Alert {
				name += "=" + string(p.Info)
			}
			name += [...]string{"", "-", "+"}[p.Fold]
		case ParagraphPiece:
			if p.Tight {
				name = "t"
			}
		case CodePiece, NotePiece:
			name += " " + string(p.Info)
		case ListPiece:
			if p.Defines {
				name = "terms list"
			}
		case NoteMarkPiece:
			b.WriteString("<mark " + string(p.Text) + ">")
			return
		case MathPiece:
			if p.Display {
				name = "$$"
			}
		case ComponentPiece:
			b.WriteString("<component>")
			return
		case LinkPiece, ImagePiece:
			name += " " + string(p.Target)
		case KnownPiece:
			name += " " + p.Link.Target + " as " + p.Link.Text
		case TaskPiece:
			name += fmt.Sprint(p.Done)
		}
		if name != "" {
			b.WriteString("<" + name + ">")
		}
		b.Write(p.Text)
		if p.Kind <= LabelPiece {
			b.WriteString("(")
		}
	})
	return b.String()
}

func TestPagePieces(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"front matter is no text", "---\ntitle: x\n---\n\na", "<p>(a)"},
		{"nor is a byte order mark", "\ufeff# A", "<h1#a>(A)"},
		{"a heading has what Parse calls it", "# A b {#c}\n\n## A\n\nD\n---", "<h1#c>(A b)<h2#a>(A)<h2#d>(D)"},
		{"a heading without text has one too", "# A\n\n#", "<h1#a>(A)<h1#section>()"},
		{"an id with underscores", "## `a` {#A_B_C}", "<h2#A_B_C>(<`>a)"},
		{"an alert", "> [!note]\n> a", "<quotenote>(<p>(a))"},
		{"an alert in capitals, with nothing in it", "> [!TIP]", "<quotetip=TIP>()"},
		{"a callout with a title", "> [!info]- A *b*\n> c", "<quotenote->(<label>(A <em>(b))<p>(c))"},
		{"no alert", "> [!NOTE](a)", "<quote>(<p>(<link a>(!NOTE)))"},
		{"a block of MkDocs", "!!! warning \"A `b`\"\n    c\n\n    - d\n\ne", "<boxwarning>(<label>(A <`>b)<p>(c)<list>(<item>(<t>(d))))<p>(e)"},
		{"one without a title, that folds", "??? danger\n    a", "<boxcaution=danger->(<p>(a))"},
		{"tabs", "=== \"A\"\n    a\n=== \"B\"\n    b", "<boxnote>(<label>(A)<p>(a))<boxnote>(<label>(B)<p>(b))"},
		{"one in an item", "- a\n\n  !!! tip\n      b\n\n  c", "<list>(<item>(<p>(a)<boxtip>(<p>(b))<p>(c)))"},
		{"a paragraph ends with the block", "!!! tip\n    a\nb", "<boxtip>(<p>(a))<p>(b)"},
		{"a container", ":::tip A b\nc\n:::\nd", "<boxtip>(<label>(A b)<p>(c))<p>(d)"},
		{"its title in brackets, and attributes", "::: info [A] {#b}\nc\n:::", "<boxnote>(<label>(A)<p>(c))"},
		{"containers in containers", "::::note\n:::danger\na\n:::\nb\n::::", "<boxnote>(<boxcaution=danger>(<p>(a))<p>(b))"},
		{"a container in an item", "- a\n  :::tip\n  b\n  :::\n- c", "<list>(<item>(<t>(a)<boxtip>(<p>(b)))<item>(<t>(c)))"},
		{"a line of colons that opens nothing", "::: a b\n\nd", "<p>(::: a b)<p>(d)"},
		{"a shortcode around text", "{{< note >}}\na\n{{< /note >}}\nb", "<boxnote>(<p>(a))<p>(b)"},
		{"one with a title", "{{% warning title=\"A\" %}}\na\n{{% /warning %}}", "<boxwarning>(<label>(A)<p>(a))"},
		{"one of Liquid", "{% tip %}\n\na\n\n{% endtip %}", "<boxtip>(<p>(a))"},
		{"one in an item of a list", "1. a\n\n   {{< caution >}}\n   b\n   {{< /caution >}}\n", "<list>(<item>(<p>(a)<boxcaution>(<p>(b))))"},
		{"one that does not close", "{{< note >}}\na", "<p>(<call>note<soft>a)"},
		{"one in text that says what is seen", "the {{< glossary_tooltip text=\"Pods\"\nterm_id=\"pod\" >}} and {{< skew x >}}", "<p>(the Pods and <call>x)"},
		{"one with values", "{{< feature-state for=\"v1.24\" state=\"stable\" >}}", "<p>(<call>v1.24 <call>stable)"},
		{"one with settings alone", "{{% thirdparty-content %}} {{< gist class=\"a\" >}}", "<p>(<call>thirdparty-content <call>gist)"},
		{"one in a heading", "## {{% heading \"whatsnext\" %}}", "<h2#whats-next>(<call>heading \"whatsnext\")"},
		{"one that closes what stood elsewhere", "a {{< /table >}} b", "<p>(a  b)"},
		{"one around code in a line", "a {{< highlight go \"hl_inline=true\" >}}b{{< /highlight >}} c", "<p>(a b c)"},
		{"one around code", "a\n{{< highlight go \"hl_lines=1\" >}}\n# b\n\n    - c\n{{< /highlight >}}\nd", "<p>(a)<code go># b\n\n    - c\n<p>(d)"},
		{"one around a diagram in an item", "- a\n\n  {{< mermaid >}}\n  b --> c\n  {{</ mermaid >}}\n", "<list>(<item>(<p>(a)<code mermaid>b --> c\n))"},
		{"one around code that its item leaves open", "- {{< mermaid >}}\n  b\n\nc {{< /mermaid >}}", "<list>(<item>(<t>(<soft>b)))<p>(c )"},
		{"one that is an example", "```\n{{< note >}}\na\n{{< /note >}}\n```", "<code >{{< note >}}\na\n{{< /note >}}\n"},
		{"an import, and what follows it", "import A from 'a'\nexport const b = {\n  c: 1,\n}\n\n# D\n\n<A x={1}>\n\ne\n\n</A>", "<component><h1#d>(D)<component><p>(e)<component>"},
		{"a task", "- [x] a\n- [ ] b", "<list>(<item>(<t>(<taskone> a))<item>(<t>(<task> b)))"},
		{"a wiki link", "see [[a#b|c *d*]].", "<p>(see <known a#b as c *d*>.)"},
		{"a value that a template puts there", "version {{ version }}, {{site.name | upper }}", "<p>(version <call>version, <call>site.name | upper)"},
		{"statements of a template are not shown", "a {% if x %}b{%- endif -%}\n\n{% set y = 1 %}\n{% for i in y %}\nc\n{% endfor %}", "<p>(a b)<p>(c<soft>)"},
		{"nor are its comments", "a{# todo #} b", "<p>(a b)"},
		{"what is included has a name", "{% include 'a/b.md' %} {% include-markdown \"../c.md\" start=1 %}", "<p>(<call>a/b.md <call>../c.md)"},
		{"raw text is as it is written", "{% raw %}{{ a }} {% if %} *b*{% endraw %} {{ c }}", "<p>({{ a }} {% if %} <em>(b) <call>c)"},
		{"over several blocks", "{% raw %}\n\n{{ a }}\n\n```\n{{ b }}\n```\n\n{% endraw %}\n\n{{ c }}", "<p>()<p>({{ a }})<code >{{ b }}\n<p>()<p>(<call>c)"},
		{"code keeps its braces", "`{{ a }}` `{% if %}`\n\n```\n{% raw %}{{ b }}\n```\n\n    {{ c }}\n\n{{ d }}", "<p>(<`>{{ a }} <`>{% if %})<code >{% raw %}{{ b }}\n<code >{{ c }}\n<p>(<call>d)"},
		{"braces of others are text", "{{#if a}} ${{ b }} {{{c}}} {{ d `e` }} {% unknown %} {{ f", "<p>({{#if a}} ${{ b }} {{{c}}} {{ d <`>e }} {% unknown %} {{ f)"},
		{"Markdown in an element of MkDocs", "<figure markdown=\"span\">\n  ![a](b){ width=\"9\" }\n  <figcaption>c</figcaption>\n</figure>\nd", "<html><figure markdown=\"span\">\n<p>(<image b>(a))<html>  <figcaption>c</figcaption>\n</figure>\nd\n"},
		{"in a list in it", "<div class=\"x\" markdown>\n- a\n</div>", "<html><div class=\"x\" markdown>\n<list>(<item>(<t>(a)))<html></div>\n"},
		{"an element that says it has none", "<div markdown=\"0\" title=\"markdown\">\n*a*\n</div>", "<html><div markdown=\"0\" title=\"markdown\">\n*a*\n</div>\n"},
		{"an alert with a no-break space", "> [!abstract]\u00a0**A**: b", "<quoteimportant>(<label>(<strong>(A): b))"},
		{"a macro", "{{domxref(\"X\")}} y", "<p>(<known domxref(\"X\") as X> y)"},
		{"a bare address", "(https://a.b/c) \"https://d.e\"", "<p>((<known https://a.b/c as https://a.b/c>) \"<known https://d.e as https://d.e>\")"},
		{"a bare address on the second line", "> a\n> https://b.c", "<quote>(<p>(a<soft><known https://b.c as https://b.c>))"},
		{"an address in code is code", "`https://a.b`", "<p>(<`>https://a.b)"},
		{"an address that is a link's text", "[https://a.b](c)", "<p>(<link c>(https://a.b))"},
		{"a wiki link in a table", "a|b\n-|-\n[[x\\|y]]|z", "<table>(<row>(<cell>(a)<cell>(b))<row>(<cell>(<known x as y>)<cell>(z)))"},
		{"a pipe in code in a table", "a|b\n-|-\n`x\\|y`", "<table>(<row>(<cell>(a)<cell>(b))<row>(<cell>(<`>x|y)))"},
		{"a shortcode as a target", "[a]({{< ref \"b\" >}})", "<p>(<link {{< ref \"b\" >}}>(a))"},
		{"a footnote", "a[^1] b[^2]\n\n[^1]: c\n    d\n\n    e\n\nf", "<p>(a<mark 1> b[^2])<note 1>(<p>(c<soft>d)<p>(e))<p>(f)"},
		{"a footnote ends a paragraph", "a[^x]\n[^x]: b\nc", "<p>(a<mark x>)<note x>(<p>(b<soft>c))"},
		{"a term and its definitions", "a\nb\n: c\n: d\n\n  e\n\nf\n: g\n\nh", "<terms>(<term>(a<soft>b)<definition>(<p>(c))<definition>(<p>(d)<p>(e)))<terms>(<term>(f)<definition>(<p>(g)))<p>(h)"},
		{"a colon alone begins no definition", "a\n:b\n\n: c", "<p>(a<soft>:b)<p>(: c)"},
		{"definitions of MDN", "- a\n  - : b\n- c\n  - : d", "<terms list>(<item>(<t>(a)<terms list>(<item>(<t>(b))))<item>(<t>(c)<terms list>(<item>(<t>(d)))))"},
		{"a footnote where it stands", "a^[b *c* [d](e)] f", "<p>(a<aside>(b <em>(c) <link e>(d)) f)"},
		{"one in a link, and in another", "[a ^[b c. ^[d e]]](f)", "<p>(<link f>(a <aside>(b c. <aside>(d e))))"},
		{"no footnote", "^[a-z]+ ^[a b](c) ^[a b ^x \\^[a b] `^[a b]`", "<p>(^[a-z]+ ^<link c>(a b) ^[a b ^x ^[a b] <`>^[a b])"},
		{"keys", "(++ctrl+alt+del++), ++F5++ ++arrow-up++", "<p>((<keys>ctrl+alt+del), <keys>F5 <keys>arrow-up)"},
		{"no keys", "C++ and C++; i++ + ++i, ++x y++ ++nothing++ ++++ a++b++ ++a++b", "<p>(C++ and C++; i++ + ++i, ++x y++ ++nothing++ ++++ a++b++ ++a++b)"},
		{"marked text", "==a *b*== c==d==e == f", "<p>(<marked>(a <em>(b)) c==d==e == f)"},
		{"a box that is folded", "??? note \"t\"\n\n    a", "<boxnote->(<label>(t)<p>(a))"},
		{"a box that can be folded", "???+ note\n\n    a", "<boxnote+>(<p>(a))"},
		{"a quote that is folded", "> [!tip]- t\n> a", "<quotetip->(<label>(t)<p>(a))"},
		{"references of MkDocs", "[F][a.b.F] [`x()`][] [b.c][] x[0][] [a][b]", "<p>(<link a.b.F>(F) <link x>(<`>x()) <link b.c>(b.c) x[0][] [a][b])"},
		{"to names without dots", "[Enums][enum], [init-only][dataclasses-init-only] x[row][column] [1st][row] [ij][col]", "<p>(<link enum>(Enums), <link dataclasses-init-only>(init-only) x[row][column] [1st][row] [ij][col])"},
		{"an object of mkdocstrings", "::: a.b.c\n    options:\n      d: 1\n\nd", "<component><p>(d)"},
		{"attributes are not shown", "[a](b){ .c #d } `e`{.f} **g**{: .h } ![i](j){ width=\"3\" } {k} f(x){.y}\n{ .l }", "<p>(<link b>(a) <`>e <strong>(g) <image j>(i) {k} f(x){.y}<soft>)"},
		{"nor at the end of a heading", "# A { .b }\n\n## C {d}", "<h1#a--b->(A)<h2#c-d>(C {d})"},
		{"mathematics", "a $x_1$ b $5 and $10, $y$z $ w $ `$v$` $$u$$", "<p>(a <$>x_1 b $5 and $10, $y$z $ w $ <`>$v$ <$$>u)"},
		{"mathematics on its own lines", "a\n\n$$\nx\n- y\n$$\n\n$$z$$\n\n$$w", "<p>(a)<$$>\nx\n- y\n\n<$$>z\n<p>($$w)"},
		{"a definition is not shown", "[a]\n\n[a]: b 'c'", "<p>(<link b>(a))"},
		{"a table ends a paragraph", "a\nb|c\n-|-", "<p>(a)<table>(<row>(<cell>(b)<cell>(c)))"},
		{"a head of another width", "a|b|c\n-|-", "<p>(a|b|c<soft>-|-)"},
		{"a blank line in a fence is no blank line of the list", "- ```\n\n  ```\n- a", "<list>(<item>(<code >\n)<item>(<t>(a)))"},
		{"nor is one in a quote", "- > a\n  >\n- b", "<list>(<item>(<quote>(<p>(a)))<item>(<t>(b)))"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := strings.ReplaceAll(strings.ReplaceAll(tt.want, "<taskone>", "<tasktrue>"), "<task>", "<taskfalse>")
			if got := pageOutline(tt.src); got != want {
				t.Errorf("%q gives\n%s\nwant\n%s", tt.src, got, want)
			}
		})
	}
}

// Nesting ends: a page says so of its containers, and shows text without
// emphasis that is deeper than anyone means.
func TestPageDepth(t *testing.T) {
	for src, deep := range map[string]bool{
		strings.Repeat("> ", maxPageDepth-1) + "a":   false,
		strings.Repeat("> ", maxPageDepth+1) + "a":   true,
		strings.Repeat("- ", maxPageDepth/2-1) + "a": false,
		strings.Repeat("- ", maxPageDepth) + "a":     true,
		strings.Repeat("- ", maxPageDepth):           false, // a rule
	} {
		if p := NewPage(&doc.Document{Source: []byte(src)}); p.Deep != deep {
			t.Errorf("%q: deep is %v", src, p.Deep)
		}
	}
	open, deepest, text := 0, 0, 0
	NewPage(&doc.Document{Source: []byte(strings.Repeat("*a **b ", 500) + "c" + strings.Repeat("** d*", 500))}).Walk(func(p *Piece) {
		switch {
		case p.Kind == TextPiece:
			text += len(p.Text)
		case p.Close:
			open--
		default:
			open++
			deepest = max(deepest, open)
		}
	})
	if open != 0 || deepest != 1+maxInline || text < 3000 {
		t.Errorf("%d open, %d deep, %d bytes of text", open, deepest, text)
	}
}
