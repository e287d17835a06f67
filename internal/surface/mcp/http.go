package mcp

import (
	"cmp"
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

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is the path of the HTTP endpoint.
const Path = "/mcp"

// The checks of an HTTP request, in this order:
//
//	Host     403  unless it is the address that the client connected to, localhost,
//	              or one of Options.Hosts: stops DNS rebinding
//	Origin   403  if there is one and it differs from the Host: stops requests by
//	              pages of other sites
//	path     404  unless it is Path, HealthPath or MetricsPath, or pages are mounted,
//	              which get all other paths
//	token    401  if one is required; for pages it is the password of basic
//	              authentication, because a browser cannot send another
//
// The SDK adds 405 for anything but POST, 415, 400, and 413 for a body over 4 MiB.

// ListenAndServe serves HTTP at an address until ctx is cancelled. A port alone means
// loopback only; any other address requires a token. ready is called with the URL.
func (s *Server) ListenAndServe(ctx context.Context, addr string, ready func(url string)) error {
	return Listen(ctx, addr, ListenOptions{Handler: s.Handler(), Guarded: s.opts.Token != "", patience: s.opts.patience}, ready)
}

// ListenOptions say what Listen serves.
type ListenOptions struct {
	Handler http.Handler
	Guarded bool          // it asks for a token
	Grace   time.Duration // that running requests have to finish; 0 means 2 s

	patience patience // with slow clients; the zero value means defaultPatience
}

// Listen serves HTTP at an address until ctx is cancelled, and lets running requests
// finish. A port alone means loopback only; any other address requires a token. ready is
// called with the URL.
func Listen(ctx context.Context, addr string, o ListenOptions, ready func(url string)) error {
	if !strings.Contains(addr, ":") {
		addr = "127.0.0.1:" + addr
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, cause(err))
	}
	if ip := ln.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() && !o.Guarded {
		_ = ln.Close()
		return fmt.Errorf("listen on %s: %w", addr, ErrNoToken)
	}
	server := cmp.Or(o.patience, defaultPatience).server(o.Handler)
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
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(o.Grace, 2*time.Second))
	defer cancel()
	if server.Shutdown(grace) != nil {
		_ = server.Close()
	}
	return nil
}

// ErrNoToken is returned for an address that is not loopback if there is no token.
var ErrNoToken = errors.New("an address that other machines can reach needs a token")

func cause(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}

// Handler returns the HTTP endpoint with all checks.
func (s *Server) Handler() http.Handler {
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &s.http)
	want := sha256.Sum256([]byte(s.opts.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case Refuse(w, r, s.opts.Hosts):
		case r.URL.Path == HealthPath:
			_, ready := s.lib.FileCount()
			ServeHealth(w, ready)
		case r.URL.Path == MetricsPath && (s.opts.Token == "" || hasBearer(r, want)):
			documents, _ := s.lib.FileCount()
			s.shared.Write(w, map[string]int{"": documents})
		case r.URL.Path != Path && s.pages != nil:
			if s.opts.Token != "" && !hasBearer(r, want) && !hasPassword(r, want) {
				w.Header().Set("WWW-Authenticate", `Basic realm="docent", charset="UTF-8"`)
				http.Error(w, "unauthorized: the token is the password, of any user", http.StatusUnauthorized)
				return
			}
			s.pages.ServeHTTP(w, r)
		case r.URL.Path != Path:
			http.Error(w, "not found: the endpoint is "+Path, http.StatusNotFound)
		case s.opts.Token != "" && !hasBearer(r, want):
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

// Refuse answers a request that names another host, or comes from a page of another site,
// and reports whether it did.
func Refuse(w http.ResponseWriter, r *http.Request, hosts []string) bool {
	switch {
	case !ownHost(r, hosts):
		http.Error(w, "forbidden: unknown Host: whoever runs the server can allow it with --allow-host", http.StatusForbidden)
	case !sameOrigin(r):
		http.Error(w, "forbidden: foreign Origin", http.StatusForbidden)
	default:
		return false
	}
	return true
}

// ownHost reports whether a request names this server as its host, or one of
// the others that it may name.
func ownHost(r *http.Request, others []string) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	for _, name := range others {
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

// sameOrigin reports whether a request has no Origin, or that of its Host.
func sameOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	if err != nil || len(origins) > 1 || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return strings.EqualFold(origins[0], u.Scheme+"://"+r.Host) // without a path
}

// TokenOf is the token that a request has: a bearer's or, but for the endpoint itself, a
// password, because a browser cannot send another.
func TokenOf(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	if r.URL.Path == Path {
		return ""
	}
	_, password, _ := r.BasicAuth()
	return password
}

// hasBearer reports whether a request has the token. It compares digests, so that the
// time it takes reveals neither the token nor its length.
func hasBearer(r *http.Request, want [sha256.Size]byte) bool {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	got := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && ok && strings.EqualFold(scheme, "Bearer")
}

// hasPassword reports whether a request has the token as its password.
func hasPassword(r *http.Request, want [sha256.Size]byte) bool {
	_, password, ok := r.BasicAuth()
	got := sha256.Sum256([]byte(password))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && ok
}

// Mount adds pages for people at every path but Path, behind the same checks. It must
// be called before serving.
func (s *Server) Mount(pages http.Handler) { s.pages = pages }

// Tell calls a tool and returns the text that an MCP client would get, also for a tool
// that is not served.
func (s *Server) Tell(ctx context.Context, tool string, params []byte) (string, error) {
	t := slices.IndexFunc(s.tools, func(t toolView) bool { return t.name == tool })
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
