package host

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/docent-md/docent/internal/surface/mcp"
)

// Why a request is refused, in the access log and the metrics.
const (
	refusedShutdown   = "shutdown"
	refusedOrigin     = "origin"
	refusedToken      = "token"
	refusedGuesses    = "guesses"
	refusedRate       = "rate"
	refusedConcurrent = "concurrent"
	refusedRight      = "right"
	refusedSize       = "size"
)

// A running request is one that is being answered.
type running struct {
	h      *Host
	entry  entry
	call   *mcp.Call
	w      *countingWriter
	cancel context.CancelFunc
}

// ServeHTTP checks a request, in this order:
//
//	shutdown  503  the server is ending
//	Host      403  and Origin: see mcp.Refuse
//	token     401  unless anybody may ask; 429 after too many wrong ones from an address
//	limits    429  too many requests a second, or at once
//	right     403  /metrics, for users without that right
//	size      413  by its Content-Length, or when so much of it was read
//
// /healthz needs no token, has no limits and tells nothing but whether there is an index.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := h.opts.now()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	req := &running{h: h, w: &countingWriter{ResponseWriter: w}, cancel: cancel, call: &mcp.Call{}}
	req.entry = entry{Time: began.UTC(), Remote: remote(r, h.opts.BehindProxy), Method: r.Method, Path: r.URL.Path}
	defer func() {
		e := req.entry
		e.Status, e.Bytes, e.CallInfo = req.w.code(), req.w.bytes, req.call.Info()
		took := h.opts.now().Sub(began)
		e.Millis = float64(took.Microseconds()) / 1000
		h.counts.add(e, took)
		if r.URL.Path != mcp.HealthPath || e.Status != http.StatusOK {
			h.opts.Log.add(e)
		}
	}()
	req.serve(r.WithContext(mcp.WithCall(ctx, req.call)))
}

// serve answers a request, or refuses it.
func (q *running) serve(r *http.Request) {
	h := q.h
	switch {
	case h.isDraining():
		q.w.Header().Set("Connection", "close")
		q.refuse(refusedShutdown, http.StatusServiceUnavailable, "the server is shutting down: ask again in a moment", 5*time.Second)
		return
	case mcp.Refuse(q.w, r, h.opts.Hosts):
		q.entry.Refused = refusedOrigin
		return
	case r.URL.Path == mcp.HealthPath:
		mcp.ServeHealth(q.w, h.opts.Ready == nil || h.opts.Ready())
		return
	}
	p := q.identify(r)
	if p == nil {
		return
	}
	q.entry.User = p.user.Name
	m := h.meters.of(p.user.Name)
	switch reason, wait := m.enter(h.opts.Limits, h.opts.now()); reason {
	case refusedRate:
		q.refuse(reason, http.StatusTooManyRequests, fmt.Sprintf("over %d requests a second: wait as long as Retry-After says", h.opts.Limits.Rate), wait)
		return
	case refusedConcurrent:
		q.refuse(reason, http.StatusTooManyRequests, fmt.Sprintf("%d of your requests are running: wait for one to end", h.opts.Limits.Concurrent), wait)
		return
	}
	defer m.leave()
	q.admit(r, p)
}

// identify returns the pass of whoever asks. If there is none, or it may not be looked up
// now, the request is answered.
func (q *running) identify(r *http.Request) *pass {
	h, now, token := q.h, q.h.opts.now(), mcp.TokenOf(r)
	p := h.pass(token)
	if p != nil && p.user == anybody {
		return p
	}
	from, wait := neighbourhood(q.entry.Remote), time.Duration(0)
	switch {
	case p != nil:
		if wait = h.guesses.wait(from, now); wait == 0 || p.from.has(from) {
			p.from.add(from, now)
			return p
		}
	case token != "":
		wait = h.guesses.add(from, token, now)
	}
	if wait > 0 {
		q.refuse(refusedGuesses, http.StatusTooManyRequests,
			"too many wrong tokens from your address: wait as long as Retry-After says, then send the right one", wait)
		return nil
	}
	q.unauthorized(r)
	return nil
}

