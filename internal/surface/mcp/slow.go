package mcp

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// The times a client may take, so that slow ones do not hold connections for ever. None
// limits how long an answer may take to be found, or how long a stream stays open.
type patience struct {
	header  time.Duration // to send the head of a request
	body    time.Duration // to send its body, of at most 4 MiB
	write   time.Duration // to take one piece of an answer
	idle    time.Duration // between requests
	maxIdle int           // connections without a request; beyond that the one idle for longest is closed
}

var defaultPatience = patience{header: 10 * time.Second, body: 30 * time.Second, write: 30 * time.Second, idle: 2 * time.Minute, maxIdle: 1000}

// server returns an HTTP server that waits only so long for its clients.
func (p patience) server(h http.Handler) *http.Server {
	idle := &idleConns{most: p.maxIdle}
	return &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			control := http.NewResponseController(w)
			_ = control.SetWriteDeadline(time.Time{}) // of the request before
			if r.Body != nil && r.Body != http.NoBody && control.SetReadDeadline(time.Now().Add(p.body)) == nil {
				r.Body = &hastyBody{r.Body, control}
			}
			h.ServeHTTP(&hastyWriter{w, control, p.write}, r)
		}),
		ReadHeaderTimeout: p.header,
		IdleTimeout:       p.idle,
		MaxHeaderBytes:    64 << 10,
		ConnState:         idle.follow,
	}
}

// A hastyBody is read under a deadline, which ends with the body: after it, reading is
// how the server notices that the client went away.
type hastyBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *hastyBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// A hastyWriter gives the client a limited time to take each piece of an answer.
type hastyWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

// Unwrap lets http.ResponseController find the rest of what the writer can do.
func (w *hastyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *hastyWriter) WriteHeader(status int) {
	w.hurry()
	w.ResponseWriter.WriteHeader(status)
}

func (w *hastyWriter) Write(p []byte) (int, error) {
	w.hurry()
	return w.ResponseWriter.Write(p)
}

// FlushError is how http.ResponseController flushes.
func (w *hastyWriter) FlushError() error {
	w.hurry()
	return w.control.Flush()
}

func (w *hastyWriter) hurry() { _ = w.control.SetWriteDeadline(time.Now().Add(w.limit)) }

// idleConns are the connections without a request, the one idle for longest first.
type idleConns struct {
	mu    sync.Mutex
	conns []net.Conn
	most  int
}

func (i *idleConns) follow(c net.Conn, state http.ConnState) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for n, old := range i.conns {
		if old == c {
			i.conns = append(i.conns[:n], i.conns[n+1:]...)
			break
		}
	}
	if state != http.StateIdle && state != http.StateNew {
		return
	}
	if len(i.conns) >= i.most {
		_ = i.conns[0].Close()
		i.conns = i.conns[1:]
	}
	i.conns = append(i.conns, c)
}

// requestKey is the context key of the HTTP request's own context, which the SDK
// does not pass to calls of older revisions.
type requestKey struct{}

// withRequest cancels ctx when the client of an HTTP request disconnects.
func withRequest(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	req, ok := ctx.Value(requestKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(req, cancel)
	return ctx, func() { stop(); cancel() }
}
