package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/gates/cases"
)

const pipedSession = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"rotate a key"}}}
`

// printf ... | docent serve: every request is answered, and the end is a success. Each client
// of a machine starts its own server, so that several run at once.
func TestPipes(t *testing.T) {
	runs, atOnce := 4, 2
	if long() {
		runs, atOnce = 500, 25
	}
	docent := program(t)
	dir := examples(t, docent)
	took, memory := make([]time.Duration, runs), make([]int64, runs)
	start := time.Now()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < runs && !t.Failed(); i = int(next.Add(1)) - 1 {
				began := time.Now()
				memory[i] = pipe(t, docent, dir, i)
				took[i] = time.Since(began)
			}
		})
	}
	wg.Wait()
	cases.Tried(t, "M3", runs)
	t.Logf("%d clients on standard input, %d at once, in %.1f s; from start to end %s; %d MiB at most in a process", runs, atOnce,
		time.Since(start).Seconds(), percentiles(took), slices.Max(memory)>>20)
}

// pipe sends a session to a server, with some calls more in each of seven runs, and checks
// that all are answered. It returns the most memory that the server had, 0 where the system
// does not tell.
func pipe(t *testing.T, docent, dir string, run int) int64 {
	in := pipedSession
	for k := range run % 7 {
		in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","arguments":{"ref":"faq.md","offset":%d}}}`+"\n", 10+k, k+1)
	}
	cmd := exec.Command(docent, "serve", "--root", dir)
	out, errs := &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), out, errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("run %d: %v: %s", run, err, errs)
		return 0
	}
	if got, want := strings.Count(out.String(), `"result":`), 2+run%7; got != want || strings.Count(out.String(), "\n") != want {
		t.Errorf("run %d: %d of %d requests answered:\n%s", run, got, want, out)
	}
	return mostMemory(cmd.ProcessState)
}

// A client starts the program anew for each conversation: from there to the first
// answer may cost 30 ms of processor time, on the example docs.
func TestFirstAnswerIsCheap(t *testing.T) {
	docent := program(t)
	dir := examples(t, docent)
	best := time.Duration(1 << 62)
	runs, most := 2, 20*time.Second // this test as the program, perhaps with the race detector, on a busy machine
	if long() {
		runs, most = 7, 30*time.Millisecond
	}
	for range runs {
		cmd := exec.Command(docent, "serve", "--root", dir)
		cmd.Stdin = strings.NewReader(pipedSession)
		out, err := cmd.Output()
		if err != nil || !strings.Contains(string(out), "keys.md#rotate") {
			t.Fatalf("%v: %s", err, out)
		}
		best = min(best, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	t.Logf("%v of processor time on %s", best, runtime.GOARCH)
	if best > most {
		t.Errorf("%v until the first answer, %v allowed", best, most)
	}
}

// mostMemory returns the most bytes of memory that an ended process had, 0 where the system
// does not tell: on Windows the usage of a process has no such field.
func mostMemory(ended *os.ProcessState) int64 {
	most := reflect.Indirect(reflect.ValueOf(ended.SysUsage())).FieldByName("Maxrss")
	if !most.IsValid() {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return most.Int()
	}
	return most.Int() << 10 // others count KiB
}
