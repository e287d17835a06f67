package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// at pretends that a connection came in on an address.
func at(addr string, h http.Handler) http.Handler {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		panic(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(tcp))))
	})
}

func post(h http.Handler, host, origin, auth, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://x"+path, strings.NewReader(body))
	r.Host = host
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	if auth != "" {
		r.Header.Set("Authorization", auth)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestWhoIsLetIn(t *testing.T) {
	const loop, lan, secret = "127.0.0.1:8300", "192.168.1.5:8300", "s3cret"
	open := newServer(t, fixed(docs)).Handler()
	o := fixed(docs)
	o.Token, o.Hosts = secret, []string{"docs.example.com", "other.example.com:8443"}
	guarded := newServer(t, o).Handler()
	tried := 0
	for _, tt := range []struct {
		handler            http.Handler
		local              string
		host, origin, auth string
		path               string
		want               int
	}{
		// Host, on loopback.
		{open, loop, "127.0.0.1:8300", "", "", "/mcp", 200},
		{open, loop, "127.0.0.1", "", "", "/mcp", 200},
		{open, loop, "127.0.0.1:9", "", "", "/mcp", 200}, // a forwarded port
		{open, loop, "localhost:8300", "", "", "/mcp", 200},
		{open, loop, "LOCALHOST:8300", "", "", "/mcp", 200},
		{open, loop, "[::1]:8300", "", "", "/mcp", 200},
		{open, "[::1]:8300", "[::1]:8300", "", "", "/mcp", 200},
		{open, loop, "", "", "", "/mcp", 403},
		{open, loop, "evil.example", "", "", "/mcp", 403},
		{open, loop, "evil.example:8300", "", "", "/mcp", 403},
		{open, loop, "localhost.evil.example:8300", "", "", "/mcp", 403},
		{open, loop, "127.0.0.1.evil.example:8300", "", "", "/mcp", 403},
		{open, loop, "192.168.1.5:8300", "", "", "/mcp", 403},
		{open, loop, "docs.example.com", "", "", "/mcp", 403},
		// Host, on an address of the network.
		{guarded, lan, "192.168.1.5:8300", "", "Bearer s3cret", "/mcp", 200},
		{guarded, lan, "docs.example.com", "", "Bearer s3cret", "/mcp", 200},
		{guarded, lan, "DOCS.example.com:443", "", "Bearer s3cret", "/mcp", 200},
		{guarded, lan, "other.example.com:8443", "", "Bearer s3cret", "/mcp", 200},
		{guarded, lan, "other.example.com:1", "", "Bearer s3cret", "/mcp", 403},
		{guarded, lan, "evil.example:8300", "", "Bearer s3cret", "/mcp", 403},
		{guarded, lan, "localhost:8300", "", "Bearer s3cret", "/mcp", 403},
		{guarded, lan, "127.0.0.1:8300", "", "Bearer s3cret", "/mcp", 403},
		{guarded, lan, "10.0.0.1:8300", "", "Bearer s3cret", "/mcp", 403},
		{guarded, loop, "docs.example.com", "", "Bearer s3cret", "/mcp", 200}, // a proxy on this machine
		// Origin.
		{open, loop, "127.0.0.1:8300", "http://127.0.0.1:8300", "", "/mcp", 200},
		{open, loop, "localhost:8300", "http://localhost:8300", "", "/mcp", 200},
		{open, loop, "localhost:8300", "http://localhost:3000", "", "/mcp", 403},
		{open, loop, "localhost:8300", "http://evil.example", "", "/mcp", 403},
		{open, loop, "localhost:8300", "http://localhost:8300.evil.example", "", "/mcp", 403},
		{open, loop, "localhost:8300", "null", "", "/mcp", 403},
		{open, loop, "localhost:8300", "file://localhost:8300", "", "/mcp", 403},
		{open, loop, "localhost:8300", "localhost:8300", "", "/mcp", 403},
		{open, loop, "localhost:8300", "http://", "", "/mcp", 403},
		{open, loop, "localhost:8300", "::bad::", "", "/mcp", 403},
		{guarded, loop, "docs.example.com", "https://docs.example.com", "Bearer s3cret", "/mcp", 200},
		{guarded, loop, "docs.example.com", "https://evil.example", "Bearer s3cret", "/mcp", 403},
		{guarded, lan, "docs.example.com", "https://docs.example.com.evil.example", "Bearer s3cret", "/mcp", 403},
		{guarded, lan, "192.168.1.5:8300", "http://192.168.1.5:8300", "Bearer s3cret", "/mcp", 200},
		{open, "[::1]:8300", "[::1]:8300", "http://[::1]:8300", "", "/mcp", 200},
		{open, loop, "localhost:8300", "http://LOCALHOST:8300", "", "/mcp", 200},
		{open, loop, "localhost:8300", "https://localhost:8300", "", "/mcp", 200}, // a proxy that speaks TLS
		{open, loop, "localhost:8300", "http://user@localhost:8300", "", "/mcp", 403},
		{open, loop, "localhost:8300", "http://localhost:8300/page", "", "/mcp", 403},
		{open, loop, "localhost:8300", "http://localhost:8300?x", "", "/mcp", 403},
		// Token.
		{guarded, lan, "docs.example.com", "https://docs.example.com", "", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "Bearer s3cret extra", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "Bearer", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "Bearer ", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "Bearer wrong", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "Bearer s3cre", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "Bearer s3crett", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "Basic s3cret", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "s3cret", "/mcp", 401},
		{guarded, loop, "localhost:8300", "", "bearer s3cret", "/mcp", 200},
		{open, loop, "localhost:8300", "", "Bearer whatever", "/mcp", 200},
		// What comes first: the Host, the Origin, the path, the token.
		{guarded, loop, "evil.example", "http://evil.example", "", "/nope", 403},
		{guarded, loop, "localhost:8300", "http://evil.example", "", "/nope", 403},
		{guarded, loop, "localhost:8300", "", "", "/nope", 404},
		{open, loop, "localhost:8300", "", "", "/", 404},
		{open, loop, "localhost:8300", "", "", "/mcp/", 404},
		{open, loop, "localhost:8300", "", "", "/mcp?x=1", 200},
	} {
		tried++
		w := post(at(tt.local, tt.handler), tt.host, tt.origin, tt.auth, tt.path, listTools)
		if w.Code != tt.want {
			t.Errorf("on %s, Host %q, Origin %q, Authorization %q, %s: %d, want %d", tt.local, tt.host, tt.origin, tt.auth, tt.path, w.Code, tt.want)
		}
		if w.Code == 401 && w.Header().Get("WWW-Authenticate") != "Bearer" {
			t.Error("401 without WWW-Authenticate")
		}
		if strings.Contains(w.Body.String(), secret) {
			t.Errorf("the token is in the answer: %s", w.Body)
		}
	}
	cases.Tried(t, "S4", tried)
}

func TestTwoOriginsAreForeign(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Host = "localhost:1"
	r.Header["Origin"] = []string{"http://localhost:1", "http://evil.example"}
	if sameOrigin(r) {
		t.Error("let in")
	}
}

func TestBadHTTPRequests(t *testing.T) {
	h := at("127.0.0.1:1", newServer(t, fixed(docs)).Handler())
	for _, tt := range []struct {
		name, method, contentType, accept, body string
		want                                    int
	}{
		{"GET", "GET", "", "text/event-stream", "", 405},
		{"DELETE", "DELETE", "", "", "", 405},
		{"a form", "POST", "application/x-www-form-urlencoded", "*/*", "a=b", 415},
		{"an Accept that takes no answer", "POST", "application/json", "text/html", listTools, 400},
		{"no JSON", "POST", "application/json", "application/json, text/event-stream", "garbage", 400},
		{"5 MB", "POST", "application/json", "application/json, text/event-stream", strings.Repeat("x", 5_000_000), 413},
		{"depth", "POST", "application/json", "application/json, text/event-stream", strings.Repeat("[", 5000), 400},
	} {
		r := httptest.NewRequest(tt.method, "http://localhost:1/mcp", strings.NewReader(tt.body))
		r.Header.Set("Content-Type", tt.contentType)
		r.Header.Set("Accept", tt.accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: %d %s, want %d", tt.name, w.Code, w.Body, tt.want)
		}
	}
}

// listen serves on a port of this machine.
func listen(t *testing.T, s *Server, addr string) (url string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- s.ListenAndServe(ctx, addr, func(u string) { ready <- u }) }()
	select {
	case url = <-ready:
	case err := <-done:
		t.Fatal(err)
	}
	once := sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = once() })
	return url, once
}

