package markdown

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docent-md/docent/doc"
)

func TestHeadings(t *testing.T) {
	for _, c := range []struct{ name, text, title, anchor string }{
		{"plain", "# Hello, World!", "Hello, World!", "hello-world"},
		{"closing marks", "## a # b ##", "a # b", "a--b"},
		{"underlined, on two lines", "a\n  b\n===", "a b", "a-b"},
		{"code keeps its characters", "# The `a_b` *and* __c__ `` ` ``", "The a_b and c `", "the-a_b-and-c-"},
		{"underscores within words stay", "# snake_case_name and _em_", "snake_case_name and em", "snake_case_name-and-em"},
		{"marks that do not pair stay", "# *args and **kwargs, __x", "*args and **kwargs, __x", "args-and-kwargs-__x"},
		{"links are their text", "# See [the *docs*](/a \"b\") and ![icon](i.png)", "See the docs and icon", "see-the-docs-and-icon"},
		{"wiki links are their alias", "# [[page|Alias]] x", "Alias x", "alias-x"},
		{"HTML goes", "# a <b id=\"x\">c</b><br/>d <!-- e -->", "a c d", "a-c-d"},
		{"entities are characters", "# a &amp; b &copy; &lt;c&gt;", "a & b © <c>", "a--b--c"},
		{"escapes", `# \*a\* \# b`, "*a* # b", "a--b"},
		{"an explicit id wins", "## Title {#my-id}", "Title", "my-id"},
		{"an explicit id among attributes", "## Title {.cls #my-id k=v}", "Title", "my-id"},
		{"an explicit id in a comment", "## Title {/* #my-id */}", "Title", "my-id"},
		{"an explicit id in a comment, without sign", "## Title {/*my-id*/}", "Title", "my-id"},
		{"an explicit id before closing marks", "## Title {#my-id} ##", "Title", "my-id"},
		{"a template is no id", "## {{#if}}", "#if", "if"},
		{"braces are no id", "## a {b}", "a {b}", "a-b"},
		{"a shortcode heading has its words", `## {{% heading "whatsnext" %}}`, "What's next", "whats-next"},
		{"an unknown shortcode heading has its argument", `## {{% heading "other" %}}`, "other", "other"},
		{"macros are their arguments", `## The {{domxref("Node.a", "a()")}} method`, "The Node.a a() method", "the-nodea-a-method"},
		{"Unicode", "## Größe Ç 日本語 😀 ΣΑΣ", "Größe Ç 日本語 😀 ΣΑΣ", "größe-ç-日本語--σας"},
		{"nothing to name it by", "## !!!", "!!!", "section"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("a.md", []byte(c.text))
			if len(d.Headings) != 1 {
				t.Fatalf("%d headings", len(d.Headings))
			}
			if h := d.Headings[0]; h.Title != c.title || h.Anchor != c.anchor {
				t.Errorf("%q #%s, not %q #%s", h.Title, h.Anchor, c.title, c.anchor)
			}
		})
	}
}

// Anchors follow github-slugger, nested headings included; explicit ids come
// first wherever they stand.
func TestAnchorsAreUnique(t *testing.T) {
	d := Parse("a.md", []byte(lines(
		"# a", "> ## a", "- ### a", "## a-1", "## b", "## x {#b}", "## y {#b}", "## !", "## ?",
	)))
	var got []string
	for _, h := range d.Headings {
		got = append(got, fmt.Sprint(h.Anchor, " ", h.Nested))
	}
	want := []string{"a false", "a-1 true", "a-2 true", "a-1-1 false", "b-2 false", "b false", "b-1 false", "section false", "section-1 false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// testdata/slugs.tsv was made with github-slugger 2.0.0.
func TestSlugEqualsGithubSlugger(t *testing.T) {
	f, err := os.Open("testdata/slugs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		in, out, ok := strings.Cut(sc.Text(), "\t")
		if strings.HasPrefix(in, "#") || !ok {
			continue
		}
		n++
		if in[0] == '[' {
			var texts, want, got []string
			decode(t, in, &texts)
			decode(t, out, &want)
			var s slugger
			for _, text := range texts {
				got = append(got, slug(&s, text))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", in, diff)
			}
			continue
		}
		var text, want string
		decode(t, in, &text)
		decode(t, out, &want)
		if got := slug(new(slugger), text); got != want {
			t.Errorf("slug(%q) = %q, not %q", text, got, want)
		}
	}
	if n < 80 {
		t.Errorf("only %d cases", n)
	}
}

func slug(s *slugger, text string) string { return string(s.unique(appendSlug(nil, []byte(text)), 0)) }

func decode(t *testing.T, s string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s), v); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
}

