package host

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// counts are what was asked, by user. The zero value has counted nothing.
type counts struct {
	mu       sync.Mutex
	requests map[requestKind]*requestCount
	refused  map[string]int64 // by why
}

type requestKind struct {
	user   string
	status int
}

type requestCount struct {
	n       int64
	seconds float64
}

// add counts a request. Those of nobody in particular count under no user.
func (c *counts) add(e entry, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.requests == nil {
		c.requests, c.refused = map[requestKind]*requestCount{}, map[string]int64{}
	}
	k := requestKind{e.User, e.Status}
	if c.requests[k] == nil {
		c.requests[k] = &requestCount{}
	}
	c.requests[k].n++
	c.requests[k].seconds += took.Seconds()
	if e.Refused != "" {
		c.refused[e.Refused]++
	}
}

// serveMetrics writes the counts in the text format of Prometheus, after those of the
// views.
func (h *Host) serveMetrics(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	if h.opts.Counts != nil {
		h.opts.Counts(w)
	}
	h.counts.write(w)
}

func (c *counts) write(w http.ResponseWriter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kinds := slices.SortedFunc(maps.Keys(c.requests), func(a, b requestKind) int {
		return cmp.Or(strings.Compare(a.user, b.user), a.status-b.status)
	})
	b := &strings.Builder{}
	b.WriteString("# HELP docent_requests_total HTTP requests.\n# TYPE docent_requests_total counter\n")
	for _, k := range kinds {
		fmt.Fprintf(b, "docent_requests_total{user=%q,status=\"%d\"} %d\n", k.user, k.status, c.requests[k].n)
	}
	b.WriteString("# HELP docent_request_seconds_total Time that HTTP requests took.\n# TYPE docent_request_seconds_total counter\n")
	for _, k := range kinds {
		fmt.Fprintf(b, "docent_request_seconds_total{user=%q,status=\"%d\"} %g\n", k.user, k.status, c.requests[k].seconds)
	}
	b.WriteString("# HELP docent_refused_total Requests that were refused, by reason.\n# TYPE docent_refused_total counter\n")
	for _, reason := range slices.Sorted(maps.Keys(c.refused)) {
		fmt.Fprintf(b, "docent_refused_total{reason=%q} %d\n", reason, c.refused[reason])
	}
	_, _ = w.Write([]byte(b.String()))
}
