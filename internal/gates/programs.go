package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// fuzz runs every fuzz target for the time or number of executions in GATES_FUZZ, such as
// 50000000x.
func fuzz(f form) outcome {
	var o outcome
	limit := os.Getenv("GATES_FUZZ")
	if f.short || limit == "" {
		o.say("needs GATES_FUZZ=50000000x, or 30s; make test tries the inputs that are kept")
		return o
	}
	declared := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	execs := regexp.MustCompile(`execs: (\d+)`)
	targets := 0
	_ = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(src, -1) {
			targets++
			cmd := exec.Command("go", "test", "./"+filepath.ToSlash(filepath.Dir(path)), "-run", "^$", "-fuzz", "^"+string(m[1])+"$", "-fuzztime", limit)
			out, err := cmd.CombinedOutput()
			if all := execs.FindAllSubmatch(out, -1); len(all) > 0 {
				n, _ := strconv.Atoi(string(all[len(all)-1][1]))
				o.tried += n
				fmt.Fprintf(os.Stderr, "fuzz %s %d\n", m[1], n)
			}
			if err != nil {
				o.bad++
				o.say("FAILED: %s: %s", m[1], firstLine(out, "--- FAIL"))
			}
		}
		return err
	})
	o.say("%d targets, %s each", targets, limit)
	return o
}

// conformance runs the protocol's own suites, once, and counts the checks whose names
// begin with one of some prefixes.
func conformance(prefixes ...string) func(form) outcome {
	return func(f form) outcome {
		var o outcome
		if f.short {
			o.say("not in the short form: make conformance")
			return o
		}
		for line := range strings.Lines(suites()) {
			verdict, name, _ := strings.Cut(strings.TrimSpace(line), " ")
			name = strings.TrimSpace(name)
			for _, p := range prefixes {
				if !strings.HasPrefix(name, p) {
					continue
				}
				if o.tried++; verdict != "ok" {
					o.bad++
					o.say("FAILED: %s", name)
				}
			}
			if why, ok := strings.CutPrefix(line, "conformance was not run: "); ok {
				o.say("not run: %s", strings.TrimSpace(why))
			}
		}
		if o.tried == 0 && len(o.notes) == 0 {
			o.bad++
			o.say("FAILED: no check was run")
		}
		return o
	}
}

var suites = sync.OnceValue(func() string {
	out, _ := exec.Command("internal/surface/mcp/conformance/run.sh").CombinedOutput()
	return string(out)
})

// race runs what runs at once under the race detector.
func race(f form) outcome {
	var o outcome
	if f.short {
		o.say("not in the short form: make race")
		return o
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		o.say("needs a C compiler")
		return o
	}
	cmd := exec.Command("go", "test", "-race", "-short", "-count=1", "-timeout", "110m", "-v", ".", "./internal/engine/segment", "./internal/library/...", "./internal/indexset", "./internal/store/...", "./internal/surface/mcp", "./internal/surface/web")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := cmd.CombinedOutput()
	o.tried = bytes.Count(out, []byte("--- PASS: "))
	if o.bad = bytes.Count(out, []byte("WARNING: DATA RACE")) + bytes.Count(out, []byte("\n--- FAIL: ")); err != nil {
		o.bad = max(o.bad, 1)
		o.say("FAILED: %s", firstLine(out, "--- FAIL"))
	}
	o.say("tests, each of which may race in many places")
	return o
}

// systems are those that programs are built for.
var systems = [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

// reproducible builds the program here and from a copy in another folder.
func reproducible(f form) outcome {
	var o outcome
	dir, err := os.MkdirTemp("", "docent-gates-")
	if err != nil {
		return outcome{bad: 1, notes: []string{err.Error()}}
	}
	defer os.RemoveAll(dir)
	copied := filepath.Join(dir, "another", "folder")
	list, err := exec.Command("git", "ls-files", "-co", "--exclude-standard", "-z").Output()
	if err != nil {
		return outcome{notes: []string{"needs a git checkout"}}
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if err == nil && os.MkdirAll(filepath.Dir(filepath.Join(copied, name)), 0o755) == nil {
			err = os.WriteFile(filepath.Join(copied, name), data, 0o644)
		}
		if err != nil && !os.IsNotExist(err) {
			return outcome{bad: 1, notes: []string{err.Error()}}
		}
	}
	for i, system := range systems {
		if f.short && i > 0 {
			o.say("one system in the short form")
			break
		}
		var sums [2][32]byte
		for k, from := range []string{".", copied} {
			program := filepath.Join(dir, fmt.Sprint("docent", k))
			cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", program, "./cmd/docent")
			cmd.Dir, cmd.Env = from, append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system[0], "GOARCH="+system[1])
			if out, err := cmd.CombinedOutput(); err != nil {
				return outcome{bad: 1, notes: []string{firstLine(out, "")}}
			}
			data, err := os.ReadFile(program)
			if err != nil {
				return outcome{bad: 1, notes: []string{err.Error()}}
			}
			sums[k] = sha256.Sum256(data)
		}
		if o.tried++; sums[0] != sums[1] {
			o.bad++
			o.say("FAILED: %s/%s", system[0], system[1])
		}
	}
	return o
}

// firstLine returns the first line with a text in it.
func firstLine(out []byte, text string) string {
	for line := range bytes.Lines(out) {
		if strings.Contains(string(line), text) {
			return strings.TrimSpace(string(line))
		}
	}
	return ""
}
