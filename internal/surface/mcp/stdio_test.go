package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// A reply is one line of output.
type reply struct {
	Version string          `json:"jsonrpc"`
	Method  string          `json:"method"` // of a notification
	ID      any             `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// raw is a client that writes bytes and reads lines.
type raw struct {
	t   testing.TB
	in  io.Writer
	out *bufio.Scanner
}

func dialRaw(t testing.TB, s *Server) *raw {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- s.ServeStdio(context.Background(), inR, outW)
		_ = outW.Close()
	}()
	c := &raw{t: t, in: inW, out: bufio.NewScanner(outR)}
	c.out.Buffer(nil, 16<<20)
	t.Cleanup(func() {
		_ = inW.Close()
		for c.out.Scan() {
		}
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	c.send(hello)
	if a := c.next(); a.Error != nil {
		t.Fatal(a.Error)
	}
	return c
}

func (c *raw) send(s string) {
	if _, err := io.WriteString(c.in, s); err != nil {
		c.t.Fatalf("the server is gone: %v", err)
	}
}

func (c *raw) next() reply {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatal("the server has ended")
	}
	var a reply
	if err := json.Unmarshal(c.out.Bytes(), &a); err != nil || a.Version != "2.0" {
		c.t.Fatalf("not a message: %q", c.out.Text())
	}
	return a
}

// alive checks that the session goes on, and returns what was said meanwhile.
func (c *raw) alive(id int) []reply {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"alive-%d","method":"ping"}`+"\n", id))
	var before []reply
	for {
		a := c.next()
		if a.ID == fmt.Sprintf("alive-%d", id) {
			return before
		}
		before = append(before, a)
	}
}

