package docent_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/needs"
)

// faultMark is a file that is not there. The victim looks for it, so that the log of its
// system calls shows which thread does the writing.
const faultMark = "/docent-the-writer-begins"

// A victim writes a store under strace, which makes one system call fail or kills the
// program in it. Calls are counted by strace for each thread, so the victim does its
// writing in one: then every call of a run can be told from every other.
type victim struct {
	t           *testing.T
	strace      string
	kind        string // of faultStores
	docs        string
	from, store string // what a run begins with, "" for nothing; where that is put
	log         string
}

// faultCalls are the system calls that change files.
var faultCalls = []string{
	"write", "pwrite64", "fsync", "fdatasync", "fallocate", "rename", "renameat", "renameat2", "unlink", "unlinkat",
	"mkdir", "mkdirat", "ftruncate", "fchmod", "utimensat",
}

// run writes once more, with a fault unless it is "". It returns how often the writer made
// each call, whether it was told of an error that strace made up, and what went wrong.
//
// A log that shows calls of other threads proves nothing: the run is made again.
func (v *victim) run(inject string) (calls map[string]int, injected bool, failed error) {
	v.t.Helper()
	for try := 1; ; try++ {
		calls, injected, failed, err := v.runOnce(inject)
		if err == nil {
			return calls, injected, failed
		}
		if try == 3 {
			v.t.Fatal(err)
		}
	}
}

func (v *victim) runOnce(inject string) (calls map[string]int, injected bool, failed, err error) {
	if err := os.RemoveAll(filepath.Dir(v.store)); err != nil {
		v.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(v.store), 0o755); err != nil {
		v.t.Fatal(err)
	}
	if v.from != "" {
		if err := os.CopyFS(filepath.Dir(v.store), os.DirFS(filepath.Dir(v.from))); err != nil {
			v.t.Fatal(err)
		}
	}
	args := []string{"-f", "-y", "-o", v.log, "-e", "trace=openat,?" + strings.Join(faultCalls, ",?")}
	if inject != "" {
		args = append(args, "-e", "inject="+inject)
	}
	cmd := exec.Command(v.strace, append(args, os.Args[0], "-test.run", "^TestFaultAtEveryWrite$")...)
	cmd.Env = append(os.Environ(), "DOCENT_TEST_FAULT="+v.kind, "DOCENT_TEST_STORE="+v.store, "DOCENT_TEST_DOCS="+v.docs, "GOMAXPROCS=2")
	if out, err := cmd.CombinedOutput(); err != nil {
		failed = fmt.Errorf("%w: %s", err, out)
	}
	calls, injected, err = v.read()
	return calls, injected, failed, err
}

var tracedCall = regexp.MustCompile(`^(\d+) +([a-z0-9_]+)\((.*)`)

// read reads the log of a run. A kill leaves no mark of its own: the call in which the
// program died is the last one.
func (v *victim) read() (calls map[string]int, injected bool, err error) {
	f, err := os.Open(v.log)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	calls = map[string]int{}
	writer := ""
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if m := tracedCall.FindStringSubmatch(line); m != nil {
			switch {
			case strings.Contains(m[3], faultMark):
				writer = m[1]
			case m[2] == "openat":
			case m[1] == writer:
				calls[m[2]]++
				injected = injected || strings.HasSuffix(line, "(INJECTED)")
			case strings.Contains(m[3], v.store):
				return nil, false, fmt.Errorf("another thread than %q writes too: %s", writer, line)
			}
		}
	}
	return calls, injected, lines.Err()
}