func TestSections(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // level title parent lines
	}{
		{"an empty file is one section without lines", "", []string{"1 a -1 0-0"}},
		{"text alone", "x\n", []string{"1 a -1 1-1"}},
		{
			"the first heading belongs to the document",
			lines("---", "title: T", "---", "", "<!-- c -->", "# A", "x", "## B", "### C", "## D", "# E", "### F"),
			[]string{"1 A -1 1-7", "2 B 0 8-8", "3 C 1 9-9", "2 D 0 10-10", "1 E 0 11-11", "3 F 4 12-12"},
		},
		{
			"not when text precedes it",
			lines("x", "# A", "## B"),
			[]string{"1 A -1 1-1", "1 A 0 2-2", "2 B 1 3-3"},
		},
		{
			"nor when it is of level 2",
			lines("## B", "# A"),
			[]string{"1 A -1 0-0", "2 B 0 1-1", "1 A 0 2-2"},
		},
		{
			"imports and components may precede it",
			lines("import X from 'x'", "", "<X/>", "", "# A", "## B"),
			[]string{"1 A -1 1-5", "2 B 0 6-6"},
		},
		{
			"nested headings open no section",
			lines("# A", "> # B", "- # C", "!!! note", "    # D", ":::tip", "# E", ":::", "# F"),
			[]string{"1 A -1 1-8", "1 F 0 9-9"},
		},
		{
			"levels may be left out",
			lines("# A", "#### B", "### C", "###### D", "## E"),
			[]string{"1 A -1 1-1", "4 B 0 2-2", "3 C 0 3-3", "6 D 2 4-4", "2 E 0 5-5"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("dir/a.md", []byte(c.text))
			if err := check(&d); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range d.Sections {
				got = append(got, fmt.Sprintf("%d %s %d %d-%d", s.Level, s.Title, s.Parent, s.Lines.Start, s.Lines.End))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDocumentTitle(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"front matter", "a.md", "---\ntitle: T\n---\n# A\n", "T"},
		{"first level-1 heading, wherever", "a.md", "## B\n\n> # N\n\n# A\n", "A"},
		{"a nested one when there is no other", "a.md", "> # N\n", "N"},
		{"file name", "dir/getting started.md", "## B\n", "getting started"},
		{"an empty heading is no title", "a.md", "#\n# B\n", "B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := Parse(c.path, []byte(c.text)); d.Title != c.want {
				t.Errorf("%q, not %q", d.Title, c.want)
			}
		})
	}
}

// A title is repeated for every chunk below it: a heading of a megabyte took a minute
// and a gigabyte to index. Its title and anchor end early, its words are text.
func TestLongHeadingsAreCut(t *testing.T) {
	src := "---\ndescription: " + strings.Repeat("about ", 500) + "\n---\n# " + strings.Repeat("word ", 1000) + "end\n\n## b {#" + strings.Repeat("c", 500) + "}\n"
	d := Parse("a.md", []byte(src))
	h := &d.Headings[0]
	if len(h.Title) > maxTitle || len(h.Anchor) > maxTitle || !IsCut(h) || !strings.HasSuffix(h.Title, "word…") {
		t.Errorf("title %q, anchor %q", h.Title, h.Anchor)
	}
	if len(d.Title) > maxTitle || len(d.Description) > maxDescription || len(d.Headings[1].Anchor) > maxTitle {
		t.Errorf("title %q, description %q, anchor %q", d.Title, d.Description, d.Headings[1].Anchor)
	}
	text := string(AppendText(nil, &d, doc.Span{End: len(src)}))
	if !strings.Contains(text, "word end") || strings.Count(text, "about") != 500 {
		t.Errorf("what was cut off is no text: %q", text)
	}
}
