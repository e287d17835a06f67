package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A CallInfo is what a log may say of a request to the endpoint.
type CallInfo struct {
	RPC      string `json:"rpc,omitempty"` // the method of the protocol
	Tool     string `json:"tool,omitempty"`
	Index    string `json:"index,omitempty"`   // that was named
	Outcome  string `json:"outcome,omitempty"` // ok or error
	Question string `json:"question,omitempty"`
}

// A Call learns what a request to the endpoint is. It goes with the request's context.
type Call struct {
	OnListen func() // called when the request turns out to be a stream; may be nil

	mu   sync.Mutex
	info CallInfo
}

type callKey struct{}

// WithCall has c learn what a request with this context asks.
func WithCall(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// Info is what is known so far.
func (c *Call) Info() CallInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.info
}

func (c *Call) learn(fn func(*CallInfo)) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(&c.info)
}

// listening is the method of streams, which stay open until their clients leave.
const listening = "subscriptions/listen"

// observe tells the Call of a request what is asked, and how that ended. Names of tools
// that are not served are left out: a client may have made them up.
func observe(prefix string, serves func(tool string) bool) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			c, _ := ctx.Value(callKey{}).(*Call)
			if c == nil {
				return next(ctx, method, req)
			}
			if method == listening && c.OnListen != nil {
				c.OnListen()
			}
			info := CallInfo{RPC: method}
			if call, ok := req.(*mcp.CallToolRequest); ok {
				if t := strings.TrimPrefix(call.Params.Name, prefix); serves(t) {
					info.Tool = t
				}
				info.Index, info.Question = asked(call.Params.Arguments)
			}
			c.learn(func(i *CallInfo) { *i = info })
			res, err := next(ctx, method, req)
			outcome := "ok"
			if r, ok := res.(*mcp.CallToolResult); err != nil || ok && r.IsError {
				outcome = "error"
			}
			c.learn(func(i *CallInfo) { i.Outcome = outcome })
			return res, err
		}
	}
}

// asked returns the index that arguments name, and the question or pattern.
func asked(arguments json.RawMessage) (index, question string) {
	var a map[string]json.RawMessage
	if json.Unmarshal(arguments, &a) != nil {
		return "", ""
	}
	text := func(name string) (s string) {
		_ = json.Unmarshal(a[name], &s) // another kind of value is no text
		return s
	}
	for _, name := range []string{"query", "pattern", "symbol", "ref"} {
		if question = text(name); question != "" {
			break
		}
	}
	return text("index"), question
}

// errTooLong is why a call ended that took longer than Options.CallTime.
var errTooLong = errors.New("over the time limit")

// inTime gives each call a limited time. A stream has no end.
func inTime(limit time.Duration) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if limit <= 0 || method == listening {
				return next(ctx, method, req)
			}
			ctx, cancel := context.WithTimeoutCause(ctx, limit, errTooLong)
			defer cancel()
			res, err := next(ctx, method, req)
			if err != nil && errors.Is(context.Cause(ctx), errTooLong) {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("this took longer than %v, the most that this server allows: ask for less", limit)}
			}
			return res, err
		}
	}
}
