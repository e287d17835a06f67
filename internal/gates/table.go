package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/generated"
)

// A row of the table.
type row struct{ id, text string }

func newRow(g *gate, o outcome, f form, at time.Time) row {
	day := at.Format(time.DateOnly)
	switch {
	case at.IsZero():
		day = ""
	case f.short:
		day += ", short"
	}
	cells := []string{g.id, g.holds, count(o.tried), count(o.bad), day, strings.Join(o.notes, "; ")}
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.ReplaceAll(c, "|", `\|`), "\n", " ")
	}
	return row{g.id, "| " + strings.Join(cells, " | ") + " |\n"}
}

// count writes a number with commas.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

const head = "| gate | what must hold | tried | bad | on | note |\n|---|---|---:|---:|---|---|\n"

func writeTable(w io.Writer, rows []row) error {
	b := &strings.Builder{}
	b.WriteString(head)
	for _, r := range rows {
		b.WriteString(r.text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// replaceTable puts rows into the table of a document. Rows of other gates stay.
func replaceTable(file string, rows []row) error {
	fresh := map[string]string{}
	for _, r := range rows {
		fresh[r.id] = r.text
	}
	return generated.Replace(file, "gates", func(old string) string {
		for line := range strings.Lines(old) {
			if id, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok && fresh[id] == "" {
				fresh[id] = line
			}
		}
		b := &strings.Builder{}
		b.WriteString(head)
		for i, g := range gates {
			if fresh[g.id] == "" {
				fresh[g.id] = newRow(&gates[i], outcome{notes: []string{"not tried yet"}}, form{}, time.Time{}).text
			}
			b.WriteString(fresh[g.id])
		}
		return b.String()
	})
}
