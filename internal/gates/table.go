package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/wholefile"
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

// The table lies between these lines of a document.
const (
	begin = "<!-- gates: made by make gates -->\n"
	end   = "<!-- end of gates -->\n"
)

// replaceTable puts rows into the table of a document. Rows of other gates stay.
func replaceTable(file string, rows []row) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, []byte(begin))
	old, after, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		return fmt.Errorf("%s has no lines %q and %q", file, begin, end)
	}
	fresh := map[string]string{}
	for _, r := range rows {
		fresh[r.id] = r.text
	}
	for line := range strings.Lines(string(old)) {
		if id, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok && fresh[id] == "" {
			fresh[id] = line
		}
	}
	all := make([]row, 0, len(gates))
	for i, g := range gates {
		if fresh[g.id] == "" {
			fresh[g.id] = newRow(&gates[i], outcome{notes: []string{"not tried yet"}}, form{}, time.Time{}).text
		}
		all = append(all, row{g.id, fresh[g.id]})
	}
	return wholefile.Write(file, 0o644, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "%s%s\n", before, begin); err != nil {
			return err
		}
		if err := writeTable(w, all); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "\n%s%s", end, after)
		return err
	})
}
