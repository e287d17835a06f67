// Structure measures how the source is cut up and compares it with what we
// hold ourselves to:
//
//	go run ./internal/structure           a table, with what is over
//	go run ./internal/structure -json     the same as JSON
//	go run ./internal/structure -C DIR    of another checkout
//
// It exits 1 when something is over, 2 when the source cannot be read.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/docent-md/docent/internal/structure/code"
	"github.com/docent-md/docent/internal/structure/measure"
)

func main() {
	asJSON := flag.Bool("json", false, "print JSON, with every offender")
	dir := flag.String("C", ".", "root of the module to measure")
	flag.Parse()
	over, err := run(os.Stdout, os.DirFS(*dir), *asJSON)
	if err != nil {
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(2)
	}
	if over {
		os.Exit(1)
	}
}

// run prints the measures of the module in fsys and reports whether one is over.
func run(w io.Writer, fsys fs.FS, asJSON bool) (over bool, err error) {
	m, err := code.Load(fsys)
	if err != nil {
		return false, err
	}
	m.Check()
	rows := measure.All(m, fsys)
	for _, r := range rows {
		over = over || r.Over()
	}
	if asJSON {
		return over, writeJSON(w, rows)
	}
	return over, measure.WriteTable(w, rows)
}

func writeJSON(w io.Writer, rows []measure.Row) error {
	type record struct {
		measure.Row
		Over bool `json:"over"`
	}
	var records []record
	for _, r := range rows {
		records = append(records, record{r, r.Over()})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(records)
}
