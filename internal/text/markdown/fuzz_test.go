package markdown

import (
	"testing"

	"github.com/docent-md/docent/doc"
)

// Whatever the bytes: no panic, a document that keeps its promises, text that
// is not longer than what it was made of warrants, and no more steps than the
// size of the file allows.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	for _, ex := range specExamples(f) {
		f.Add([]byte(ex), false)
	}
	f.Fuzz(func(t *testing.T, src []byte, mdx bool) {
		path := "dir/file.md"
		if mdx {
			path += "x"
		}
		p := new(parser)
		d := p.parse(path, src)
		if err := check(&d); err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		if p.budget < -2*len(src) || p.scanner.steps > 40*len(src)+1000 {
			t.Fatalf("%q: budget %d, %d steps", src, p.budget, p.scanner.steps)
		}
		whole := AppendText(nil, &d, doc.Span{End: len(src)})
		if len(whole) > 4*len(src)+200 {
			t.Fatalf("%q: %d bytes of text", src, len(whole))
		}
		for _, s := range d.Sections {
			AppendText(nil, &d, s.Span)
		}
		for _, b := range d.Blocks {
			AppendText(nil, &d, b.Span)
		}
	})
}

// seeds show the fuzzer every construct.
var seeds = []string{
	"a^[b *c ^[d e](f)]* ++ctrl+c++ ^[ ++ ^[x y](z) [^[p q]][r] ++a++++b++\n",
	"",
	"\n",
	"\ufeff# Title\r\n\r\ntext\r\n",
	"---\ntitle: A\ntags: [a, b]\nx:\n  y: 1\n---\n# B {#id}\n## C {/* #c */}\n## D {/*d*/}\n",
	"+++\ntitle = \"A\"\n+++\n",
	"# a\n# a\n# a-1\n## !!!\n",
	"> [!NOTE] title\n> - a\n>   ```go\n>   x\n>   ```\n> | a | b |\n> |---|---|\n> | [[x\\|y]] | c |\n",
	"!!! note \"t\"\n    text\n\n    ```py\n    x\n    ```\n\n=== \"tab\"\n    # nested\n",
	"::::outer\n:::inner title\n## h\n:::\n::::\n\n::: a.b.c\n",
	"import A from 'a'\n\n<Tabs>\n<Tab value={{a: 1}}>\n\n# h\n\n</Tab>\n</Tabs>\n\nexport const x = {\n\n  a: 1\n}\n\ntext <A b=\"c\">d</A>\n",
	"[a](b \"c\") [d][e] [e][] [e] ![i](j) [![k](l)](m) <https://n> https://o.p/q). [[w]] ![[x|y]] {{r(\"s\")}} {{< t u=\"v\" >}}\n\n[e]: <f> 'g'\n",
	"<a href=\"x\">y</a> <img src=z alt=\"w\">\n\n<div>\n<a href='q'>\n</div>\n\n<script>\n<a href=no>\n</script>\n\n<!-- c\n\n-->\n",
	"Setext\nheading\n===\n\n[x]: y\nText\n---\n***\n\n    code\n\n    more\n\n1. a\n2) b\n\n- \n\n  c\n- [ ] d\n",
	"`` a ` b `` \\` *em* __strong__ ~~del~~ &amp; a_b_c **x\n",
	"| a \\| b | c |\n| :- | -: |\n| d\ntext | e\n\na\n:-\nb\n",
	"~~~~ info {1}\n```\n~~~\n~~~~\n```\nunclosed\n",
	"\t- a\n\t\tb\n-\tc\n\n\t  d\n>\te\n",
	"a\x00b\xff\xfe\n\x00# c\n",
}
