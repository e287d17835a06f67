package segment

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/needs"
)

// The test binary is also the program that tests start and kill: the variable
// says what to do, the rest of the arguments follow it.
const helperVar = "SEGMENT_TEST_HELPER"

func TestMain(m *testing.M) {
	if job := os.Getenv(helperVar); job != "" {
		if err := help(strings.Split(job, "\n")); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func help(job []string) error {
	dir := job[1]
	n, _ := strconv.Atoi(job[2])
	switch job[0] {
	case "commit": // n commits; 0 means for ever. Says what is done.
		for i := 0; n == 0 || i < n; i++ {
			w, err := Lock(context.Background(), dir)
			if err != nil {
				return err
			}
			if err := advanceWith(w); err != nil {
				return err
			}
			got, err := openLedger(dir)
			if err != nil {
				return err
			}
			fmt.Println(got)
			if err := w.Close(); err != nil {
				return err
			}
		}
	case "read": // until n commits are there
		for last := 0; last < n; {
			got, err := openLedger(dir)
			if err != nil {
				return err
			}
			if got < last {
				return fmt.Errorf("the store went from %d back to %d", last, got)
			}
			last = got
		}
	case "die": // at step n of a commit
		return advance(context.Background(), dir, func(string, string) error {
			if n--; n == 0 {
				self, _ := os.FindProcess(os.Getpid())
				_ = self.Kill()
				select {}
			}
			return nil
		})
	}
	return nil
}

func helper(t testing.TB, job, dir string, n int) *exec.Cmd {
	t.Helper()
	needs.Programs(t)
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%s\n%d", helperVar, job, dir, n))
	return cmd
}

// A writer is killed before each of its steps in turn: the store is the one
// before or the one after, and the next writer finds no litter it does not remove.
func TestKilledAtEveryStep(t *testing.T) {
	tried := 0
	for _, before := range []int{0, 1, ledgerDeltas + 1} {
		for step := 1; ; step++ {
			dir := quickDir(t)
			mustAdvance(t, dir, before)
			out, err := helper(t, "die", dir, step).CombinedOutput()
			if strings.Contains(string(out), "error:") {
				t.Fatalf("from %d, step %d: %s", before, step, out)
			}
			tried++
			got, openErr := openLedger(dir)
			if openErr != nil || (got != before && got != before+1) {
				t.Fatalf("from %d, killed at step %d: %d, %v", before, step, got, openErr)
			}
			lock(t, dir).Close()
			noLitter(t, dir)
			wantLedger(t, dir, got)
			mustAdvance(t, dir, 1)
			wantLedger(t, dir, got+1)
			if err == nil {
				if step < 8 || got != before+1 {
					t.Fatalf("a commit from %d to %d took %d steps", before, got, step-1)
				}
				break
			}
		}
	}
	cases.Tried(t, "R2", tried)
}

// A writer is killed at random moments. What it had committed is there, at most
// one commit more, and nothing torn.
func TestKilledAtRandom(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	dir := quickDir(t)
	r := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		cmd := helper(t, "commit", dir, 0)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		said := 0
		for range 1 + r.IntN(2) { // kill only a writer at work
			if lines.Scan() {
				said, _ = strconv.Atoi(lines.Text())
			}
		}
		time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		for lines.Scan() {
			if said, err = strconv.Atoi(lines.Text()); err != nil {
				t.Fatalf("round %d: %s", round, lines.Text())
			}
		}
		_ = cmd.Wait()
		got, err := openLedger(dir)
		if err != nil || said == 0 || (got != said && got != said+1) {
			t.Fatalf("round %d: the writer said %d, the store holds %d, %v", round, said, got, err)
		}
		lock(t, dir).Close()
		noLitter(t, dir)
		wantLedger(t, dir, got)
	}
	cases.Tried(t, "R1", rounds)
}

const tortureRounds = 50

// Two writers and eight readers on one store that does not exist at first.
func TestWritersAndReaders(t *testing.T) {
	dir := quickDir(t)
	var writing atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		writing.Add(1)
		wg.Go(func() {
			defer writing.Add(-1)
			for range tortureRounds {
				if err := advance(t.Context(), dir, nil); err != nil {
					t.Error("writer:", err)
					return
				}
			}
		})
	}
	for range 8 {
		wg.Go(func() {
			for last := 0; writing.Load() > 0; {
				got, err := openLedger(dir)
				if err != nil || got < last {
					t.Errorf("reader: %d after %d, %v", got, last, err)
					return
				}
				last = got
			}
		})
	}
	wg.Wait()
	wantLedger(t, dir, 2*tortureRounds)
	lock(t, dir).Close()
	noLitter(t, dir)
}

// The same with ten processes.
func TestWritersAndReadersInProcesses(t *testing.T) {
	needs.Programs(t)
	rounds := tortureRounds
	if testing.Short() {
		rounds = 10
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	start := func(job string, n int) {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := helper(t, job, dir, n)
			stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
			defer stop()
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", job, errors.Join(err, ctx.Err()), out)
			}
		})
	}
	for range 2 {
		start("commit", rounds)
	}
	for range 8 {
		start("read", 2*rounds)
	}
	wg.Wait()
	wantLedger(t, dir, 2*rounds)
	lock(t, dir).Close()
	noLitter(t, dir)
	cases.Tried(t, "R7", 2*rounds)
}
