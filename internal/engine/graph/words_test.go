package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/engine/graph"
)

// manual is a document whose headings are numbered.
const manual = `# Manual

## 1 Start

## 2 Use

### 2.1 Keys

### 2.2.10 Deep

### D1.2.3 Exception vectors

## Chapter 4: Storage

## Appendix B: Operators

## 10.0.0.1 Is an address

## 1.2.3

## 3.4.5 (2024-05-01)

## End

`

func TestReferencesInWords(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string // "text -> where"
	}{
		{"see section", "See section 2.1 for keys.", []string{"See section 2.1 -> m.md#21-keys"}},
		{"see section with letters", "See section D1.2.3.", []string{"See section D1.2.3 -> m.md#d123-exception-vectors"}},
		{"refer to", "Please refer to 2.2.10 first", []string{"refer to 2.2.10 -> m.md#2210-deep"}},
		{"refer to section", "refer to Section 2.1", []string{"refer to Section 2.1 -> m.md#21-keys"}},
		{"in parentheses", "It is aligned (D1.2.3) to 2 kB", []string{"(D1.2.3) -> m.md#d123-exception-vectors"}},
		{"see in parentheses", "It is (see 2.1) so", []string{"see 2.1 -> m.md#21-keys"}},
		{"a chapter", "as chapter 4 says", []string{"chapter 4 -> m.md#chapter-4-storage"}},
		{"a chapter headed by its number", "as Chapter 2 says", []string{"Chapter 2 -> m.md#2-use"}},
		{"an appendix", "listed in Appendix B.", []string{"Appendix B -> m.md#appendix-b-operators"}},
		{"the sign", "as in § 2.1", []string{"§ 2.1 -> m.md#21-keys"}},
		{"several", "see sections 2.1, 1 and 2.2.10", []string{
			"see sections 2.1 -> m.md#21-keys", "1 -> m.md#1-start", "2.2.10 -> m.md#2210-deep",
		}},
		{"over a line ending", "see section\n2.1 now", []string{"see section 2.1 -> m.md#21-keys"}},
		{"over a line ending in a quote", "> see section\n> 2.1 now", []string{"see section 2.1 -> m.md#21-keys"}},
		{"emphasised", "see **section 2.1** now", []string{"section 2.1 -> m.md#21-keys"}},
		{"in a table", "| a |\n|---|\n| see section 2.1 |", []string{"see section 2.1 -> m.md#21-keys"}},
		{"at the end of a sentence", "See section 2.1.", []string{"See section 2.1 -> m.md#21-keys"}},

		{"unresolved ones are kept", "See section 9.9.", []string{"See section 9.9 -> missing "}},
		{"unresolved chapters too", "See chapter 77.", []string{"See chapter 77 -> missing "}},

		{"versions", "v1.2.3, version 1.2.3 (1.2.3) and see 1.2.3-rc1", nil},
		{"a release as heading is no section", "fixed in (3.4.5)", nil},
		{"addresses", "see 192.168.0.1 and (127.0.0.1)", nil},
		{"parentheses without such a heading", "It costs (9.9) more", nil},
		{"code", "`see section 2.1`\n\n    see section 2.1\n\n```\nsee section 2.1\n```", nil},
		{"links are links", "[section 2.1](https://example.com)", []string{"section 2.1 -> external"}},
		{"a section of something else", "section 4.2 of RFC 5280, RFC 5280 section 2.1, [RFC](https://x.example), section 2.1", []string{"RFC -> external"}},
		{"a section of this", "section 2.1 of this manual", []string{"section 2.1 -> m.md#21-keys"}},
		{"a law", "Section 508 compliance", nil},
		{"words that end alike", "intersection 2.1, subsection 2", nil},
		{"the pronoun", "the chapter I wrote", nil},
		{"compounds", "a section 2-way split", nil},
		{"comments", "<!-- see section 2.1 -->\n\ntext <!-- see section 2.1 --> text", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"m.md": manual + tt.text + "\n"})
			var got []string
			for _, e := range w.out(t, w.walk(), "m.md") {
				got = append(got, e.Text+" -> "+w.show(e))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q gives %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// A number that is not in the document is looked for in the others, and counts
// only when a single one has it.
func TestReferencesToOtherDocuments(t *testing.T) {
	corpus := files(
		"one.md=# One||## 7.1 Alone||## 7.2 Twice",
		"two.md=# Two||## 7.2 Twice||# Chapter 9: End||## 3. Step",
		"book/ch05-00-structs.md=## Structs",
		"book/ch05-01-more.md=## More",
	)
	got := lead(t, corpus, "s.md", "See section 7.1, section 7.2, chapter 9, chapter 5 and chapter 3.")
	want := []string{"one.md#71-alone loosely", "missing ", "two.md#chapter-9-end loosely", "book/ch05-00-structs.md loosely", "missing "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHeadingNumbers(t *testing.T) {
	for title, want := range map[string]string{
		"2.1 Keys":                 "2.1",
		"2.1. Keys":                "2.1",
		"2 Keys":                   "2",
		"2) Keys":                  "2",
		"§ 2.1 Keys":               "2.1",
		"D1.2.3 Exception vectors": "D1.2.3",
		"A.1 Grammar":              "A.1",
		"B. Operators":             "B",
		"Section 3: X":             "3",
		"Chapter 4":                "chapter 4",
		"Chapter 4: Storage":       "chapter 4",
		"CHAPTER IV — Storage":     "chapter IV",
		"Appendix B":               "appendix B",
		"Annex C Rules":            "appendix C",
		"2.1 `code`":               "2.1",
		"2.1 中文":                   "2.1",

		"":                 "",
		"Keys":             "",
		"1.2.3":            "",
		"v1.2.3 Title":     "",
		"1.2.3 (2024-5-1)": "",
		"1.2.3 - 2024":     "",
		"64-bit builds":    "",
		"3D graphics":      "",
		"2024 in review":   "2024", // single numbers count in their own document only
		"A tour of Go":     "",
		"100% coverage":    "",
	} {
		if got := graph.HeadingNumber(title); got != want {
			t.Errorf("the number of %q is %q, want %q", title, got, want)
		}
	}
}

// References carry the line and the section they stand in.
func TestReferencesKnowTheirPlace(t *testing.T) {
	w := newWorld(t, map[string]string{"m.md": "# A\n\n[x](y.md)\n\n## 2.1 B\n\nsee section 2.1\n[z](z.md)\n\nsee\nsection 2.1\n"})
	var got []string
	for _, e := range w.out(t, w.walk(), "m.md") {
		got = append(got, strings.Join([]string{e.Text, w[0].docs[0].Sections[e.From.Section].Title, string(rune('0' + e.Line%10))}, " "))
	}
	want := []string{"x A 3", "see section 2.1 2.1 B 7", "z 2.1 B 8", "see section 2.1 2.1 B 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
