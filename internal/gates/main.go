// Command gates tries what docent promises under faults and attacks, gate by gate, and
// prints a table of what was tried and what was bad. It exits with 1 if anything was.
//
//	gates -short                what every change must pass, in minutes
//	gates -write docs/reliability.md
//	gates -only R6,P7 -write docs/reliability.md
//	gates -only R8 -share 4     a quarter of the cases that tests draw by lot
//	gates -short -events FILE   judges tests that have just been run: testrun -events=FILE
//
// Most gates are proven by tests that are run elsewhere too; the long form asks them for
// more rounds. GATES_FUZZ says how long each fuzz target runs. With -write the table in
// a document is replaced, between its two markers; rows that were not run stay.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// A form is how much is tried.
type form struct {
	short bool
	share int // one in so many cases of the tests that repeat themselves at length

	events string // what go test -json has said of a run of all tests; "" to run those that are needed
}

func main() {
	var f form
	flag.BoolVar(&f.short, "short", false, "try less, in minutes")
	flag.IntVar(&f.share, "share", 1, "try one in so many cases, where a machine has no time for more")
	flag.StringVar(&f.events, "events", "", "file with the events of a run of all tests, which are not run again; with -short")
	only := flag.String("only", "", "gates to try, with commas; all if empty")
	file := flag.String("write", "", "document whose table is replaced")
	flag.Parse()
	bad, err := run(f, *only, *file)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gates:", err)
		os.Exit(2)
	}
	if bad > 0 {
		fmt.Fprintf(os.Stderr, "gates: %d bad\n", bad)
		os.Exit(1)
	}
}

func run(f form, only, file string) (bad int, err error) {
	some := gates
	if only != "" {
		names := strings.Split(only, ",")
		some = slices.DeleteFunc(slices.Clone(gates), func(g gate) bool { return !slices.Contains(names, g.id) })
		if len(some) != len(names) {
			return 0, fmt.Errorf("-only %s: gates are %s to %s", only, gates[0].id, gates[len(gates)-1].id)
		}
	}
	if f.events != "" && !f.short {
		return 0, errors.New("-events: needs -short, since the long form asks tests for more rounds")
	}
	began := time.Now()
	all, err := runTests(f, some)
	if err != nil {
		return 0, err
	}
	var rows []row
	for i := range some {
		g := &some[i]
		o := judge(g, all)
		if g.run != nil {
			o.add(g.run(f))
		}
		if o.tried == 0 && o.bad == 0 && len(o.notes) == 0 {
			o.say("not tried yet")
		}
		if f.share > 1 && len(g.tests) > 0 {
			o.say("one in %d of the cases that are drawn by lot", f.share)
		}
		if g.note != "" {
			o.say("%s", g.note)
		}
		bad += o.bad
		rows = append(rows, newRow(g, o, f, began))
	}
	if err := writeTable(os.Stdout, rows); err != nil || file == "" {
		return bad, err
	}
	return bad, replaceTable(file, rows)
}
