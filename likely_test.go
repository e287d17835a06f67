package docent_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

// An answer shows the text that is likely to answer, and of other hits a line: who needs
// more asks for it.
func TestAnswersAreAsLongAsTheyNeedToBe(t *testing.T) {
	files := map[string]string{
		"keys.md": "# Keys\n\n## Rotate a key\n\n" + strings.Repeat("To rotate a key, make a new one and revoke the old one.\n\n", 20) +
			"## Lost keys\n\n" + strings.Repeat("Something about doors and locks.\n\n", 30) + "A lost key is rotated at once: rotate it, then tell everybody.\n",
	}
	for i := range 6 {
		files[fmt.Sprintf("page%d.md", i)] = fmt.Sprintf("# Page %d\n\n%s\n\nKeys of page %d: see how to rotate a key.\n", i, strings.Repeat("Words that say nothing. ", 60), i)
	}
	lib := docsOf(t, files)
	text := func(q answer.Query) (string, *answer.Answer) {
		t.Helper()
		a := ask(t, lib, q)
		b := &strings.Builder{}
		if err := a.WriteText(b); err != nil {
			t.Fatal(err)
		}
		return b.String(), a
	}
	q := answer.Query{Text: "rotate a key", Limit: 5}
	short, a := text(q)
	if !strings.HasPrefix(short, "# [1] keys.md#rotate-a-key") || strings.Count(short, "\n# [") > 1 || !strings.Contains(short, "\n---\n\nmore:\n") {
		t.Errorf("not a text and leads:\n%s", short)
	}
	if !strings.Contains(short, "tokens)  Keys of page 0: see how to rotate a key.\n") {
		t.Errorf("a lead has not its best line:\n%s", short)
	}
	for i, h := range a.Hits {
		if h.Body == "" || h.AsLead != (i > 0) || h.AsLead != (h.BestLine != "") {
			t.Errorf("hit %d: lead %v, best line %q, %d bytes of text", i, h.AsLead, h.BestLine, len(h.Body))
		}
	}

	q.Budget = 600
	within, a := text(q)
	if n := tokens(t, within); n > q.Budget || !strings.Contains(within, "more:\n") || a.Hits[1].Body != "" {
		t.Errorf("%d tokens:\n%s", n, within)
	}

	q.Full = true
	full, a := text(q)
	if n := tokens(t, full); n > q.Budget || n < q.Budget/2 || strings.Contains(full, "more:\n") || len(a.Hits) < 2 || a.Hits[1].Body == "" {
		t.Errorf("in full, %d tokens:\n%s", n, full)
	}
}

// Leads showed "[](){#strict-mode}" for the best line, and links with their targets. Code is
// shown as it stands there.
func TestLeadsAreWords(t *testing.T) {
	lib := docsOf(t, map[string]string{
		"a.md": "# Anchors\n\n[](){#strict-mode-of-fields}\n\nFields have a [strict mode](b.md), of `Field` or [others][x.Other].\n",
		"b.md": "# Code\n\n```go\nmode[strict][i] = true\n```\n",
	})
	a := ask(t, lib, answer.Query{Text: "strict mode", Leads: true})
	got := map[string]string{}
	for _, h := range a.Hits {
		got[h.File] = h.BestLine
	}
	want := map[string]string{"a.md": "Fields have a strict mode, of Field or others.", "b.md": "mode[strict][i] = true"}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A section comes alone, unless what surrounds it is asked for; but what is missing of
// it is named.
func TestSectionsComeAlone(t *testing.T) {
	lib := docsOf(t, map[string]string{
		"a.md": "# A\n\nIntro. See [b](b.md).\n\n## One\n\nFirst.\n\n## Two\n\n" + strings.Repeat("Some words that say something.\n\n", 100),
		"b.md": "# B\n\nSee [one](a.md#one).\n",
	})
	v, err := lib.Section(t.Context(), "a.md#one", answer.SectionOptions{})
	if err != nil || v.Parent != nil || len(v.Siblings)+len(v.Children)+len(v.References)+len(v.Backlinks) > 0 {
		t.Errorf("%v, %+v", err, v)
	}
	b := &strings.Builder{}
	if err := v.WriteText(b); err != nil || !strings.HasSuffix(b.String(), "## One\n\nFirst.\n") {
		t.Errorf("%v: %q", err, b.String())
	}
	v, err = lib.Section(t.Context(), "a.md#one", answer.SectionOptions{Around: true})
	if err != nil || v.Parent == nil || len(v.Siblings) != 1 || v.LinkedFrom != 1 {
		t.Errorf("with what is around: %v, %+v", err, v)
	}
	brief, err := lib.Brief(t.Context(), "a.md", 200, answer.SectionOptions{})
	if err != nil || len(brief.Children) != 2 || brief.Parent != nil || len(brief.References) > 0 {
		t.Errorf("of a large section: %v, %+v", err, brief)
	}
}
