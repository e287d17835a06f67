package docent_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

// A hit that is cut keeps what answers, then its beginning, then what is next to these.
func TestCutHitsShowWhatWasAskedFor(t *testing.T) {
	dir := t.TempDir()
	flags, rows, prose := &strings.Builder{}, &strings.Builder{}, &strings.Builder{}
	for i := range 60 {
		fmt.Fprintf(flags, "      --option-%s-limit int   sets something of no interest here\n", word(i))
		fmt.Fprintf(rows, "| key%s | sets something of no interest here |\n", word(i))
		fmt.Fprintf(prose, "Paragraph %s says nothing of interest about anything at all.\n\n", word(i))
	}
	for name, text := range map[string]string{
		"flags.md": "# Command\n\nRuns the thing.\n\n```text\n" + flags.String() + "      --hard-resync int   seconds between\n```\n",
		"table.md": "# Settings\n\nAll of them.\n\n| name | meaning |\n|---|---|\n" + rows.String() + "| graceSeconds | how long to wait |\n",
		"prose.md": "# Harbours\n\nWhat a harbour is.\n\n" + prose.String() + "Tides are told by the lighthouse keeper.\n\nAnd so on.\n",
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	lib := openIn(t, dir)
	for _, tt := range []struct {
		name, question string
		has            []string
	}{
		{"a line of a fence, which is opened again", "--hard-resync", []string{"```text\n[...]\n", "--hard-resync int   seconds between\n```\n"}},
		{"a row of a table, under its head", "graceSeconds", []string{"| name | meaning |\n|---|---|\n", "[...]\n", "| graceSeconds | how long to wait |\n"}},
		{"a paragraph, under the title", "tides lighthouse keeper", []string{"# Harbours\n\nWhat a harbour is.\n\n[...]\n\n", "qcxh says", "Tides are told by the lighthouse keeper.\n\nAnd so on.\n"}},
		{"the beginning has it", "what is a harbour", []string{"# Harbours\n\nWhat a harbour is.\n\nParagraph qaxa"}},
		{"paragraphs far apart", "harbour lighthouse", []string{"# Harbours\n\nWhat a harbour is.\n\n", "[...]\n\n", "Tides are told by the lighthouse keeper.\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(t, lib, answer.Query{Text: tt.question, Budget: 250})
			if len(a.Hits) == 0 || a.Hits[0].Cut == 0 {
				t.Fatalf("no hit that was cut: %+v", a.Hits)
			}
			body := a.Hits[0].Body
			for _, has := range tt.has {
				if !strings.Contains(body, has) {
					t.Errorf("has no %q:\n%s", has, body)
				}
			}
			text := &strings.Builder{}
			_ = a.WriteText(text)
			if n := tokens(t, text.String()); n > 250 {
				t.Errorf("%d tokens", n)
			}
		})
	}
}

// word is a name that no question has.
func word(i int) string { return string([]byte{'q', byte('a' + i/26), 'x', byte('a' + i%26)}) }