func TestABadLineCostsThatLine(t *testing.T) {
	c := dialRaw(t, newServer(t, fixed(docs)))
	for i, tt := range []struct {
		name, line string
		code       int // of the error that comes back; 0 means nothing does
		id         any
	}{
		{"no JSON", "garbage", -32700, nil},
		{"JSON that breaks off", `{"jsonrpc":"2.0","id":7,"method":"pi`, -32700, nil},
		{"two messages on a line", `{"jsonrpc":"2.0","id":7,"method":"ping"}{"jsonrpc":"2.0","id":8,"method":"ping"}`, -32700, nil},
		{"a batch", `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, -32600, nil},
		{"an empty batch", `[]`, -32600, nil},
		{"a number", `42`, -32600, nil},
		{"another version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600, 7.0},
		{"an object for an id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, nil},
		{"neither request nor answer", `{"jsonrpc":"2.0"}`, -32600, nil},
		{"a method that does not exist", `{"jsonrpc":"2.0","id":7,"method":"nope"}`, -32601, 7.0},
		{"a call without parameters", `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, -32600, 7.0},
		{"parameters of the wrong kind", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`, -32602, 7.0},
		{"depth of 100,000", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, -32700, nil},
		{"depth of 5,000", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, -32600, 7.0},
		{"a line of 5 MB", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + strings.Repeat("x", 5_000_000) + `"}}`, -32600, nil},
		{"a blank line", " \t\r", 0, nil},
		{"an answer to nothing", `{"jsonrpc":"2.0","id":99,"result":{}}`, 0, nil},
		{"a notification nobody knows", `{"jsonrpc":"2.0","method":"notifications/nope"}`, 0, nil},
		{"a cancellation of nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`, 0, nil},
		{"a cancellation without sense", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}`, 0, nil},
		{"NUL bytes", "\x00\x00", -32700, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c.send(tt.line + "\n")
			if tt.code != 0 {
				if a := c.next(); a.Error == nil || a.Error.Code != tt.code || a.ID != tt.id {
					t.Errorf("answered with id %v, error %+v", a.ID, a.Error)
				}
			}
			if got := c.alive(i); len(got) > 0 {
				t.Errorf("answered with id %v, error %+v", got[0].ID, got[0].Error)
			}
		})
	}
	t.Run("a byte order mark and Windows line ends", func(t *testing.T) {
		c.send("\ufeff" + `{"jsonrpc":"2.0","id":5,"method":"ping"}` + "\r\n")
		if a := c.next(); a.ID != 5.0 || a.Error != nil {
			t.Errorf("got %+v", a)
		}
	})
}

// The SDK quoted an unknown URI as Go does, and the answer could not be marshalled:
// one frame ended the session.
func TestAnyURIIsAnswered(t *testing.T) {
	c := dialRaw(t, newServer(t, fixed(docs)))
	for i, uri := range []string{`docent://\u001b`, `\u0007`, `docent://docs/\u0000.md`, `docent://docs/\udbff\udfff`, `x:\u2028\"`} {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"%s"}}`+"\n", i, uri))
		if a := c.next(); a.Error == nil || a.Error.Code != int(jsonrpc.CodeInvalidParams) {
			t.Errorf("%s: %+v", uri, a)
		}
	}
}

func TestRequestsBeforeTheHandshakeAreRefused(t *testing.T) {
	out := &bytes.Buffer{}
	in := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"
	if err := newServer(t, fixed(docs)).ServeStdio(context.Background(), strings.NewReader(in), out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"code":-32600`) {
		t.Errorf("got %s", out)
	}
}

// Frames made from good ones by chance: the session must outlive them all, and
// say nothing that is not a message.
func TestRandomFramesDoNotEndTheSession(t *testing.T) {
	good := []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"keys","limit":2}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"docent://demo/keys.md"}}`,
		`{"jsonrpc":"2.0","id":"4","method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"docent://demo/{+path}"},"argument":{"name":"path","value":"k"}}}`,
		`{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"ask-docs","arguments":{"question":"x"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":6,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":8,"method":"subscriptions/listen","params":{}}`,
		`{"jsonrpc":"2.0","id":9,"method":"resources/subscribe","params":{"uri":"docent://demo/keys.md"}}`,
		`{"jsonrpc":"2.0","id":10,"method":"logging/setLevel","params":{"level":"debug"}}`,
	}
	pieces := []string{"null", "{}", "[]", `""`, "-1", "1e999", `"\ud800"`, "\xff", "true", `"id":null`, "\u202e", `{"a":`, "0.5"}
	rng := rand.New(rand.NewPCG(1, 2))
	rounds := rounds(100, 600, 5000)
	c := dialRaw(t, newServer(t, fixed(docs)))
	for i := range rounds {
		b := []byte(good[rng.IntN(len(good))])
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(b))
			switch rng.IntN(5) {
			case 0: // break off
				b = b[:at+1]
			case 1: // another byte
				b[at] = byte(rng.IntN(256))
			case 2: // something in between
				b = append(b[:at:at], append([]byte(pieces[rng.IntN(len(pieces))]), b[at:]...)...)
			case 3: // a value for another
				if j := bytes.IndexByte(b[at:], ':'); j >= 0 {
					k := at + j + 1
					end := k
					for end < len(b) && b[end] != ',' && b[end] != '}' {
						end++
					}
					b = append(b[:k:k], append([]byte(pieces[rng.IntN(len(pieces))]), b[end:]...)...)
				}
			case 4: // something left out
				b = append(b[:at:at], b[min(len(b), at+1+rng.IntN(5)):]...)
			}
			if len(b) == 0 {
				b = []byte("x")
			}
		}
		c.send(string(bytes.ReplaceAll(b, []byte("\n"), []byte(" "))) + "\n")
		c.alive(i)
	}
	cases.Tried(t, "M3", rounds)
}

// People and scripts pipe requests in from a file. Each must be answered.
func TestEndOfInputWaitsForAnswers(t *testing.T) {
	rounds := rounds(30, 200, 500)
	s := newServer(t, fixed(docs))
	for round := range rounds {
		in := &strings.Builder{}
		in.WriteString(hello)
		n := 1 + round%20
		for i := range n {
			fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search","arguments":{"query":"keys %d"}}}`+"\n", i, i)
		}
		out := &bytes.Buffer{}
		text := in.String()
		if round%2 == 0 {
			text = strings.TrimSuffix(text, "\n")
		}
		if err := s.ServeStdio(context.Background(), strings.NewReader(text), out); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n"); got != n+1 {
			t.Fatalf("round %d: %d requests, %d answers:\n%s", round, n+1, got, out)
		}
	}
	cases.Tried(t, "M3", rounds)
}

