package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/gates/cases"
)

// An outcome is what became of a gate.
type outcome struct {
	tried, bad int
	notes      []string
}

func (o *outcome) add(p outcome) {
	o.tried, o.bad = o.tried+p.tried, o.bad+p.bad
	for _, n := range p.notes {
		o.say("%s", n)
	}
}

func (o *outcome) say(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); n != "" && !slices.Contains(o.notes, n) {
		o.notes = append(o.notes, n)
	}
}

// A testRun is what a test has said and how it ended.
type testRun struct {
	folder, name string // of its package, from the root of the module; of a subtest with those above it
	end          string // pass, fail, skip; "" if it never ended
	tried        map[string]int
	last         string // the last message it logged: why, if it was skipped
	text         strings.Builder
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

var message = regexp.MustCompile(`^ +\w+\.go:\d+: (.+)\n$`)

const module = "github.com/docent-md/docent"

// runTests runs all tests of some gates at once, and returns what became of each test.
func runTests(f form, some []gate) ([]*testRun, error) {
	var folders, names []string
	for _, g := range some {
		for _, t := range g.tests {
			if _, err := os.Stat(t[0]); err != nil {
				return nil, err
			}
			folders = append(folders, t[0])
			for _, name := range t[1:] {
				names = append(names, strings.TrimPrefix(name, "?"))
			}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	if f.events != "" {
		said, err := os.Open(f.events)
		if err != nil {
			return nil, err
		}
		defer said.Close()
		return readEvents(bufio.NewScanner(said), nil)
	}
	slices.Sort(folders)
	slices.Sort(names)
	args := []string{"test", "-json", "-count=1", "-timeout", "110m", "-run", "^(" + strings.Join(slices.Compact(names), "|") + ")$"}
	if f.short {
		args = append(args, "-short")
	}
	cmd := exec.Command("go", append(args, slices.Compact(folders)...)...)
	if !f.short {
		cmd.Env = append(os.Environ(), "DOCENT_TORTURE=1", "DOCENT_LOAD=1", fmt.Sprint("DOCENT_TORTURE_SHARE=", f.share))
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	runs, err := readEvents(bufio.NewScanner(out), os.Stderr)
	_ = cmd.Wait() // which tests failed is known
	return runs, err
}

// readEvents reads what go test -json says. Tests that end are told of to progress, unless it is nil.
func readEvents(lines *bufio.Scanner, progress io.Writer) ([]*testRun, error) {
	if progress == nil {
		progress = io.Discard
	}
	lines.Buffer(nil, 1<<20)
	byName := map[string]*testRun{}
	var all []*testRun
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Test == "" {
			if strings.Contains(e.Output, "[build failed]") {
				return nil, fmt.Errorf("%s", strings.TrimSpace(e.Output))
			}
			continue
		}
		r := byName[e.Package+" "+e.Test]
		if r == nil {
			r = &testRun{folder: "." + strings.TrimPrefix(e.Package, module), name: e.Test, tried: map[string]int{}}
			byName[e.Package+" "+e.Test] = r
			all = append(all, r)
		}
		switch e.Action {
		case "pass", "fail", "skip":
			r.end = e.Action
			if r.end == "fail" {
				fmt.Fprint(progress, r.text.String())
			}
			if strings.Count(e.Test, "/") == 0 {
				fmt.Fprintf(progress, "%s %s %s\n", e.Action, r.folder, e.Test)
			}
		case "output":
			if r.text.Len() < 20_000 {
				r.text.WriteString(e.Output)
			}
			if gate, n, ok := cases.Parse(e.Output); ok {
				r.tried[gate] += n
			}
			if m := message.FindStringSubmatch(e.Output); m != nil {
				r.last = m[1]
			}
		}
	}
	return all, lines.Err()
}

// judge sums up the tests of a gate.
func judge(g *gate, all []*testRun) outcome {
	var o outcome
	for _, t := range g.tests {
		for _, name := range t[1:] {
			name, optional := strings.CutPrefix(name, "?")
			p := judgeTest(g.id, t[0], regexp.MustCompile("^(?:"+name+")$"), all)
			switch {
			case p.tried+p.bad+len(p.notes) > 0:
				o.add(p)
			case !optional:
				o.add(outcome{bad: 1, notes: []string{"there is no test " + name}})
			}
		}
	}
	return o
}

// judgeTest sums up one test with its subtests.
func judgeTest(id, folder string, name *regexp.Regexp, all []*testRun) outcome {
	var o outcome
	said, leaves, ended := 0, 0, false
	for _, r := range all {
		top, _, _ := strings.Cut(r.name, "/")
		if r.folder != folder || !name.MatchString(top) {
			continue
		}
		said += r.tried[id]
		isLeaf := !slices.ContainsFunc(all, func(x *testRun) bool { return x.folder == r.folder && strings.HasPrefix(x.name, r.name+"/") })
		switch {
		case r.end == "skip":
			o.say("not %s: %s", r.name, r.last)
		case r.end == "pass" && isLeaf && len(r.tried) == 0:
			leaves++
		case r.end != "pass" && isLeaf:
			o.bad++
			o.say("FAILED: %s", r.name)
		}
		ended = true
	}
	if o.tried = said; said == 0 && ended {
		o.tried = leaves
	}
	return o
}
