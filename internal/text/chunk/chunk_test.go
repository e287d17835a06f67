package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/token"
)

// words counts words. With it the sizes in these tests can be read off.
func words(text []byte) int { return len(strings.Fields(string(text))) }

// prose returns n words in lines of ten.
func prose(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("word")
		if i%10 == 9 || i == n-1 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func split(src string, p chunk.Policy) []doc.Chunk {
	return chunk.Split(markdown.Parse("guide.md", []byte(src)), p)
}

// outline shows which headings each chunk holds: "A+B" begins with A and holds
// B too, "A/2" is the second part of A.
func outline(d doc.Document, chunks []doc.Chunk) string {
	var out []string
	for _, c := range chunks {
		name := c.Title
		if c.Part > 0 {
			name += fmt.Sprintf("/%d", c.Part)
		}
		for _, s := range d.Sections {
			if s.Span.Start > c.Span.Start && s.Span.Start < c.Span.End {
				name += "+" + s.Title
			}
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestSmallSectionsJoin(t *testing.T) {
	big, small, tiny := "\n"+prose(150)+"\n", "\n"+prose(60)+"\n", "\n"+prose(20)+"\n"
	for _, tt := range []struct{ name, src, want string }{
		{"sections of some size stand alone", "# T\n" + big + "## A\n" + big + "## B\n" + big, "T A B"},
		{"a small one joins the previous sibling", "# T\n" + big + "## A\n" + big + "## B\n" + small, "T A+B"},
		{"without a sibling before it, its parent", "# T\n" + big + "## A\n" + small + "## B\n" + big, "T+A B"},
		{"small siblings join each other", "# T\n" + big + "## A\n" + big + "## B\n" + small + "## C\n" + small, "T A B+C"},
		{
			"and no more of them than needed",
			"# T\n" + big + "## A\n" + small + "## B\n" + small + "## C\n" + small + "## D\n" + small + "## E\n" + small,
			"T A+B C+D+E",
		},
		{"a bare heading keeps its first child", "# T\n" + big + "## A\n" + big + "## B\n### B1\n" + big + "### B2\n" + big, "T A B+B1 B2"},
		{"so does a heading with a few words", "# T\n" + big + "## A\n" + big + "## B\n" + tiny + "### B1\n" + big, "T A B+B1"},
		{"a small document is one chunk", "# T\n" + tiny + "## A\n" + tiny + "### B\n" + tiny + "## C\n", "T+A+B+C"},
		{"a title without text keeps the first section", "# T\n\n## A\n" + big + "## B\n" + big, "T+A B"},
		{"so does front matter", "---\ntitle: T\n---\n\n## A\n" + big + "## B\n" + big, "T+A B"},
		{"after a sibling with children, the last of those", "# T\n" + big + "## A\n" + big + "### A1\n" + big + "## B\n" + small + "## C\n" + big, "T A A1+B C"},
		{"also when what is under it has no room", "# T\n" + big + "## A\n" + big + "### A1\n" + big + "## B\n" + small + "### B1\n\n" + prose(780), "T A A1+B B1"},
		{"where that has no room, the next sibling", "# T\n" + big + "## A\n\n" + prose(780) + "\n## B\n" + small + "## C\n" + big, "T A B+C"},
		{"also if that has something under it", "# T\n" + big + "## A\n\n" + prose(780) + "\n## B\n" + small + "## C\n" + big + "### C1\n" + big, "T A B+C C1"},
		{"what must be split takes it in", "# T\n" + big + "## A\n" + strings.Repeat("\n"+prose(150)+"\n", 7) + "## B\n" + small, "T A/1 A/2+B"},
		{"nothing joins what it would make too large", "# T\n" + big + "## A\n\n" + prose(780) + "\n## B\n" + small, "T A B"},
		{"deeper headings stay inside", "# T\n" + big + "## A\n" + big + "#### B\n" + big, "T A+B"},
		{"headings alone are one chunk", "# T\n## A\n### B\n## C\n", "T+A+B+C"},
		{"two titles are two sections", "# T\n" + big + "# U\n" + big, "T U"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := markdown.Parse("guide.md", []byte(tt.src))
			chunks := chunk.Split(d, chunk.Policy{Count: words})
			if got := outline(d, chunks); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestLargeSectionsSplit(t *testing.T) {
	para := prose(150) + "\n"
	for _, tt := range []struct{ name, src, want string }{
		{"between blocks", "# T\n\n" + strings.Repeat(para, 7), "T/1 T/2"},
		{"at deeper headings first", "# T\n\n" + para + "#### A\n\n" + para + para + para + "#### B\n\n" + para + para, "T+A B"},
		{"at those too, when they are too large themselves", "# T\n\n#### A\n\n" + strings.Repeat(para, 6) + "#### B\n\n" + para, "T+A A/1+B"},
		{"a bare heading with its first child's first part", "# T\n\n" + para + "## A\n\n### B\n\n" + strings.Repeat(para, 6), "T A+B B/1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := markdown.Parse("guide.md", []byte(tt.src))
			chunks := chunk.Split(d, chunk.Policy{Count: words})
			if got := outline(d, chunks); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestListsInListsAreCutAtItems(t *testing.T) {
	src, indent := "# T\n\n", ""
	for range 5 {
		src += indent + "- a:\n"
		indent += "  "
	}
	for i := range 12 {
		src += fmt.Sprintf("%s- item %d\n%s  %s", indent, i, indent, prose(90))
	}
	d := markdown.Parse("guide.md", []byte(src))
	chunks := chunk.Split(d, chunk.Policy{Count: words})
	if len(chunks) < 2 {
		t.Fatal("one chunk")
	}
	for _, c := range chunks[1:] {
		if first, _, _ := strings.Cut(strings.TrimSpace(c.Text), "\n"); !strings.HasPrefix(first, "- item") {
			t.Errorf("a chunk begins with %q, inside an item", first)
		}
	}
}

func TestChunkKnowsItsPlace(t *testing.T) {
	src := "# Guide\n\n" + prose(150) + "\n## Auth\n\n" + prose(150) + "\n### JWT tokens\n\n" + prose(150)
	chunks := split(src, chunk.Policy{Count: words})
	if len(chunks) != 3 {
		t.Fatalf("%d chunks", len(chunks))
	}
	c := chunks[2]
	if c.Title != "JWT tokens" || c.Anchor != "jwt-tokens" || strings.Join(c.Path, " > ") != "Guide > Auth > JWT tokens" {
		t.Errorf("got %q, %q, %q", c.Title, c.Anchor, c.Path)
	}
	if want := (doc.Lines{Start: 37, End: 53}); c.Lines != want {
		t.Errorf("lines %v, want %v", c.Lines, want)
	}
	if c.Tokens != words([]byte(c.Text)) || c.Text != src[c.Span.Start:c.Span.End] {
		t.Errorf("%d tokens in %q", c.Tokens, c.Text)
	}
}

// What is added around a cut, shown in full.
func TestCutsAreRepaired(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{
			"fences are repeated around code",
			"```go\n" + strings.Repeat("a b c d\n", 3) + "\n" + strings.Repeat("e f g h\n", 3) + "```\n",
			[]string{
				"```go\n" + strings.Repeat("a b c d\n", 3) + "\n```\n",
				"```go\n" + strings.Repeat("e f g h\n", 3) + "```\n",
			},
		},
		{
			"also in a list item, where the mark is blanked out",
			"- ```go\n  " + strings.Repeat("a b c d\n  ", 3) + "\n  " + strings.Repeat("e f g h\n  ", 3) + "```\n",
			[]string{
				"- ```go\n" + strings.Repeat("  a b c d\n", 3) + "  \n  ```\n",
				"- ```go\n" + strings.Repeat("  e f g h\n", 3) + "  ```\n",
			},
		},
		{
			"and in a quote",
			"> ~~~~\n" + strings.Repeat("> a b c\n", 2) + ">\n" + strings.Repeat("> d e f\n", 2) + "> ~~~~\n",
			[]string{
				"> ~~~~\n" + strings.Repeat("> a b c\n", 2) + ">\n> ~~~~\n",
				"> ~~~~\n" + strings.Repeat("> d e f\n", 2) + "> ~~~~\n",
			},
		},
		{
			"carriage returns are kept",
			"```\r\n" + strings.Repeat("a b c d\r\n", 6) + "```\r\n",
			[]string{
				"```\r\n" + strings.Repeat("a b c d\r\n", 3) + "```\r\n",
				"```\r\n" + strings.Repeat("a b c d\r\n", 3) + "```\r\n",
			},
		},
		{
			"the head of a table is repeated",
			"|a|b|\n|-|-|\n" + strings.Repeat("|1|2|\n", 20),
			[]string{
				"|a|b|\n|-|-|\n" + strings.Repeat("|1|2|\n", 9),
				"|a|b|\n|-|-|\n" + strings.Repeat("|1|2|\n", 11),
			},
		},
		{
			"a list is cut between its items",
			strings.Repeat("- a b c d\n  e f\n", 4),
			[]string{strings.Repeat("- a b c d\n  e f\n", 2), strings.Repeat("- a b c d\n  e f\n", 2)},
		},
		{
			"what introduces a block stays with it",
			"a b c d e f\n\ng h i as follows:\n\n- j k l m n o p\n",
			[]string{"a b c d e f\n\n", "g h i as follows:\n\n- j k l m n o p\n"},
		},
		{
			"so does a heading",
			"a b c d e f g h i\n\n#### H\n\nj k l m n o\n",
			[]string{"a b c d e f g h i\n\n", "#### H\n\nj k l m n o\n"},
		},
		{
			"one long line is cut after a sentence",
			"A b c d e f. G h i j k. L m n o p q.\n",
			[]string{"A b c d e f. ", "G h i j k. L m n o p q.\n"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range split(tt.src, chunk.Policy{Min: 1, Max: 16, Count: words}) {
				got = append(got, c.Text)
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		p    chunk.Policy
		want string
	}{
		{chunk.Policy{}, ""},
		{chunk.Policy{Window: true}, ""},
		{chunk.Policy{Depth: 6, Min: 1, Max: 2000, Overlap: 50}, ""},
		{chunk.Policy{Max: 50}, ""}, // the default minimum gives way
		{chunk.Policy{Depth: 7}, "chunk policy: heading depth 7 is not from 1 to 6"},
		{chunk.Policy{Depth: -1}, "chunk policy: heading depth -1 is not from 1 to 6"},
		{chunk.Policy{Min: -1}, "chunk policy: smallest chunk of -1 tokens: must not be negative"},
		{chunk.Policy{Max: 15}, "chunk policy: largest chunk of 15 tokens: must be at least 16"},
		{chunk.Policy{Min: 900}, "chunk policy: smallest chunk of 900 tokens is over the largest of 800"},
		{chunk.Policy{Min: 900, Window: true}, "chunk policy: smallest chunk of 900 tokens is over the largest of 320"},
		{chunk.Policy{Overlap: 60}, "chunk policy: overlap of 60 % is not from 1 to 50"},
	} {
		got := ""
		if err := tt.p.Validate(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.p, got, tt.want)
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	src := document(500)
	d := markdown.Parse("guide.md", src)
	for _, bb := range []struct {
		name string
		p    chunk.Policy
	}{
		{"sections", chunk.Policy{}},
		{"windows", chunk.Policy{Window: true}},
	} {
		bb.p.Count = token.O200k().Count
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				chunk.Split(d, bb.p)
			}
		})
	}
}
