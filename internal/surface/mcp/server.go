// Package mcp serves the table of operations over the Model Context
// Protocol, on standard input and output or over HTTP.
//
// It uses the official SDK and adds what the SDK leaves to its users: a panic in a
// handler fails only that call; a bad line on standard input is answered with an
// error; the end of input waits for pending answers; the Origin and Host of every
// HTTP request are checked. Of the documents' text only a name and a sentence reach the
// list of tools and the instructions, and those cleaned: see about.go.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// New returns a server. The caller must close it.
func New(o Options) (*Server, error) {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	o.drain = cmp.Or(o.drain, 30*time.Second)
	if strings.Trim(o.Prefix, prefixLetters) != "" || len(o.Prefix) > 32 {
		return nil, fmt.Errorf("tool prefix %q: must be at most 32 letters, digits, _ and -", o.Prefix)
	}
	tools, err := choose(o.Tools)
	if err != nil {
		return nil, err
	}
	if len(o.Several) > 0 {
		o.Library = o.Several[0].Library
	}
	tools = withNamed(tools, o.Indexes, len(o.Several) > 0)
	if o.Remember {
		tools = withAgain(tools)
	}
	if len(o.AllowIndex) > 0 {
		more, err := indexing()
		if err != nil {
			return nil, err
		}
		tools = append(tools, more...)
	}
	s := &Server{
		opts:  o,
		tools: tools,
		lib:   o.Library,
		known: Sessions{remember: o.Remember},
	}
	if s.shared = o.Shared; s.shared == nil {
		s.shared = NewShared()
	}
	corpus := corpusName(o.Name)
	s.docs = aboutDocs{lib: s.lib, user: about{o.Title, o.About}, described: o.Described, guess: o.Guess, folder: corpus}
	s.files = resources{readTool: s.called("read"), corpora: []*docCorpus{{lib: s.lib, name: corpus}}}
	if len(o.Several) > 0 {
		s.docs.several = aboutSeveral(o.Several)
		s.files.corpora = nil
		for _, c := range o.Several {
			s.files.corpora = append(s.files.corpora, &docCorpus{lib: c.Library, name: corpusName(c.Name), index: c.Name})
		}
	}
	s.http = mcp.StreamableHTTPOptions{
		Stateless:                    true, // required by the revision of 2026-07-28, and enough for older clients
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // Handler checks more, and knows Options.Hosts
	}
	sdk := &mcp.ServerOptions{
		Instructions:      s.instructions(),
		CompletionHandler: s.files.complete,
		SetCacheable:      cacheable,
		// The SDK's default would offer logging, which is deprecated. Prompts never change
		// while the server runs.
		Capabilities: &mcp.ServerCapabilities{
			Tools:     &mcp.ToolCapabilities{ListChanged: true},
			Prompts:   &mcp.PromptCapabilities{},
			Resources: &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
		},
		SubscribeHandler:   s.files.subscribe,
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	}
	if o.Extend != nil {
		o.Extend(sdk, &s.http)
	}
	s.mcp = mcp.NewServer(s.implementation(), sdk)
	for _, t := range tools {
		s.addTool(t)
	}
	s.files.addTo(s.mcp)
	addPrompts(s.mcp, &s.docs, s.called)
	s.mcp.AddReceivingMiddleware(s.guard, observe(o.Prefix, s.serves), inTime(o.CallTime), s.shared.measure(o.Prefix, s.serves), s.introduce, s.inOrder, sendableErrors, s.files.list)
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.told.about = s.docs.about()
	s.follow()
	return s, nil
}

// addTool adds a tool to those that are served, or replaces it.
func (s *Server) addTool(t toolView) {
	s.mcp.AddTool(t.definition(s.called(t.name)), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return s.call(ctx, t, req)
	})
}

// prefixLetters are what the names of tools may consist of.
const prefixLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// called is the name of a tool as clients know it.
func (s *Server) called(tool string) string { return s.opts.Prefix + tool }

// MCP returns the SDK's server, to which the conformance suites add tools.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// Close stops background work and closes all libraries.
func (s *Server) Close() error {
	s.stop()
	err := s.lib.Close()
	for _, c := range s.opts.Several {
		err = errors.Join(err, c.Library.Close())
	}
	if s.opts.Indexes != nil {
		err = errors.Join(err, s.opts.Indexes.Close())
	}
	return err
}

// ServeStdio serves one client, with a JSON message per line, until input ends, ctx
// is cancelled or the client stops reading; none of these is an error. At the end of
// input it waits for pending answers.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.mcp.Run(context.WithValue(ctx, connectionKey{}, &sent{}), &lineTransport{in: in, out: out, drain: s.opts.drain})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// guard turns a panic into an error of the request that caused it, and a cancelled
// context into a protocol error.
func (s *Server) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.opts.Note(fmt.Sprintf("%s: panic: %v\n%s", method, p, debug.Stack()))
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error: the server's standard error says more"}
			}
		}()
		res, err = next(ctx, method, req)
		if err != nil {
			res = nil
			if errors.Is(err, context.Canceled) {
				err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "cancelled"}
			}
		}
		return res, err
	}
}

// inOrder lists the tools in the order of s.tools: the SDK sorts them by name.
func (s *Server) inOrder(next mcp.MethodHandler) mcp.MethodHandler {
	at := func(name string) int {
		i := slices.IndexFunc(s.tools, func(t toolView) bool { return s.called(t.name) == name })
		if i < 0 {
			return len(s.tools)
		}
		return i
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if list, ok := res.(*mcp.ListToolsResult); ok && err == nil {
			slices.SortStableFunc(list.Tools, func(a, b *mcp.Tool) int { return at(a.Name) - at(b.Name) })
		}
		return res, err
	}
}

// cacheable tells clients how long they may cache a response: lists never change
// while the server runs, documents may change at any time.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, ok := req.(*mcp.ReadResourceRequest); !ok {
		c.TTLMs = int((5 * time.Minute).Milliseconds())
	}
}

// corpusName makes a folder's name safe for the instructions and for a URI: whoever
// wrote a repository chose it, and could put a prompt into it.
func corpusName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, filepath.Base(s))
	return cmp.Or(strings.Trim(s[:min(len(s), 40)], "-."), "docs")
}
