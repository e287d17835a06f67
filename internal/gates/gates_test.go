package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/generated"
)

const events = `{"Action":"run","Package":"github.com/docent-md/docent/doc","Test":"TestA"}
{"Action":"output","Package":"github.com/docent-md/docent/doc","Test":"TestA","Output":"    a_test.go:3: gate R1 tried=40\n"}
{"Action":"pass","Package":"github.com/docent-md/docent/doc","Test":"TestA"}
{"Action":"pass","Package":"github.com/docent-md/docent/doc","Test":"TestB/one"}
{"Action":"pass","Package":"github.com/docent-md/docent/doc","Test":"TestB/two"}
{"Action":"pass","Package":"github.com/docent-md/docent/doc","Test":"TestB"}
{"Action":"fail","Package":"github.com/docent-md/docent/doc","Test":"TestC/x"}
{"Action":"fail","Package":"github.com/docent-md/docent/doc","Test":"TestC"}
{"Action":"output","Package":"github.com/docent-md/docent","Test":"TestD","Output":"    d_test.go:9: needs strace\n"}
{"Action":"skip","Package":"github.com/docent-md/docent","Test":"TestD"}
{"Action":"run","Package":"github.com/docent-md/docent","Test":"TestE"}
`

// A gate is only as good as its judge: what fails, does not end or is not there is bad.
func TestJudge(t *testing.T) {
	all, err := readEvents(bufio.NewScanner(strings.NewReader(events)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name       string
		tests      [][]string
		tried, bad int
		note       string
	}{
		{"a test says how many cases it tried", [][]string{{"./doc", "TestA"}}, 40, 0, ""},
		{"otherwise subtests count", [][]string{{"./doc", "TestA", "TestB"}}, 42, 0, ""},
		{"what fails is bad", [][]string{{"./doc", "TestC"}}, 0, 1, "FAILED: TestC/x"},
		{"what was skipped says why", [][]string{{".", "TestD"}}, 0, 0, "not TestD: needs strace"},
		{"what never ended is bad", [][]string{{".", "TestE"}}, 0, 1, "FAILED: TestE"},
		{"a test of another folder is none", [][]string{{".", "TestA"}}, 0, 1, "there is no test TestA"},
		{"unless it may be missing", [][]string{{".", "?TestA"}, {"./doc", "?Test[AB]"}}, 40, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := judge(&gate{id: "R1", tests: tt.tests}, all)
			if got.tried != tt.tried || got.bad != tt.bad || strings.Join(got.notes, "; ") != tt.note {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A run that testrun has kept is judged as one of our own; the long form needs its own.
func TestKeptEvents(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events")
	if err := os.WriteFile(file, []byte(events), 0o644); err != nil {
		t.Fatal(err)
	}
	some := []gate{{id: "R1", tests: [][]string{{"../..", "TestA"}}}}
	if all, err := runTests(form{short: true, events: file}, some); err != nil || len(all) != 8 {
		t.Errorf("%d tests, %v", len(all), err)
	}
	if _, err := runTests(form{short: true, events: file + ".not"}, some); err == nil {
		t.Error("a file that is not there was read")
	}
	if _, err := run(form{events: file}, "R1", ""); err == nil || !strings.Contains(err.Error(), "-short") {
		t.Errorf("the long form: %v", err)
	}
}

// Rows that were not run stay, and so does what people wrote.
func TestReplaceTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	begin, end := generated.Begin("gates"), generated.End("gates")
	old := "# Title\n\n" + begin + "\n" + head + "| R1 | old | 1 | 0 | x |  |\n| R2 | old | 2 | 0 | x |  |\n\n" + end + "\nAfter.\n"
	if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	r := newRow(&gate{id: "R2", holds: "a|b"}, outcome{tried: 1234567}, form{}, day)
	if err := replaceTable(file, []row{r}); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(file)
	kept, rest, _ := strings.Cut(string(got), "| R3 |")
	_, tail, _ := strings.Cut(rest, end)
	want := strings.Replace(old, "| R2 | old | 2 | 0 | x |  |", `| R2 | a\|b | 1,234,567 | 0 | 2026-01-02 |  |`, 1)
	if kept+"\n"+end+tail != want || !strings.Contains(rest, "| B2 |") || !strings.Contains(rest, "not tried yet") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGatesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range gates {
		if seen[g.id] || g.holds == "" || len(g.tests) == 0 && g.run == nil {
			t.Errorf("%+v", g)
		}
		seen[g.id] = true
	}
}