// admit answers a request of a user who is within the limits.
func (q *running) admit(r *http.Request, p *pass) {
	defer context.AfterFunc(p.ctx, q.cancel)()
	if r.URL.Path == mcp.MetricsPath {
		if !p.user.Metrics {
			q.refuse(refusedRight, http.StatusForbidden, "the metrics are not for you: ask whoever runs the server", 0)
			return
		}
		q.h.serveMetrics(q.w)
		return
	}
	if most := q.h.opts.Limits.Body; most > 0 && r.Body != nil {
		if r.ContentLength > most {
			q.refuse(refusedSize, http.StatusRequestEntityTooLarge, fmt.Sprintf("a request has at most %d bytes: ask for less in one", most), 0)
			return
		}
		r.Body = http.MaxBytesReader(q.w, r.Body, most)
	}
	view, err := q.h.view(p.user)
	if err != nil {
		q.h.opts.Note(fmt.Sprintf("%s: %v", p.user.Name, err))
		q.refuse("", http.StatusServiceUnavailable, "what you may see cannot be opened now: ask again in a moment", 5*time.Second)
		return
	}
	q.call.OnListen = func() { q.h.addStream(q) }
	defer q.h.removeStream(q)
	ctx := mcp.WithSessions(r.Context(), &p.session)
	if most := q.h.opts.Limits.Time; most > 0 && r.URL.Path != mcp.Path {
		var done context.CancelFunc
		ctx, done = context.WithTimeoutCause(ctx, most, errTooLong)
		defer done()
	}
	r = r.WithContext(ctx)
	if q.h.opts.BehindProxy && r.Header.Get("X-Forwarded-Proto") == "https" {
		u := *r.URL
		u.Scheme, r.URL = "https", &u // for pages that name this server's address
	}
	view.ServeHTTP(q.w, r)
	if q.w.status == 0 && errors.Is(context.Cause(ctx), errTooLong) {
		q.refuse("", http.StatusServiceUnavailable, fmt.Sprintf("this took longer than %v: ask for less", q.h.opts.Limits.Time), 0)
	}
}

var errTooLong = errors.New("over the time limit")

// unauthorized asks for a token, in the way that the client can send one.
func (q *running) unauthorized(r *http.Request) {
	if r.URL.Path == mcp.Path || r.URL.Path == mcp.MetricsPath {
		q.w.Header().Set("WWW-Authenticate", "Bearer")
		q.refuse(refusedToken, http.StatusUnauthorized, "unauthorized: send your token as Authorization: Bearer", 0)
		return
	}
	q.w.Header().Set("WWW-Authenticate", `Basic realm="docent", charset="UTF-8"`)
	q.refuse(refusedToken, http.StatusUnauthorized, "unauthorized: your token is the password, with any user name", 0)
}

// refuse answers with a status, and a line that says what to do.
func (q *running) refuse(reason string, status int, text string, wait time.Duration) {
	q.entry.Refused = reason
	if wait > 0 {
		q.w.Header().Set("Retry-After", strconv.Itoa(int(max(wait, time.Second)/time.Second)))
	}
	q.w.Header().Set("Cache-Control", "no-store")
	http.Error(q.w, text, status)
}

// A countingWriter remembers the status and the size of an answer.
type countingWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Unwrap lets http.ResponseController find the rest of what the writer can do.
func (w *countingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *countingWriter) WriteHeader(status int) {
	if w.status == 0 || w.status < http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *countingWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// code is the status of the answer. A handler that wrote nothing was left by its client.
func (w *countingWriter) code() int {
	if w.status == 0 {
		return statusClientLeft
	}
	return w.status
}

// statusClientLeft is what servers log for a client that did not wait.
const statusClientLeft = 499
