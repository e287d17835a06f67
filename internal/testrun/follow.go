package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/needs"
)

// An event is a line of go test -json: "go doc cmd/test2json" describes it.
type event struct {
	Action, Package, Test, Output string
}

// A pkg is what the tests of a package have said so far.
type pkg struct {
	text  strings.Builder // of the package itself
	tests map[string]*test
	order []*test
}

type test struct {
	text  strings.Builder
	ended bool
	bad   bool
}

// follow prints the events of a run as go test does without -v: of a package its
// closing line, and before that the output of tests that failed or never ended.
func follow(events io.Reader, out io.Writer) (*skips, error) {
	s := &skips{wants: map[string]int{}}
	pkgs := map[string]*pkg{}
	in := bufio.NewReader(events)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			if err := s.take(line, pkgs, out); err != nil {
				return s, err
			}
		}
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return s, err
		}
	}
}

// take handles one line.
func (s *skips) take(line []byte, pkgs map[string]*pkg, out io.Writer) error {
	var e event
	if json.Unmarshal(line, &e) != nil { // go test itself has something to say
		_, err := out.Write(line)
		return err
	}
	if e.Action == "build-output" {
		_, err := io.WriteString(out, e.Output)
		return err
	}
	if e.Package == "" {
		return nil
	}
	p := pkgs[e.Package]
	if p == nil {
		p = &pkg{tests: map[string]*test{}}
		pkgs[e.Package] = p
	}
	if e.Test != "" {
		s.test(p, e)
		return nil
	}
	switch e.Action {
	case "output":
		if e.Output != "PASS\n" && !strings.HasPrefix(e.Output, "=== ") {
			p.text.WriteString(e.Output)
		}
	case "pass", "fail", "skip":
		delete(pkgs, e.Package)
		return p.print(out, e.Action == "fail")
	}
	return nil
}

// test handles an event of a test.
func (s *skips) test(p *pkg, e event) {
	t := p.tests[e.Test]
	if t == nil {
		t = &test{}
		p.tests[e.Test] = t
		p.order = append(p.order, t)
	}
	switch e.Action {
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			t.text.WriteString(e.Output)
		}
	case "skip":
		s.add(t.text.String())
		t.ended = true
	case "pass", "fail":
		t.ended, t.bad = true, e.Action == "fail"
	}
}

func (p *pkg) print(out io.Writer, failed bool) error {
	for _, t := range p.order {
		if failed && (t.bad || !t.ended) {
			if _, err := io.WriteString(out, t.text.String()); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(out, p.text.String())
	return err
}

// skips counts the tests that were skipped, by what they lacked.
type skips struct {
	wants map[string]int
	other int
}

// reason is how a skipped test that package needs has skipped says why.
var reason = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: ` + needs.Prefix + `([^:\n]+)`)

func (s *skips) add(text string) {
	if m := reason.FindStringSubmatch(text); m != nil {
		s.wants[m[1]]++
	} else {
		s.other++
	}
}

// String is the closing line.
func (s *skips) String() string {
	var parts []string
	for _, w := range s.sorted() {
		if len(parts) == 0 {
			parts = append(parts, fmt.Sprintf("%s for want of %s", count(s.wants[w]), w))
		} else {
			parts = append(parts, fmt.Sprintf("%d for want of %s", s.wants[w], w))
		}
	}
	line := strings.Join(parts, ", ")
	switch {
	case line == "" && s.other == 0:
		return "skipped: no tests"
	case line == "":
		return "skipped: " + count(s.other) + ", none for want of a tool or of data"
	case s.other == 0:
		return "skipped: " + line
	}
	return fmt.Sprintf("skipped: %s; %d for other reasons", line, s.other)
}

// sorted gives what was lacked by most tests first.
func (s *skips) sorted() []string {
	return slices.SortedFunc(maps.Keys(s.wants), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.wants[b], s.wants[a]), cmp.Compare(a, b))
	})
}

func count(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}