func TestEndOfInputDoesNotWaitForEver(t *testing.T) {
	o := fixed(docs)
	o.drain = 10 * time.Millisecond
	s := newServer(t, o)
	began, stopped := make(chan bool), make(chan bool, 1)
	s.mcp.AddTool(&mcp.Tool{Name: "stuck", InputSchema: object{"type": "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(began)
		<-ctx.Done()
		stopped <- true
		return nil, ctx.Err()
	})
	in, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, hello+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stuck"}}`+"\n")
		<-began // a call that has not begun when input ends may never begin
		_ = w.Close()
	}()
	if err := s.ServeStdio(context.Background(), in, io.Discard); err != nil {
		t.Fatal(err)
	}
	<-stopped
}

func TestTheEndOfTheContextEndsTheSession(t *testing.T) {
	s := newServer(t, fixed(docs))
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(ctx, r, io.Discard) }()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("ended with %v", err)
	}
}

// A session used to end with an error when the client hung up before it had read
// the answer to a call that it had cancelled: once in 200 runs of TestCancelStopsWork.
func TestAClientThatHangsUpIsNoError(t *testing.T) {
	full := errors.New("no space left")
	for _, tt := range []struct {
		name string
		gone error // what writing says once the client is gone
		want error
	}{
		{"a pipe in memory", io.ErrClosedPipe, nil},
		{"a pipe of the system", &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, nil},
		{"a failure that is none of the client's", full, full},
	} {
		for _, request := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}` + "\n",
			"garbage\n", // which the transport answers by itself
		} {
			t.Run(tt.name, func(t *testing.T) {
				s := newServer(t, fixed(docs))
				out := &hangup{err: tt.gone}
				s.mcp.AddTool(&mcp.Tool{Name: "slow", InputSchema: object{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
				})
				r, w := io.Pipe()
				defer w.Close() // input stays open
				done := make(chan error, 1)
				go func() { done <- s.ServeStdio(context.Background(), r, out) }()
				_, _ = io.WriteString(w, hello+request)
				if err := <-done; !errors.Is(err, tt.want) {
					t.Errorf("ended with %v, want %v", err, tt.want)
				}
			})
		}
	}
}

// A hangup takes one message and fails from then on.
type hangup struct {
	mu  sync.Mutex
	n   int
	err error
}

func (h *hangup) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.n++; h.n > 1 {
		return 0, h.err
	}
	return len(p), nil
}

func TestTwoRequestsOfOneID(t *testing.T) {
	s := newServer(t, fixed(docs))
	release := make(chan bool)
	s.mcp.AddTool(&mcp.Tool{Name: "slow", InputSchema: object{"type": "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	c := dialRaw(t, s)
	slow := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}` + "\n"
	c.send(slow + slow)
	if a := c.next(); a.ID != nil || a.Error == nil || a.Error.Code != -32600 {
		t.Errorf("got %+v", a)
	}
	close(release)
	if a := c.next(); a.ID != 1.0 || a.Error != nil {
		t.Errorf("got %+v", a)
	}
}

// Answers to many requests at once come whole, each on a line of its own.
func TestAnswersDoNotMix(t *testing.T) {
	c := dialRaw(t, newServer(t, fixed(docs)))
	const n = 300
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range n {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","arguments":{"ref":"keys.md"}}}`+"\n", i))
		}
	})
	seen := map[any]bool{}
	for range n {
		seen[c.next().ID] = true
	}
	wg.Wait()
	if len(seen) != n {
		t.Errorf("%d of %d ids were answered", len(seen), n)
	}
}

// Whatever bytes come, a line is either a message or an error with a code, and
// never more than it may be.
func FuzzAccept(f *testing.F) {
	for _, s := range strings.Split(hello, "\n") {
		f.Add([]byte(s))
	}
	f.Add([]byte("\ufeff{}"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1.5,"method":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &lineConn{out: io.Discard, pending: nil}
		r := bufio.NewReaderSize(bytes.NewReader(data), 16)
		for {
			l, err := readLine(r)
			if len(l.text) > 0 {
				c.pending = map[jsonrpc.ID]bool{}
				msg, bad := c.accept(l)
				if (msg == nil) == (bad == nil) {
					t.Fatalf("%q: message %v, error %v", l.text, msg, bad)
				}
				if bad != nil {
					if bad.Code == 0 {
						t.Fatalf("%q: no code", l.text)
					}
					out := &bytes.Buffer{}
					c.out = out
					if err := c.refuse(l, bad); err != nil || !json.Valid(out.Bytes()) || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
						t.Fatalf("%q is refused with %q, %v", l.text, out, err)
					}
				}
			}
			if err != nil {
				return
			}
		}
	})
}
