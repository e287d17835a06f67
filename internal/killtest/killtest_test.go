package killtest_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/killtest"
)

const sleepVar = "DOCENT_TEST_SLEEP"

func TestMain(m *testing.M) {
	if d, err := time.ParseDuration(os.Getenv(sleepVar)); err == nil {
		time.Sleep(d)
		return
	}
	os.Exit(m.Run())
}

// victim starts this program to sleep for a while.
func victim(t *testing.T, d time.Duration) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), sleepVar+"="+d.String())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestEveryPartIsKilledIn(t *testing.T) {
	const kills = 4
	for _, tt := range []struct {
		name         string
		first, later time.Duration
	}{
		{"runs that take equally long", 80 * time.Millisecond, 80 * time.Millisecond},
		{"a first run on a busy machine", 400 * time.Millisecond, 80 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			happened, runs := 0, 0
			killtest.Run(t, kills, func(n int) *exec.Cmd {
				if n != runs {
					t.Errorf("run %d is numbered %d", runs, n)
				}
				if n == 0 {
					return victim(t, tt.first)
				}
				return victim(t, tt.later)
			}, func(_ int, killed bool) {
				runs++
				if killed {
					happened++
				}
			})
			if happened != kills {
				t.Errorf("%d of %d kills in %d runs", happened, kills, runs)
			}
		})
	}
}
