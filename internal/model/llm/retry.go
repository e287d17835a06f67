package llm

import (
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Waits between attempts double from half a second on. The second half of each
// is left to chance, so that clients that failed together do not come back
// together. With four retries that is 4 to 7.5 seconds in all.
const (
	firstWait = 500 * time.Millisecond
	lastWait  = 8 * time.Second
)

// backoff returns how long to wait after attempt n, counted from 0.
func backoff(n int, jitter float64) time.Duration {
	d := min(firstWait<<min(n, 10), lastWait)
	return d/2 + time.Duration(float64(d/2)*jitter)
}

// retriable reports whether trying again may help. A costly request is tried
// again only when the server said that it did not begin it.
func retriable(e *Error, costly bool) bool {
	switch e.Kind {
	case Limited, Overloaded:
		return true
	case Failed, Unreachable, TimedOut:
		return !costly
	case Rejected:
		return e.Status == http.StatusConflict
	}
	return false
}

// dialling reports whether there was not even a connection.
func dialling(e *Error) bool {
	op, ok := errors.AsType[*net.OpError](e.Err)
	return ok && op.Op == "dial"
}

// retryAfter reads how long the server wants us to wait: retry-after-ms as
// OpenAI sends it, Retry-After in seconds or as a date. It returns -1 when there
// is nothing to read. The caller caps it.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return seconds(ms / 1000)
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(text, 64); err == nil && s >= 0 {
		return seconds(s)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return -1
}

// seconds is s as a duration, cut where a duration would overflow.
func seconds(s float64) time.Duration {
	const most = 24 * time.Hour
	if !(s < most.Seconds()) {
		return most
	}
	return time.Duration(s * float64(time.Second))
}
