package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/syserr"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK's own transport ends the session at the first line that is not a
// message, and drops pending answers at the end of input. This one answers a bad
// line with an error and reads on, and reports the end of input only after every
// request has been answered.
//
// A line is one JSON object of at most maxLine bytes. A byte order mark before it
// and blank lines are skipped. Batches, which only the revision of 2025-03-26 has,
// are refused.
const maxLine = 4 << 20

// A lineTransport speaks with one client, a message a line.
type lineTransport struct {
	in    io.Reader
	out   io.Writer
	drain time.Duration // how long the end of input waits for answers
}

// Connect starts reading.
func (t *lineTransport) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{
		out: t.out, drain: t.drain,
		lines:    make(chan line),
		closed:   make(chan struct{}),
		pending:  map[jsonrpc.ID]bool{},
		answered: make(chan struct{}, 1),
	}
	// Reads of standard input cannot be interrupted. The goroutine ends with
	// the input, or with the next line after Close.
	go c.read(bufio.NewReaderSize(t.in, 64<<10))
	return c, nil
}

type line struct {
	text    []byte
	tooLong bool
}

// A lineConn is the connection of a lineTransport.
type lineConn struct {
	lines  chan line
	drain  time.Duration
	once   sync.Once
	closed chan struct{}

	writing sync.Mutex
	out     io.Writer

	mu       sync.Mutex
	pending  map[jsonrpc.ID]bool // requests without an answer; true if the end of input waits for it
	answered chan struct{}       // has a value after an answer was sent
}

// SessionID is empty: there is one session.
func (c *lineConn) SessionID() string { return "" }

// Close ends the session. It does not close what the caller gave us.
func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

func (c *lineConn) read(r *bufio.Reader) {
	defer close(c.lines)
	for {
		l, err := readLine(r)
		if len(l.text) > 0 || l.tooLong {
			select {
			case c.lines <- l:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine reads one line and trims it. The text of a line that is too long is dropped.
func readLine(r *bufio.Reader) (line, error) {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if len(l.text)+len(part) > maxLine {
			l.text, l.tooLong = nil, true
		}
		if !l.tooLong {
			l.text = append(l.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			l.text = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(l.text), []byte("\ufeff")))
			return l, err
		}
	}
}

// Read returns the next message.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case l, ok := <-c.lines:
			if !ok {
				c.waitForAnswers(ctx)
				return nil, io.EOF
			}
			msg, err := c.accept(l)
			if err == nil {
				return msg, nil
			}
			if err := c.refuse(l, err); err != nil {
				return nil, err
			}
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// accept decodes a line and records a request as pending.
func (c *lineConn) accept(l line) (jsonrpc.Message, *jsonrpc.Error) {
	switch {
	case l.tooLong:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("line longer than %d bytes", maxLine)}
	case !json.Valid(l.text):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "not JSON: one message a line is expected"}
	case l.text[0] == '[':
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "batches are not supported: send one message a line"}
	case l.text[0] != '{':
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "not a JSON object"}
	}
	msg, err := jsonrpc.DecodeMessage(l.text)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "not a JSON-RPC 2.0 message: " + err.Error()}
	}
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		return msg, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.pending[req.ID]; twice {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a request of this id is still being answered"}
	}
	// A subscription is answered when it ends, so nothing waits for that.
	c.pending[req.ID] = req.Method != "subscriptions/listen"
	return msg, nil
}

// refuse answers a line that is not a message. The answer has the line's id if it
// can be read and does not belong to another request.
func (c *lineConn) refuse(l line, why *jsonrpc.Error) error {
	id := json.RawMessage("null")
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if why.Code != jsonrpc.CodeParseError && !strings.Contains(why.Message, "still being answered") && json.Unmarshal(l.text, &m) == nil && isID(m.ID) {
		id = m.ID
	}
	data, err := jsonOf(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, why})
	if err != nil {
		return err
	}
	return c.send(data)
}

// isID reports whether a value can be the id of a request.
func isID(v json.RawMessage) bool {
	var n int64
	return len(v) > 0 && len(v) < 200 && (v[0] == '"' || json.Unmarshal(v, &n) == nil && v[0] != 'n')
}

// Write sends a message.
func (c *lineConn) Write(_ context.Context, msg jsonrpc.Message) error {
	resp, isAnswer := msg.(*jsonrpc.Response)
	if isAnswer && resp.Error != nil {
		resp = &jsonrpc.Response{ID: resp.ID, Error: coded(resp.Error)}
		msg = resp
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil && isAnswer { // costs that answer, not the session
		why := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the answer cannot be written as JSON"}
		data, err = jsonrpc.EncodeMessage(&jsonrpc.Response{ID: resp.ID, Error: why})
	}
	if err != nil {
		return err
	}
	err = c.send(data)
	if isAnswer {
		c.mu.Lock()
		delete(c.pending, resp.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

// coded adds a code to an error: some of the SDK's own have none.
func coded(err error) *jsonrpc.Error {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		e = &jsonrpc.Error{Message: err.Error()}
	}
	if e.Code != 0 {
		return e
	}
	code := int64(jsonrpc.CodeInternalError)
	if strings.Contains(e.Message, "during session initialization") {
		code = jsonrpc.CodeInvalidRequest
	}
	return &jsonrpc.Error{Code: code, Message: e.Message, Data: e.Data}
}

// send writes one line. It returns io.EOF, which ends the session as the end of
// input does, when the client has closed its end: a client that hangs up, often
// after it has cancelled the call that we are about to answer, is no failure.
func (c *lineConn) send(data []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	if syserr.ReaderGone(err) {
		return io.EOF
	}
	return err
}

// waitForAnswers waits until all requests are answered, for at most the drain time.
func (c *lineConn) waitForAnswers(ctx context.Context) {
	limit := time.NewTimer(c.drain)
	defer limit.Stop()
	for {
		c.mu.Lock()
		waits := slices.Contains(slices.Collect(maps.Values(c.pending)), true)
		c.mu.Unlock()
		if !waits {
			return
		}
		select {
		case <-c.answered:
		case <-limit.C:
			return
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}
