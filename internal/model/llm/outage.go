package llm

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// How an endpoint that is down is treated.
//
// A call that fails although it was tried several times marks an outage, in memory and
// in a file, because every command is a process of its own. During the minute after
// that, who waits for an answer waits a second at most: one attempt, and none at all
// where one has just failed. Any answer ends the outage. A Patient client does not
// care: whoever starts a long job has just seen to the endpoint.
const (
	outageLasts = time.Minute
	probeWithin = time.Second
	probeEvery  = time.Second
)

// An outage says when an endpoint failed.
type outage struct {
	file string // that tells other processes; "" for none

	mu     sync.Mutex
	failed time.Time // when a call with several attempts did
	probed time.Time // when the one attempt that was left did
}

// outageFile names the file in a folder that marks the outage of one address.
func outageFile(dir string, base *url.URL) string {
	if dir == "" {
		return ""
	}
	key := KeyOf("outage", address(base))
	return filepath.Join(dir, fmt.Sprintf("down-%x", key[:6]))
}

// under reports whether an outage is under way, and whether one has just been confirmed.
func (o *outage) under(now time.Time) (down, confirmed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed.IsZero() && o.file != "" {
		if info, err := os.Stat(o.file); err == nil {
			o.failed = info.ModTime()
		}
	}
	lasts := func(at time.Time, d time.Duration) bool { return !at.IsZero() && now.Sub(at).Abs() < d }
	down = lasts(o.failed, outageLasts)
	return down, down && lasts(o.probed, probeEvery)
}

// begin marks an outage; of one that is under way, that it is not over.
func (o *outage) begin(now time.Time, probe bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.probed = now
	if probe {
		return
	}
	if o.failed = now; o.file != "" {
		_ = os.WriteFile(o.file, nil, 0o600) // without it other processes find out themselves
		_ = os.Chtimes(o.file, now, now)
	}
}

func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.failed.IsZero() && o.file != "" {
		_ = os.Remove(o.file)
	}
	o.failed, o.probed = time.Time{}, time.Time{}
}

// isOutage reports whether an error says that the endpoint, and not the request, is at
// fault.
func isOutage(k Kind) bool {
	return slices.Contains([]Kind{Unreachable, TimedOut, Limited, Overloaded, Failed}, k)
}

// hurry makes a call that somebody waits for a probe during an outage, or refuses it
// where one has just failed.
func (cl *client) hurry(c *call) error {
	down, confirmed := cl.outage.under(cl.Now())
	switch {
	case !down || cl.Patient:
	case confirmed:
		return &Error{
			Op: c.op, Endpoint: cl.base.Scheme + "://" + cl.base.Host, Kind: Unreachable,
			Message: "it failed a moment ago, and is tried again in a second",
		}
	default:
		c.probe, c.within = true, min(c.within, probeWithin)
	}
	return nil
}

// maxInARow is how many failures in a row end a job of many requests.
const maxInARow = 3

// A Streak counts failures in a row, so that a job ends when nothing comes of it. Its
// zero value is ready; it may be used by many goroutines at once.
type Streak struct {
	mu sync.Mutex
	n  int
}

// Ends takes in how a request went, and reports whether to begin no other: access was
// denied, or several failed in a row. That a model declines a text or runs into its
// limit is about the text.
func (s *Streak) Ends(err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch k := KindOf(err); {
	case k == Denied:
		return true
	case err == nil, k == Declined, k == Cut, k == Empty, k == TooLarge:
		s.n = 0
		return false
	case k == Cancelled:
		return false
	}
	s.n++
	return s.n >= maxInARow
}

// probe asks for as little as can be during an outage, so that a long request is begun
// only where it may be answered.
func (e *Embedder) probe(ctx context.Context, op string) error {
	if down, _ := e.client.outage.under(e.client.Now()); !down || e.client.Patient {
		return nil
	}
	_, err := e.request(ctx, op, []string{"docent"}, 0, probeWithin)
	return err
}
