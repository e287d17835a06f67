package mcp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The paths at which whoever runs a server looks after it.
const (
	HealthPath  = "/healthz" // 200 once there is an index to answer from, 503 before; no token
	MetricsPath = "/metrics" // in the text format of Prometheus; with the token, if there is one
)

// Shared is what the servers of one process have in common: the calls that run, and what
// was counted of all.
//
// Questions have a queue of their own. The model reads twenty sections for one, which takes
// a hundred times as long as another call: who reads a page would wait for all who asked.
type Shared struct {
	slots     chan struct{} // a semaphore: limits the calls that run at once
	questions chan struct{} // and those of search

	mu    sync.Mutex
	calls map[callKind]*callCount
}

// NewShared returns what servers share, who have counted nothing yet.
func NewShared() *Shared {
	n := max(4, 2*runtime.GOMAXPROCS(0))
	return &Shared{slots: make(chan struct{}, n), questions: make(chan struct{}, n), calls: map[callKind]*callCount{}}
}

// A callKind is a tool, or another method, and how a call of it ended.
type callKind struct{ name, outcome string }

type callCount struct {
	n       int64
	seconds float64
}

func (m *Shared) add(name, outcome string, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.calls[callKind{name, outcome}]
	if c == nil {
		c = &callCount{}
		m.calls[callKind{name, outcome}] = c
	}
	c.n++
	c.seconds += took.Seconds()
}

// measure counts the calls of tools. Names that are not tools count together, so that no
// client can make up more.
func (m *Shared) measure(prefix string, serves func(tool string) bool) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			call, ok := req.(*mcp.CallToolRequest)
			if !ok {
				return next(ctx, method, req)
			}
			began := time.Now()
			res, err := next(ctx, method, req)
			name, outcome := "other", "ok"
			if t := strings.TrimPrefix(call.Params.Name, prefix); serves(t) {
				name = t
			}
			if r, isCall := res.(*mcp.CallToolResult); err != nil || isCall && r.IsError {
				outcome = "error"
			}
			m.add(name, outcome, time.Since(began))
			return res, err
		}
	}
}

// ServeHealth answers whether there is an index to answer from.
func ServeHealth(w http.ResponseWriter, ready bool) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if !ready {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, "no index yet")
		return
	}
	fmt.Fprintln(w, "ok")
}

// Write writes the counts in the text format of Prometheus: of calls, and the numbers of
// documents by index. One without a name is the only one.
func (m *Shared) Write(w http.ResponseWriter, documents map[string]int) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	b := &strings.Builder{}
	b.WriteString("# HELP docent_documents Documents in the index.\n# TYPE docent_documents gauge\n")
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		label := ""
		if name != "" {
			label = fmt.Sprintf("{index=%q}", name)
		}
		fmt.Fprintf(b, "docent_documents%s %d\n", label, documents[name])
	}
	fmt.Fprintf(b, "# HELP docent_calls_running Calls that are being answered.\n# TYPE docent_calls_running gauge\ndocent_calls_running %d\n", len(m.slots)+len(m.questions))
	m.mu.Lock()
	defer m.mu.Unlock()
	kinds := slices.SortedFunc(maps.Keys(m.calls), func(a, b callKind) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.outcome, b.outcome))
	})
	b.WriteString("# HELP docent_calls_total Calls of tools.\n# TYPE docent_calls_total counter\n")
	for _, k := range kinds {
		fmt.Fprintf(b, "docent_calls_total{tool=%q,outcome=%q} %d\n", k.name, k.outcome, m.calls[k].n)
	}
	b.WriteString("# HELP docent_call_seconds_total Time that calls took.\n# TYPE docent_call_seconds_total counter\n")
	for _, k := range kinds {
		fmt.Fprintf(b, "docent_call_seconds_total{tool=%q,outcome=%q} %g\n", k.name, k.outcome, m.calls[k].seconds)
	}
	_, _ = w.Write([]byte(b.String()))
}
