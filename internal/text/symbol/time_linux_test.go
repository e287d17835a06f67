package symbol

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is how long the processor has worked for this thread.
func threadTime(t *testing.T) time.Duration {
	t.Helper()
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}
