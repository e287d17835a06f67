//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A use is what one run of something took.
type use struct {
	cpu  time.Duration // of the whole process, its collector included
	wall time.Duration
	rss  int64 // most bytes of resident memory; 0 when measured in process
}

// A rival runs once and says what that took.
type rival func(ctx context.Context) (use, error)

// contest runs the rivals in turn, round after round, so that whatever else the
// machine does hits all alike. Each round begins with another of them. The first
// round warms the caches and does not count.
func contest(ctx context.Context, rounds int, rivals ...rival) ([][]use, error) {
	out := make([][]use, len(rivals))
	for round := range rounds + 1 {
		for i := range rivals {
			at := (round + i) % len(rivals)
			if rivals[at] == nil {
				continue
			}
			u, err := rivals[at](ctx)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				out[at] = append(out[at], u)
			}
		}
	}
	return out, nil
}

// A spread is a median with the quartiles around it.
type spread struct {
	low, mid, high float64
	n              int
}

func spreadOf(values []float64) spread {
	if len(values) == 0 {
		return spread{}
	}
	v := slices.Sorted(slices.Values(values))
	return spread{quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75), len(v)}
}

// quantile interpolates in sorted values.
func quantile(v []float64, q float64) float64 {
	at := q * float64(len(v)-1)
	i := int(at)
	if i+1 >= len(v) {
		return v[len(v)-1]
	}
	return v[i] + (at-float64(i))*(v[i+1]-v[i])
}

// cpus, walls and peaks are one column of many uses: milliseconds, or megabytes.
func cpus(us []use) spread  { return column(us, func(u use) float64 { return ms(u.cpu) }) }
func walls(us []use) spread { return column(us, func(u use) float64 { return ms(u.wall) }) }
func peaks(us []use) spread { return column(us, func(u use) float64 { return float64(u.rss) / 1e6 }) }

func column(us []use, of func(use) float64) spread {
	v := make([]float64, len(us))
	for i, u := range us {
		v[i] = of(u)
	}
	return spreadOf(v)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// timed runs fn in this process.
func timed(fn func() error) (use, error) {
	start, before := time.Now(), processCPU()
	err := fn()
	return use{cpu: processCPU() - before, wall: time.Since(start)}, err
}

// batch runs fn again and again for at least some time, as short runs are
// shorter than what the system counts in, and returns what one run took.
func batch(atLeast time.Duration, fn func() error) (use, error) {
	n := 0
	u, err := timed(func() error {
		for start := time.Now(); ; {
			if err := fn(); err != nil {
				return err
			}
			if n++; time.Since(start) >= atLeast {
				return nil
			}
		}
	})
	if err != nil {
		return use{}, err
	}
	return use{cpu: u.cpu / time.Duration(n), wall: u.wall / time.Duration(n)}, nil
}

func processCPU() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// A launcher runs commands through the usage program.
type launcher string

// command is a rival that is a process, which must find something: exit code 0.
func (l launcher) command(args ...string) rival {
	return func(ctx context.Context) (use, error) {
		cmd := exec.CommandContext(ctx, string(l), args...)
		cmd.Stderr = os.Stderr
		raw, err := cmd.Output()
		if err != nil {
			return use{}, fmt.Errorf("run %s: %w", args[0], err)
		}
		var r struct {
			CPU, Wall time.Duration
			RSS       int64
			Exit      int
			Stderr    string
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return use{}, fmt.Errorf("run %s: %w", args[0], err)
		}
		if r.Exit != 0 {
			return use{}, errors.New(strings.Join(args, " ") + ": " + fmt.Sprintf("exit code %d: %s", r.Exit, r.Stderr))
		}
		return use{r.CPU, r.Wall, r.RSS}, nil
	}
}

// each is a rival that takes the next of several in every round; nil for none.
func each(rivals []rival) rival {
	if len(rivals) == 0 {
		return nil
	}
	i := -1
	return func(ctx context.Context) (use, error) {
		i++
		return rivals[i%len(rivals)](ctx)
	}
}
