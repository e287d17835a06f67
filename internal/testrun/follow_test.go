package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFollow(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events []event
		out    string
		skips  string
	}{
		{
			"a package that passes is one line",
			[]event{
				{"start", "a", "", ""},
				{"run", "a", "TestA", ""},
				{"output", "a", "TestA", "=== RUN   TestA\n"},
				{"output", "a", "TestA", "    a_test.go:3: a note\n"},
				{"output", "a", "TestA", "--- PASS: TestA (0.00s)\n"},
				{"pass", "a", "TestA", ""},
				{"output", "a", "", "PASS\n"},
				{"output", "a", "", "ok  \ta\t0.1s\n"},
				{"pass", "a", "", ""},
			},
			"ok  \ta\t0.1s\n",
			"skipped: no tests",
		},
		{
			"of one that fails, the tests that failed, and one that never ended",
			[]event{
				{"run", "a", "TestA", ""},
				{"run", "a", "TestA/x", ""},
				{"run", "a", "TestB", ""},
				{"run", "a", "TestC", ""},
				{"output", "a", "TestA/x", "    a_test.go:7: wrong\n"},
				{"output", "a", "TestB", "    b_test.go:7: quiet\n"},
				{"output", "a", "TestA", "--- FAIL: TestA (0.00s)\n"},
				{"output", "a", "TestA/x", "    --- FAIL: TestA/x (0.00s)\n"},
				{"fail", "a", "TestA/x", ""},
				{"fail", "a", "TestA", ""},
				{"pass", "a", "TestB", ""},
				{"output", "a", "TestC", "panic: out of time\n"},
				{"output", "a", "", "FAIL\ta\t0.1s\n"},
				{"fail", "a", "", ""},
			},
			"--- FAIL: TestA (0.00s)\n    a_test.go:7: wrong\n    --- FAIL: TestA/x (0.00s)\npanic: out of time\nFAIL\ta\t0.1s\n",
			"skipped: no tests",
		},
		{
			"packages at the same time stay apart",
			[]event{
				{"output", "a", "", "ok  \ta\n"},
				{"output", "b", "", "ok  \tb\n"},
				{"pass", "b", "", ""},
				{"pass", "a", "", ""},
			},
			"ok  \tb\nok  \ta\n",
			"skipped: no tests",
		},
		{
			"what does not compile",
			[]event{
				{Action: "build-output", Output: "# a\n"},
				{Action: "build-output", Output: "a.go:1: wrong\n"},
				{Action: "build-fail"},
				{"output", "a", "", "FAIL\ta [build failed]\n"},
				{"fail", "a", "", ""},
			},
			"# a\na.go:1: wrong\nFAIL\ta [build failed]\n",
			"skipped: no tests",
		},
		{
			"what was skipped is counted by what it lacked",
			[]event{
				{"output", "a", "TestA", "    a_test.go:3: needs rg\n"},
				{"output", "a", "TestA", "--- SKIP: TestA (0.00s)\n"},
				{"skip", "a", "TestA", ""},
				{"output", "a", "TestB", "    a_test.go:4: needs the shared folder: no eval/k8s\n"},
				{"skip", "a", "TestB", ""},
				{"output", "a", "TestC", "    a_test.go:4: needs the shared folder: no corpora/x\n"},
				{"skip", "a", "TestC", ""},
				{"output", "a", "TestD", "    a_test.go:4: not in short runs, needs time\n"},
				{"skip", "a", "TestD", ""},
				{"output", "a", "", "ok  \ta\n"},
				{"pass", "a", "", ""},
				{"output", "b", "", "?   \tb\t[no test files]\n"},
				{"skip", "b", "", ""},
			},
			"ok  \ta\n?   \tb\t[no test files]\n",
			"skipped: 2 tests for want of the shared folder, 1 for want of rg; 1 for other reasons",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var in, out strings.Builder
			for _, e := range tt.events {
				line, err := json.Marshal(e)
				if err != nil {
					t.Fatal(err)
				}
				in.Write(append(line, '\n'))
			}
			skips, err := follow(strings.NewReader(in.String()), &out)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.out, out.String()); d != "" {
				t.Error(d)
			}
			if skips.String() != tt.skips {
				t.Errorf("got  %s\nwant %s", skips, tt.skips)
			}
		})
	}
}
