package mcp

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const hasty = 60 * time.Millisecond

// servePatiently serves with so much patience for each client, and pages besides.
func servePatiently(t *testing.T, limit time.Duration, pages http.HandlerFunc) (s *Server, addr string) {
	t.Helper()
	o := fixed(docs)
	o.patience = patience{header: limit, body: limit, write: limit, idle: time.Hour, maxIdle: 3}
	s = newServer(t, o)
	s.Mount(pages)
	url, _ := listen(t, s, "127.0.0.1:0")
	return s, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), Path)
}

// connect opens a connection and sends what it is given.
func connect(t *testing.T, addr, send string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err == nil {
		_, err = io.WriteString(c, send)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // a test that fails should end
	return c
}

// A client that does not finish its request loses its connection. 400 connections whose
// bodies never came stayed open for ever.
func TestSlowRequestsAreGivenUp(t *testing.T) {
	_, addr := servePatiently(t, hasty, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	const head = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	for name, send := range map[string]string{
		"nothing":                      "",
		"half a head":                  "POST /mcp HTTP/1.1\r\nHost: lo",
		"no body for agents":           "POST /mcp" + head + "Content-Length: 100\r\n\r\n",
		"half a body for agents":       "POST /mcp" + head + "Content-Length: 100\r\n\r\n{\"jsonrpc\"",
		"a chunk that does not end":    "POST /mcp" + head + "Transfer-Encoding: chunked\r\n\r\nff\r\n{",
		"half a body for pages":        "POST /search" + head + "Content-Length: 100\r\n\r\nq=",
		"a body that nobody asked for": "POST /mcp HTTP/1.1\r\nHost: elsewhere.example\r\nContent-Length: 100\r\n\r\nx",
	} {
		t.Run(name, func(t *testing.T) {
			var all []net.Conn
			for range 20 {
				all = append(all, connect(t, addr, send))
			}
			for _, c := range all {
				if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
					t.Fatal(err)
				}
			}
		})
	}
}

// A client that does not take its answer loses its connection, and the handler its
// writer.
func TestSlowReadersAreGivenUp(t *testing.T) {
	ended := make(chan error)
	_, addr := servePatiently(t, hasty, func(w http.ResponseWriter, _ *http.Request) {
		page := make([]byte, 1<<20)
		for {
			if _, err := w.Write(page); err != nil {
				ended <- err
				return
			}
		}
	})
	connect(t, addr, "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-ended
}

// The limits are on pieces: a stream may stay open, and an answer may take its time. On a
// busy machine the client itself may be late; then all is tried again with more patience.
func TestSlowAnswersAreNotGivenUp(t *testing.T) {
	var err error
	for limit := hasty; limit < time.Minute; limit *= 4 {
		if err = slowAnswers(t, limit); err == nil {
			return
		}
		t.Logf("with a limit of %v: %v", limit, err)
	}
	t.Error(err)
}

// slowAnswers asks for answers that take longer than a limit on each piece of them.
func slowAnswers(t *testing.T, limit time.Duration) error {
	failed := make(chan error, 3)
	s, addr := servePatiently(t, limit, func(w http.ResponseWriter, r *http.Request) {
		for i := range 3 {
			time.Sleep(2 * limit)
			fmt.Fprintf(w, "piece %d\n", i)
			if err := cmp.Or(http.NewResponseController(w).Flush(), r.Context().Err()); err != nil {
				failed <- err
			}
		}
	})
	lines := bufio.NewScanner(connect(t, addr, "POST /stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx"))
	last := ""
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "piece") {
			last = lines.Text()
		}
	}
	if last != "piece 2" || len(failed) > 0 {
		return fmt.Errorf("the last piece is %q, %d failed", last, len(failed))
	}

	s.mcp.AddTool(&mcp.Tool{Name: "slow", InputSchema: object{"type": "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, done := withRequest(ctx)
		defer done()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(2 * limit):
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "at last"}}}, nil
		}
	})
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + addr + Path}, nil)
	if err != nil {
		return err
	}
	defer cs.Close()
	for range 3 { // the second uses the connection of the first, whose deadlines have passed
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "slow", Arguments: object{}})
		if err != nil {
			return err
		}
		if text := textOf(t, res); text != "at last" {
			return fmt.Errorf("answered %q", text)
		}
		time.Sleep(2 * limit)
	}
	return nil
}

// Of too many idle connections those idle for longest are closed.
func TestIdleConnectionsAreLimited(t *testing.T) {
	_, addr := servePatiently(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	var all []*bufio.Reader
	for range 6 {
		c := connect(t, addr, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		r := bufio.NewReader(c)
		if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != http.StatusNoContent {
			t.Fatal(res, err)
		}
		all = append(all, r)
	}
	// Which of them the server takes for idle first is up to its goroutines.
	ended := make(chan error, len(all))
	for _, r := range all {
		go func() {
			_, err := r.ReadByte()
			ended <- err
		}()
	}
	for range 3 {
		if err := <-ended; err == nil || strings.Contains(err.Error(), "timeout") {
			t.Errorf("a connection is open: %v", err)
		}
	}
}
