package mcp

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is where the HTTP endpoint lies.
const Path = "/mcp"

// How HTTP requests are let in, in this order:
//
//	Host     403  unless it is the address the client connected to, a name of
//	              this machine for itself, or one of Options.Hosts: a page that
//	              rebinds its own name to our address cannot lie about it
//	Origin   403  where there is one, unless it is that of the Host: a browser
//	              says which page a request comes from
//	path     404  unless there are pages for people, who get all but ours
//	token    401  where one is asked for; from people as the password of any user,
//	              because a browser has no other way to send one
//
// What follows is the SDK's: 405 for anything but POST, 415, 400, and 413 for
// a body over 4 MiB.

// ListenAndServe serves HTTP at an address until ctx ends. A port alone means
// this machine only. An address that others can reach needs a token. Ready is
// told the URL.
func (s *Server) ListenAndServe(ctx context.Context, addr string, ready func(url string)) error {
	if !strings.Contains(addr, ":") {
		addr = "127.0.0.1:" + addr
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, cause(err))
	}
	if ip := ln.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() && s.opts.Token == "" {
		_ = ln.Close()
		return fmt.Errorf("listen on %s: %w", addr, ErrNoToken)
	}
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(ln) }()
	if ready != nil {
		ready("http://" + ln.Addr().String() + Path)
	}
	select {
	case err = <-done:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if server.Shutdown(grace) != nil {
		_ = server.Close()
	}
	return nil
}

// ErrNoToken is why a server that others can reach does not start.
var ErrNoToken = errors.New("an address that other machines can reach needs a token")

func cause(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}

// requestKey is under what calls find the HTTP request's own context, which the
// SDK hides from them for older revisions.
type requestKey struct{}

// Handler returns the HTTP endpoint with all its checks.
func (s *Server) Handler() http.Handler {
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &s.http)
	want := sha256.Sum256([]byte(s.opts.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !s.ownHost(r):
			http.Error(w, "forbidden: unknown Host", http.StatusForbidden)
		case !sameOrigin(r):
			http.Error(w, "forbidden: foreign Origin", http.StatusForbidden)
		case r.URL.Path != Path && s.pages != nil:
			if s.opts.Token != "" && !bears(r, want) && !knows(r, want) {
				w.Header().Set("WWW-Authenticate", `Basic realm="docent", charset="UTF-8"`)
				http.Error(w, "unauthorized: the token is the password, of any user", http.StatusUnauthorized)
				return
			}
			s.pages.ServeHTTP(w, r)
		case r.URL.Path != Path:
			http.Error(w, "not found: the endpoint is "+Path, http.StatusNotFound)
		case s.opts.Token != "" && !bears(r, want):
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "unauthorized: send the token as Authorization: Bearer", http.StatusUnauthorized)
		default:
			if ctx := r.Context(); s.http.Stateless {
				r = r.WithContext(context.WithValue(ctx, requestKey{}, ctx))
			}
			inner.ServeHTTP(w, r)
		}
	})
}

// ownHost reports whether a request is addressed to us.
func (s *Server) ownHost(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	for _, name := range s.opts.Hosts {
		if name != "" && (strings.EqualFold(name, host) || strings.EqualFold(name, r.Host)) {
			return true
		}
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	tcp, ok := local.(*net.TCPAddr)
	if !ok {
		return false
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip != nil {
		return ip.Equal(tcp.IP) || ip.IsLoopback() && tcp.IP.IsLoopback()
	}
	return strings.EqualFold(host, "localhost") && tcp.IP.IsLoopback()
}

// sameOrigin reports whether a request comes from no page, or from one of ours.
func sameOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	if err != nil || len(origins) > 1 || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return strings.EqualFold(origins[0], u.Scheme+"://"+r.Host) // and nothing else
}

// bears reports whether a request carries the token. Digests are compared, so
// that neither the time it takes nor the length tells anything.
func bears(r *http.Request, want [sha256.Size]byte) bool {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	got := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && ok && strings.EqualFold(scheme, "Bearer")
}

// knows reports whether a request carries the token as a password.
func knows(r *http.Request, want [sha256.Size]byte) bool {
	_, password, ok := r.BasicAuth()
	got := sha256.Sum256([]byte(password))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && ok
}

// Mount adds pages for people, who get every path but Path, with the same checks
// before them. It must be called before serving.
func (s *Server) Mount(pages http.Handler) { s.pages = pages }

// With runs fn with the newest library, as calls do.
func (s *Server) With(ctx context.Context, fn func(*docent.Library) error) (note string, err error) {
	return s.shelf.with(ctx, fn)
}

// Tell runs a tool as a client's call does and returns the text that the client
// would get, were the tool served.
func (s *Server) Tell(ctx context.Context, tool string, params []byte) (string, error) {
	t := slices.IndexFunc(s.tools, func(t served) bool { return t.name == tool })
	tools := s.tools
	if t < 0 {
		var err error
		if tools, err = choose(tool); err != nil {
			return "", err
		}
		t = 0
	}
	res, err := s.call(ctx, tools[t], &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: tool, Arguments: params}})
	if err != nil {
		return "", err
	}
	b := &strings.Builder{}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String(), nil
}

// withRequest ends ctx when the client of an HTTP request goes away.
func withRequest(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	req, ok := ctx.Value(requestKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(req, cancel)
	return ctx, func() { stop(); cancel() }
}
