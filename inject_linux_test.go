package docent_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/needs"
)

// faultMark is a file that is not there. The victim looks for it, so that the log of its
// system calls shows which thread does the writing.
const faultMark = "/docent-the-writer-begins"

// A victim indexes documents under strace, which makes one system call fail or kills the
// program in it. Calls are counted by strace for each thread, so the victim does its
// writing in one: then every call of a run can be told from every other.
type victim struct {
	t           *testing.T
	g           *garden
	strace      string
	from, index string // the index that a run begins with, "" for none; where it is put
	log         string
}

// faultCalls are the system calls that change files.
var faultCalls = []string{"write", "pwrite64", "fsync", "renameat", "renameat2", "unlinkat", "mkdirat", "ftruncate", "fchmod", "utimensat"}

// run indexes once more, with a fault unless it is "". It returns how often the writer made
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
	if err := os.RemoveAll(v.index); err != nil {
		v.t.Fatal(err)
	}
	if v.from != "" {
		if err := os.CopyFS(v.index, os.DirFS(v.from)); err != nil {
			v.t.Fatal(err)
		}
	}
	args := []string{"-f", "-y", "-o", v.log, "-e", "trace=openat," + strings.Join(faultCalls, ",")}
	if inject != "" {
		args = append(args, "-e", "inject="+inject)
	}
	cmd := exec.Command(v.strace, append(args, os.Args[0], "-test.run", "^TestFaultAtEveryWrite$")...)
	cmd.Env = append(os.Environ(), "DOCENT_TEST_FAULT="+v.index, "DOCENT_TEST_DOCS="+v.g.dir, "GOMAXPROCS=2")
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
			case strings.Contains(m[3], v.index):
				return nil, false, fmt.Errorf("another thread than %q writes too: %s", writer, line)
			}
		}
	}
	return calls, injected, lines.Err()
}

// Whatever happens in any of the system calls that change files, while 200 documents are
// indexed and while changes are taken in, the index is whole: the one before or the one
// after. The program is killed there, the disk is full, the disk fails. Each call of a
// run is tried, and the log of the run must show that the fault struck it.
func TestFaultAtEveryWrite(t *testing.T) {
	if index := os.Getenv("DOCENT_TEST_FAULT"); index != "" {
		runtime.LockOSThread()
		_, _ = os.Stat(faultMark)
		if h, err := os.Open(faultMark); err == nil {
			_ = h.Close()
		}
		lib, err := docent.OpenDir(t.Context(), os.Getenv("DOCENT_TEST_DOCS"), index, docent.Options{Embed: "none"})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		_ = lib.Close()
		os.Exit(0)
	}
	v := &victim{t: t, strace: needs.Tool(t, "strace"), index: filepath.Join(t.TempDir(), "index"), log: filepath.Join(t.TempDir(), "log")}
	if out, err := exec.Command(v.strace, "-o", v.log, "true").CombinedOutput(); err != nil {
		needs.Missing(t, "strace", string(out))
	}
	v.g = newGarden(t, 41, 200)
	open := func(index string) *docent.Library {
		lib, err := docent.OpenDir(t.Context(), v.g.dir, index, docent.Options{Embed: "none"})
		return opened(t, lib, err)
	}
	old := filepath.Join(t.TempDir(), "old")
	_ = open(old).Close()
	for range 5 {
		v.g.step()
	}
	want := mustTranscript(t, open(filepath.Join(t.TempDir(), "fresh")))
	for _, start := range []struct{ name, from string }{{"a new index", ""}, {"changes", old}} {
		v.from = start.from
		calls, _, err := v.run("")
		if err != nil {
			t.Fatal(err)
		}
		if calls["write"] < 3 || calls["fsync"] < 3 || calls["renameat"]+calls["renameat2"] < 1 {
			t.Fatalf("the log shows too little: %v", calls)
		}
		for _, fault := range []struct{ gate, what string }{{"R2", "signal=KILL"}, {"R4", "error=ENOSPC"}, {"R5", "error=EIO"}} {
			t.Run(start.name+" "+fault.what, func(t *testing.T) {
				tried := 0
				for _, call := range faultCalls {
					for n := 1; n <= calls[call]; n++ {
						if os.Getenv("DOCENT_TORTURE") == "" && n > 2 && n < calls[call] { // make gates tries them all
							continue
						}
						did, struck, failed := v.run(fmt.Sprintf("%s:%s:when=%d", call, fault.what, n))
						struck = struck || failed != nil && did[call] == n && strings.Contains(failed.Error(), "killed")
						at := fmt.Sprintf("%s %d of %d", call, n, calls[call])
						if !struck {
							t.Errorf("%s: the fault did not strike: %v", at, failed)
							continue
						}
						tried++
						v.check(t, at, failed)
						if got := mustTranscript(t, open(v.index)); got != want {
							t.Errorf("%s: answers\n%s\nwant\n%s", at, got, want)
						}
						if left, _ := filepath.Glob(filepath.Join(v.index, "*.tmp")); len(left) > 0 {
							t.Errorf("%s: left behind %v", at, left)
						}
					}
				}
				cases.Tried(t, fault.gate, tried)
			})
		}
	}
}

// check looks at what a fault left, before anybody mends it.
func (v *victim) check(t *testing.T, at string, failed error) {
	t.Helper()
	if failed != nil && strings.Contains(failed.Error(), "panic") {
		t.Errorf("%s: %v", at, failed)
	}
	s, err := segment.OpenStore(v.index)
	if errors.Is(err, fs.ErrNotExist) && v.from == "" {
		return
	}
	if err == nil {
		err = s.Verify()
		_ = s.Close()
	}
	if err != nil {
		t.Errorf("%s: the index is not whole: %v", at, err)
	}
}
