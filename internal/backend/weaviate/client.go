// Package weaviate keeps chunks in a Weaviate cluster, for corpora that one machine
// has outgrown.
//
// # What lies where
//
// Three collections, each with a tenant for every index: DocentChunk, DocentFile and
// DocentMeta. A tenant is one shard, so that its counts are those of the index. Ids are
// UUIDv5 of tenant, collection and key: writing twice is writing once.
//
// DocentChunk has one searchable property, "words": docent's own words, those of the
// title and of the headings twice, so that the engine's BM25 sees what ours sees. Words
// that must be in the title, and terms as they are written, are in properties that can
// be filtered by, which is also how they are counted.
//
// # Rules, each learnt from a fault
//
//   - Servers older than MinVersion are refused: their BM25 is wrong for up to a minute
//     after an import, and deleted objects come back.
//   - The status of a reply says nothing about the objects in it: each is looked at, and
//     those that failed are sent again.
//   - Writes want a quorum of the replicas. Never all: one dead node would block.
//   - Deletions carry their time, and collections resolve conflicts by time; else what
//     was deleted while a node was down comes back with it.
//   - Nothing is deleted by what it is not: a replica that is still taking a write in
//     finds the object before its properties (12 of 37,505 chunks were lost to that).
//   - A question begins with a read that wants a quorum: where most replicas are down it
//     fails, and no answer of a node that may have missed writes is passed off as whole.
//   - A node that does not answer is passed over for the next in the list.
package weaviate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// MinVersion is the oldest server that is spoken to.
const MinVersion = "1.39.3"

// A Client speaks with the nodes of one cluster. It may be used by many goroutines
// at once.
type Client struct {
	nodes []string
	token string
	codec Codec
	http  *http.Client
	last  atomic.Int32   // the node that answered last
	next  atomic.Int32   // counts what is written, which all nodes take in turn
	ill   []atomic.Int64 // when each node last failed to answer, in seconds
}

// ErrDown is what calls return, wrapped, when no node answers.
var ErrDown = errors.New("no node of the cluster answers")

// New returns a client for nodes at some URLs. A token, if there is one, is sent with
// every request. No connection is opened yet.
func New(urls []string, token string, codec Codec) (*Client, error) {
	c := &Client{token: token, codec: codec, http: &http.Client{
		Timeout: 2 * time.Minute,
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 32, // as many questions as are asked at once keep their connections
			IdleConnTimeout:     90 * time.Second,
		},
		// A redirect could carry the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for _, s := range urls {
		u, err := url.Parse(strings.TrimSpace(s))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("cluster %q: a node is named like http://node0:8080", s)
		}
		c.nodes = append(c.nodes, strings.TrimSuffix(u.Scheme+"://"+u.Host+u.Path, "/"))
	}
	if len(c.nodes) == 0 {
		return nil, errors.New("cluster: no node is named")
	}
	c.ill = make([]atomic.Int64, len(c.nodes))
	// Many programs with the same list shall not all ask the first.
	c.last.Store(rand.Int32N(int32(len(c.nodes))))
	return c, nil
}

// Check asks for the version of the server, and refuses one that is too old.
func (c *Client) Check(ctx context.Context) (version string, err error) {
	var meta struct {
		Version string `json:"version"`
	}
	if err := c.call(ctx, http.MethodGet, "/v1/meta", nil, &meta); err != nil {
		return "", err
	}
	if older(meta.Version, MinVersion) {
		return meta.Version, fmt.Errorf("cluster: Weaviate %s is too old: before %s, searches are wrong after an import and deleted sections come back", meta.Version, MinVersion)
	}
	return meta.Version, nil
}

// older reports whether version a comes before b.
func older(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range y {
		if i >= len(x) {
			return true
		}
		digits, _, _ := strings.Cut(x[i], "-")
		m, err := strconv.Atoi(digits)
		n, _ := strconv.Atoi(y[i])
		if err != nil || m != n {
			return err != nil || m < n
		}
	}
	return false
}

// A statusError is an answer that says no.
type statusError struct {
	code int
	text string
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

// silent is how often, when nobody says anything at all.
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
	for _, s := range []string{
		"leader not found", "leadership lost", "not enough replicas", "cannot reach enough replicas", "no read replica found",
		"connection refused", "rpc error", "failed to execute query", "deadline exceeded",
	} {
		if strings.Contains(message, s) {
			return true
		}
	}
	return false
}

// ErrLost is what calls return, wrapped, when nodes answer and have lost the others.
var ErrLost = errors.New("the cluster has lost most of its nodes")

// explain says what an answer that did not pass means.
func explain(message string, err error) error {
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
		_, said := errors.AsType[*statusError](failed)
		if time.Since(begun) > patience || !said && try >= silent*len(c.nodes) {
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
		err := c.sendWithin(ctx, method, c.nodes[at]+path, body, out)
		if err == nil {
			c.last.Store(int32(at))
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if s, ok := errors.AsType[*statusError](err); ok && !s.passes() {
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

// sendWithin is send, but for questions not longer than they may take.
func (c *Client) sendWithin(ctx context.Context, method, url string, body []byte, out any) error {
	if method == http.MethodGet || strings.HasSuffix(url, "/v1/graphql") {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, reading)
		defer cancel()
	}
	return c.send(ctx, method, url, body, out)
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
		return &statusError{res.StatusCode, errorText(raw)}
	}
	if out == nil || len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("cluster: an answer cannot be read: %w", err)
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
	return strings.ToValidUTF8(string(raw[:min(len(raw), 300)]), "")
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

// strs writes a list of them.
func strs(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = str(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
