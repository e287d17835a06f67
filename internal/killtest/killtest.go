// Package killtest kills programs at different moments of their run, for tests of
// what they leave behind.
package killtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// SeedVar names the environment variable that repeats the moments of a run which
// failed: the failure prints its value.
const SeedVar = "DOCENT_SEED"

// Run starts a program and kills it, once in each of kills equal parts of its run,
// in random order and at a random moment of the part. The test fails unless all of
// these kills happen.
//
// The program is given by start, which is called for each run with the number of
// the run; check is called after it, and with killed unset where the run ended
// before its moment had come. Such a run shows how long a run takes by now, and its
// part is tried again: a machine that was busy when the first run was timed does
// not make every moment too late. There are at most four runs for each kill.
func Run(t testing.TB, kills int, start func(run int) *exec.Cmd, check func(run int, killed bool)) {
	t.Helper()
	seed := seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s=%d repeats the moments of these kills", SeedVar, seed)
		}
	})

	whole, killed := run(t, start(0), time.Hour)
	check(0, killed)
	left := rng.Perm(kills)
	for n := 1; len(left) > 0 && n <= 4*kills; n++ {
		part := left[0]
		at := time.Duration((float64(part) + rng.Float64()) / float64(kills) * float64(whole))
		took, killed := run(t, start(n), at)
		if killed {
			left = left[1:]
		} else {
			whole = min(whole, took)
			left = append(left[1:], part)
		}
		check(n, killed)
	}
	if len(left) > 0 {
		t.Errorf("%d of %d kills came after the end of the run: the parts %v of %d were not tried", len(left), kills, left, kills)
	}
}

// run waits for a program that was started, until at has passed; then it kills it.
// A program that fails by itself fails the test.
func run(t testing.TB, cmd *exec.Cmd, at time.Duration) (took time.Duration, killed bool) {
	t.Helper()
	began := time.Now()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var err error
	select {
	case err = <-ended:
	case <-time.After(at):
		_ = cmd.Process.Kill()
		err = <-ended
		killed = err != nil
	}
	took = time.Since(began)
	if byItself := !killed || cmd.ProcessState.ExitCode() >= 0 && runtime.GOOS != "windows"; err != nil && byItself {
		t.Fatalf("%v failed by itself: %v", cmd.Args, err)
	}
	return took, killed
}

func seed(t testing.TB) uint64 {
	s := os.Getenv(SeedVar)
	if s == "" {
		return rand.Uint64()
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", SeedVar, err))
	}
	return n
}