// Whatever happens in any of the system calls that change files, while 200 documents are
// indexed and while changes are taken in, the index is whole: the one before or the one
// after; so is a pack, and so is each document of a database. The program is killed there,
// the disk is full, the disk fails. Each call of a run is tried, and the log of the run
// must show that the fault struck it.
func TestFaultAtEveryWrite(t *testing.T) {
	if kind := os.Getenv("DOCENT_TEST_FAULT"); kind != "" {
		runtime.LockOSThread()
		_, _ = os.Stat(faultMark)
		if h, err := os.Open(faultMark); err == nil {
			_ = h.Close()
		}
		if err := faultStores[kind].write(t.Context(), os.Getenv("DOCENT_TEST_DOCS"), os.Getenv("DOCENT_TEST_STORE")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	strace := needs.Tool(t, "strace")
	if out, err := exec.Command(strace, "-o", filepath.Join(t.TempDir(), "log"), "true").CombinedOutput(); err != nil {
		needs.Missing(t, "strace", string(out))
	}
	for _, kind := range slices.Sorted(maps.Keys(faultStores)) {
		if testing.Short() && kind != "index" { // one thread writes each: nothing to see for the race detector
			continue
		}
		t.Run(kind, func(t *testing.T) {
			store := faultStores[kind]
			g := newGarden(t, 41, store.documents)
			v := &victim{t: t, strace: strace, kind: kind, docs: g.dir, store: filepath.Join(t.TempDir(), "store", "docs"), log: filepath.Join(t.TempDir(), "log")}
			write := func() string {
				at := filepath.Join(t.TempDir(), "store", "docs")
				if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := store.write(t.Context(), g.dir, at); err != nil {
					t.Fatal(err)
				}
				return at
			}
			old := write()
			if store.interrupt != nil {
				for range 5 {
					g.step()
				}
				store.interrupt(t, g.dir, old)
			}
			before := texts(t, g.dir)
			for range 5 {
				g.step()
			}
			after := texts(t, g.dir)
			want := store.answers(t, g.dir, write())
			for _, from := range []string{"", old} {
				v.from = from
				v.everyCall(t, map[bool]string{true: "new", false: "changed"}[from == ""], func(t *testing.T, at string) {
					store.check(t, at, v.store, from == "", before, after)
					if err := store.write(t.Context(), g.dir, v.store); err != nil { // the next one mends it
						t.Errorf("%s: the next time: %v", at, err)
					} else if got := store.answers(t, g.dir, v.store); got != want {
						t.Errorf("%s: answers\n%s\nwant\n%s", at, got, want)
					}
					for _, pattern := range []string{"*.tmp", ".*.tmp", "*.new", "docs/*.tmp"} {
						if left, _ := filepath.Glob(filepath.Join(filepath.Dir(v.store), pattern)); len(left) > 0 {
							t.Errorf("%s: left behind %v", at, left)
						}
					}
				})
			}
		})
	}
}

// everyCall tries a fault of every kind in every call of a run, and calls check after each.
func (v *victim) everyCall(t *testing.T, name string, check func(t *testing.T, at string)) {
	calls, _, err := v.run("")
	if err != nil {
		t.Fatal(err)
	}
	if calls["write"]+calls["pwrite64"] < 1 || calls["fsync"]+calls["fdatasync"] < 2 {
		t.Fatalf("the log shows too little: %v", calls)
	}
	for _, fault := range []struct{ gate, what string }{{"R2", "signal=KILL"}, {"R4", "error=ENOSPC"}, {"R5", "error=EIO"}} {
		t.Run(name+" "+fault.what, func(t *testing.T) {
			tried := 0
			for _, call := range faultCalls {
				for n := 1; n <= calls[call]; n++ {
					if !triedCall(fault.gate, n, calls[call]) {
						continue
					}
					var struck bool
					var failed error
					// Calls are counted by thread: a fault may strike one of the runtime's first.
					for attempt := 0; attempt < 5 && !struck; attempt++ {
						var did map[string]int
						did, struck, failed = v.run(fmt.Sprintf("%s:%s:when=%d", call, fault.what, n))
						struck = struck || failed != nil && did[call] == n && strings.Contains(failed.Error(), "killed")
					}
					at := fmt.Sprintf("%s %d of %d", call, n, calls[call])
					if !struck {
						t.Errorf("%s: the fault did not strike: %v", at, failed)
						continue
					}
					if failed != nil && strings.Contains(failed.Error(), "panic") {
						t.Errorf("%s: %v", at, failed)
					}
					tried++
					check(t, at)
				}
			}
			cases.Tried(t, fault.gate, tried)
		})
	}
}

// triedCall reports whether a fault is tried in call n of so many. Make gates tries a kill
// in all of them, and of errors, which a program survives, about fifty.
func triedCall(gate string, n, of int) bool {
	switch {
	case os.Getenv("DOCENT_TORTURE") == "":
		return n == of || n == 1 && gate == "R2" && !testing.Short()
	case gate == "R2" || n == 1 || n == of:
		return true
	}
	return n%(1+of/50) == 0
}
