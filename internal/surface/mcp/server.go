// Package mcp serves the table of operations over the Model Context
// Protocol, on standard input and output or over HTTP.
//
// It uses the official SDK and mends what the SDK leaves to its users: a panic
// in a handler is an error of that one call; a bad line on standard input costs
// that line; the end of input waits for the answers that are still due; the
// Origin and Host of every HTTP request are checked. Nothing that documents say
// reaches the list of tools or the instructions.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options tune a Server. Open must be set; the zero value of the rest is a good
// default.
type Options struct {
	// Open opens the library, as docent.OpenWith does. It is called in the
	// background and again whenever files may have changed.
	Open func(context.Context, docent.Options) (*docent.Library, error)

	// Watch calls changed whenever files may have changed, until ctx ends. With
	// it, files are compared then, and not when a call comes; nil means no.
	Watch func(ctx context.Context, changed func()) error

	// WatchIndex does so for a named index, all of which are then opened at once;
	// nil means no.
	WatchIndex func(ctx context.Context, name string, changed func()) error

	Name       string       // of the corpus; it is cleaned before it is shown
	Version    string       // of the program
	Fixed      bool         // the library cannot change, being one packed file: open it once
	NoRefresh  bool         // do not look for changed files, other than those behind an answer
	Tools      string       // "" for the usual ones, "all", or names separated by commas
	Structured bool         // answers carry structured content beside their text
	Rerank     bool         // searches are put in order by the library's assistant
	AllowIndex []string     // folders that agents may index; none means that they may not
	Note       func(string) // told of anything out of the ordinary, in lines for standard error; may be nil

	// Catalogue gives the named indexes that are served beside the library; nil
	// means none. Assistant reranks searches of those, and Remote gives the endpoint
	// of those that were made with one; both may be nil.
	Catalogue *docent.Catalogue
	Own       bool // Open gives the documents of the catalogue's project, which belong to "all" indexes
	Assistant *docent.Assistant
	Remote    func() (*docent.Remote, error)

	Token string   // HTTP clients must bear it; "" means none is asked for
	Hosts []string // names under which HTTP clients may address the server, beside its own address

	// Extend changes the SDK's options before they are used. It is for tests
	// that mount more on the server.
	Extend func(*mcp.ServerOptions, *mcp.StreamableHTTPOptions)

	drain time.Duration // most that the end of input waits for answers; 0 means 30 s
}

// A Server answers MCP clients from one library. It may serve many at once.
type Server struct {
	opts  Options
	pages http.Handler // for people; nil for none
	name  string       // of the corpus, cleaned
	mcp   *mcp.Server
	http  mcp.StreamableHTTPOptions
	shelf *shelf
	named shelves
	tools []served
	slots chan struct{} // one is taken by each call at work
	known sessions
}

// New returns a server and begins to open its library. Close it when it is no
// longer used.
func New(o Options) (*Server, error) {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.drain == 0 {
		o.drain = 30 * time.Second
	}
	tools, err := choose(o.Tools)
	if err != nil {
		return nil, err
	}
	tools = withNamed(tools, o.Catalogue)
	if len(o.AllowIndex) > 0 {
		more, err := indexing()
		if err != nil {
			return nil, err
		}
		tools = append(tools, more...)
	}
	s := &Server{
		opts:  o,
		name:  corpusName(o.Name),
		tools: tools,
		shelf: newShelf(o),
		slots: make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0))),
	}
	s.http = mcp.StreamableHTTPOptions{
		Stateless:                    true, // what the revision of 2026-07-28 needs, and older clients can do with
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // ours comes first, and knows about Hosts
	}
	sdk := &mcp.ServerOptions{
		Instructions:      s.instructions(),
		CompletionHandler: s.complete,
		SetCacheable:      cacheable,
		// Not nil: the SDK's default offers logging, which is deprecated. The
		// lists never change while the server runs.
		Capabilities: &mcp.ServerCapabilities{
			Tools:     &mcp.ToolCapabilities{},
			Prompts:   &mcp.PromptCapabilities{},
			Resources: &mcp.ResourceCapabilities{},
		},
	}
	if o.Extend != nil {
		o.Extend(sdk, &s.http)
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "docent", Title: "docent: " + s.name, Version: o.Version}, sdk)
	for _, t := range tools {
		s.mcp.AddTool(t.definition(), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.call(ctx, t, req)
		})
	}
	s.addResources()
	s.addPrompts()
	s.watchNamed()
	s.mcp.AddReceivingMiddleware(s.guard, s.inOrder, s.listFiles)
	return s, nil
}

// MCP returns the SDK's server, for tests that mount more on it.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// Close stops work in the background and closes the library.
func (s *Server) Close() error { return errors.Join(s.shelf.close(), s.named.close()) }

// ServeStdio speaks with one client, a JSON message a line, until input ends or
// ctx does. Answers still due when input ends are waited for.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.mcp.Run(context.WithValue(ctx, sentKey{}, &sent{}), &lineTransport{in: in, out: out, drain: s.opts.drain})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// guard turns a panic into an error of the request that caused it, and gives
// every other error a code.
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

// inOrder lists the tools in the order in which an agent needs them: the SDK
// sorts them by name.
func (s *Server) inOrder(next mcp.MethodHandler) mcp.MethodHandler {
	at := func(name string) int {
		i := slices.IndexFunc(s.tools, func(t served) bool { return t.name == name })
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

// cacheable says how long clients may keep what they are told: lists stay as
// they are while the server runs, documents may change at any time.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, ok := req.(*mcp.ReadResourceRequest); !ok {
		c.TTLMs = int((5 * time.Minute).Milliseconds())
	}
}

// corpusName makes the name of a folder fit for the instructions and for a URI:
// a clone decides how its folder is called, and must not speak through that.
func corpusName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, filepath.Base(s))
	if s = strings.Trim(s[:min(len(s), 40)], "-."); s == "" {
		return "docs"
	}
	return s
}

// jsonOf marshals without escaping what only HTML needs escaped.
func jsonOf(v any) ([]byte, error) {
	b := &strings.Builder{}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}
