package weaviate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A statusError is an answer that says no.
type statusError struct {
	code int
	text string
	gone bool // the node answers, and says that most others do not
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d: %s", e.code, e.text) }

// isStatus reports whether err is an answer of that status.
func isStatus(err error, code int) bool {
	s, ok := errors.AsType[*statusError](err)
	return ok && s.code == code
}

// rounds is how often all nodes are asked before a call is given up: for 12 seconds,
// which is longer than a cluster takes to choose a new leader.
const rounds = 6

// silent is how often they are asked when none answers, or one answers that most
// nodes are gone.
const silent = 3

// patience is after how long no other node is tried, and reading how long an answer
// to a question may take: a node that waits for a dead one may take its time.
const (
	patience = 40 * time.Second
	reading  = 15 * time.Second
)

// passes reports whether what an answer complains of may pass: overload, a node that
// does not find the others, a leader that is being chosen.
func (e *statusError) passes() bool {
	return e.code >= 500 || e.code == http.StatusTooManyRequests || isLost(e.text)
}

// isLost reports whether a node says that it has lost the others.
func isLost(message string) bool {
	return slices.ContainsFunc([]string{
		"leader not found", "leadership lost", "not enough replicas", "cannot reach enough replicas", "no read replica found",
		"connection refused", "rpc error", "failed to execute query", "deadline exceeded",
	}, func(s string) bool { return strings.Contains(message, s) })
}

// ErrLost is what calls return, wrapped, when nodes answer and have lost the others.
var ErrLost = errors.New("the cluster has lost most of its nodes")

// explain says what an answer that did not pass means.
func explain(message string, err error) error {
	if s, ok := errors.AsType[*statusError](err); ok && s.gone {
		return fmt.Errorf("%w: %s", ErrLost, message)
	}
	if isLost(message) {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return fmt.Errorf("cluster: %w", err)
}

// call sends a request to the node that answered last and, while it is not answered,
// to the others in turn. All our requests may be repeated.
func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	first := c.first(method, path)
	begun := time.Now()
	var failed error
	for try := range rounds * len(c.nodes) {
		s, said := errors.AsType[*statusError](failed)
		if time.Since(begun) > patience || (!said || s.gone) && try >= silent*len(c.nodes) {
			break
		}
		if try > 0 && try%len(c.nodes) == 0 {
			select {
			case <-time.After(time.Duration(200<<(try/len(c.nodes))) * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		at := (first + try) % len(c.nodes)
		err := c.sendWithin(ctx, method, c.nodes[at], path, body, out)
		if err == nil {
			c.last.Store(int32(at))
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if s, ok := errors.AsType[*statusError](err); ok && !s.passes() {
			c.last.Store(int32(at))
			if s.code == http.StatusUnauthorized || s.code == http.StatusForbidden {
				return fmt.Errorf("%w: %w", ErrToken, err)
			}
			return fmt.Errorf("cluster: %w", err)
		}
		c.ill[at].Store(time.Now().Unix())
		_, had := errors.AsType[*statusError](failed)
		if _, says := errors.AsType[*statusError](err); says || !had {
			failed = err // what a node says tells more than that others are silent
		}
	}
	if s, ok := errors.AsType[*statusError](failed); ok {
		return explain(s.text, failed)
	}
	if errors.Is(failed, ErrForeign) {
		return failed
	}
	return fmt.Errorf("%w: %w", ErrDown, failed)
}

// rest is for how many seconds a node that failed gets nothing to write.
const rest = 20

// first is the node to ask first: the one that answered last or, for what is written,
// the next that is well.
func (c *Client) first(method, path string) int {
	if method != http.MethodPost || !strings.HasPrefix(path, "/v1/batch/") {
		return int(c.last.Load())
	}
	n := len(c.nodes)
	for range n {
		at := int(uint32(c.next.Add(1)) % uint32(n))
		if time.Now().Unix()-c.ill[at].Load() > rest {
			return at
		}
	}
	return int(c.last.Load())
}

// maxReply bounds what is read of an answer.
const maxReply = 1 << 30

// sendWithin is send, but for questions not longer than they may take. A node that waits
// for replicas which are gone would take 20 seconds to say so, and knows it at once.
func (c *Client) sendWithin(ctx context.Context, method, node, path string, body []byte, out any) error {
	if method == http.MethodGet || path == "/v1/graphql" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, reading)
		defer cancel()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(c.hesitation, func() {
		if err := c.gone(ctx, node); err != nil {
			cancel(err)
		}
	})
	defer watch.Stop()
	err := c.send(ctx, method, node+path, body, out)
	if gone, ok := errors.AsType[*statusError](context.Cause(ctx)); err != nil && ok {
		return gone
	}
	return err
}

// gone asks a node for the others, and returns an error when most are not there.
func (c *Client) gone(ctx context.Context, node string) error {
	var reply struct{ Nodes []Node }
	if err := c.send(ctx, http.MethodGet, node+"/v1/nodes?output=minimal", nil, &reply); err != nil {
		return nil // without the permission to ask, we wait
	}
	left := 0
	for _, n := range reply.Nodes {
		if n.Status == "HEALTHY" {
			left++
		}
	}
	if 2*left > len(reply.Nodes) {
		return nil
	}
	return &statusError{http.StatusServiceUnavailable, fmt.Sprintf("%d of %d nodes are left", left, len(reply.Nodes)), true}
}

func (c *Client) send(ctx context.Context, method, url string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxReply))
	if err != nil {
		return err
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return &statusError{code: res.StatusCode, text: errorText(raw)}
	}
	if out == nil || len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("%s: %w: its answer is no JSON", url, ErrForeign)
	}
	return nil
}

// errorText is what an answer says went wrong.
func errorText(raw []byte) string {
	var e struct {
		Error []struct {
			Message string `json:"message"`
		} `json:"error"`
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &e) == nil {
		if len(e.Error) > 0 {
			return e.Error[0].Message
		}
		if e.Message != "" {
			return e.Message
		}
	}
	// A page, perhaps of something in between: a line of it.
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(raw[:min(len(raw), 200)]), "")), " ")
}

// graph runs a GraphQL query and decodes its data. An answer with errors is an error:
// what else is in it may be a part of the whole.
func (c *Client) graph(ctx context.Context, query string, out any) error {
	for try := 0; ; try++ {
		reflect.ValueOf(out).Elem().SetZero() // nothing of a part stays
		reply := struct {
			Data   any `json:"data"`
			Errors []struct {
				Message string `json:"message"`
			} `json:"errors"`
		}{Data: out}
		if err := c.call(ctx, http.MethodPost, "/v1/graphql", map[string]string{"query": query}, &reply); err != nil {
			return err
		}
		if len(reply.Errors) == 0 {
			return nil
		}
		if message := reply.Errors[0].Message; try == 8 || !isLost(message) && try == 1 {
			return explain(message, errors.New(message))
		}
		// A node that lost its neighbours says so in a good reply: ask the next.
		c.last.Store((c.last.Load() + 1) % int32(len(c.nodes)))
		select {
		case <-time.After(time.Duration(50<<try) * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// str writes a string as GraphQL reads it, which is as JSON does.
func str(s string) string {
	raw, _ := json.Marshal(strings.ToValidUTF8(s, ""))
	return string(raw)
}

func strs(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = str(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