func TestAddressesOthersCanReachNeedAToken(t *testing.T) {
	s := newServer(t, fixed(docs))
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		err := s.ListenAndServe(context.Background(), addr, nil)
		if !errors.Is(err, ErrNoToken) {
			if op, ok := errors.AsType[*net.AddrError](err); ok {
				t.Skip(op)
			}
			t.Errorf("%s: %v", addr, err)
		}
	}
	o := fixed(docs)
	o.Token = "x"
	url, stop := listen(t, newServer(t, o), "0.0.0.0:0")
	if url == "" {
		t.Error("no URL")
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	url, _ = listen(t, s, "0")
	if !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("a port alone is served at %s", url)
	}
}

// Clients of the SDK do a whole session over HTTP, and of many at once nothing
// is left behind.
func TestManyClientsOverHTTP(t *testing.T) {
	clients, calls := rounds(8, 40, 500), rounds(10, 10, 40)
	s := newServer(t, fixed(docs))
	url, stop := listen(t, s, "127.0.0.1:0")
	before := runtime.NumGoroutine()
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			cs, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}}, nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer cs.Close()
			for range calls {
				res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "search", Arguments: object{"query": "rotate keys"}})
				if err != nil || res.IsError {
					t.Errorf("%v %v", res, err)
					return
				}
			}
		})
	}
	wg.Wait()
	cases.Tried(t, "M4", clients*calls)
	transport.CloseIdleConnections()
	if err := stop(); err != nil {
		t.Error(err)
	}
	soon(t, func() string {
		if after := runtime.NumGoroutine(); after > before {
			return fmt.Sprintf("%d goroutines before, %d after", before, after)
		}
		return ""
	})
}

func TestAClientThatGoesAwayStopsItsCall(t *testing.T) {
	for _, revision := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			s := newServer(t, fixed(docs))
			began, ended := make(chan bool, 1), make(chan bool, 1)
			s.mcp.AddTool(&mcp.Tool{Name: "slow", InputSchema: object{"type": "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				ctx, done := withRequest(ctx)
				defer done()
				began <- true
				<-ctx.Done()
				ended <- true
				return nil, ctx.Err()
			})
			url, _ := listen(t, s, "127.0.0.1:0")
			body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
			if revision < "2026" {
				body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{}}}`
			}
			ctx, cancel := context.WithCancel(context.Background())
			req, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader([]byte(body)))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			req.Header.Set("Mcp-Protocol-Version", revision)
			req.Header.Set("Mcp-Method", "tools/call")
			req.Header.Set("Mcp-Name", "slow")
			go func() {
				<-began
				cancel()
			}()
			res, err := http.DefaultClient.Do(req)
			if err == nil {
				b, _ := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if len(began) > 0 || res.StatusCode != 200 {
					t.Fatalf("%d %s", res.StatusCode, b)
				}
			}
			<-ended
		})
	}
}
