package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/text/visible"
	"github.com/docent-md/docent/tool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What an answer may cost, in tokens as o200k counts them. Clients warn at
// 10,000 and cut or refuse at 25,000.
const (
	maxAnswer    = 8000
	wholeSection = 2000 // a section with more under it is given without that
	searchBudget = 2000 // unless a search asks for another
	searchLimit  = 5    // hits, likewise
	tocBudget    = 3000 // unless a toc asks for another
	leadsLimit   = 12   // hits without their text, likewise
	closing      = 60   // kept free for the lines that we add to an answer
)

// A request is one call of a tool.
type request struct {
	s      *Server
	tool   toolView
	args   arguments
	again  bool
	asJSON bool
	leads  bool
	index  string // that a Ref named; "" for the library itself
	budget int    // most that the answer may cost
	sent   *sent  // what the session was sent; nil when there is none

	usualLimit bool // the caller chose none

	modelTime time.Duration // for the model, and for waiting; 0 where the caller says
	waited    time.Duration // until the call could run
	note      string        // that the answer is not what it could be

	text       string
	structured any
	shown      []uint64 // what to remember as sent
}

// call runs a tool. What goes wrong in it is an answer too: a model repairs its
// call with what the error says.
func (s *Server) call(ctx context.Context, t toolView, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, done := withRequest(ctx)
	defer done()
	r := &request{s: s, tool: t}
	if err := r.prepare(ctx, req); err != nil {
		return r.failure(err), nil
	}
	if name, names, ok := r.named(); ok {
		return r.callNamed(ctx, req, name, names)
	}
	if len(s.opts.Several) > 0 {
		return r.callUnnamed()
	}
	if len(s.opts.AllowIndex) > 0 {
		ctx = withProgress(tool.AllowRoots(ctx, s.opts.AllowIndex), req)
		if s.opts.Indexes != nil {
			ctx = tool.WithIndexes(ctx, s.opts.Indexes)
		}
	}
	err := s.run(ctx, r, req, s.lib, func() error {
		params, err := paramsOf(r)
		if err != nil {
			return err
		}
		out, err := t.Call(ctx, s.lib, params)
		if err != nil {
			return err
		}
		if a, ok := out.(*answer.Answer); ok && r.asJSON {
			if err := s.lib.AddReferences(ctx, a); err != nil {
				return err
			}
		}
		return r.render(ctx, s.lib, out)
	})
	return r.outcome(ctx, s.lib, err)
}

// run calls fn when there is an index to answer from, and not too many calls run.
func (s *Server) run(ctx context.Context, r *request, req *mcp.CallToolRequest, lib *docent.Library, fn func() error) error {
	if err := ready(ctx, lib, req); err != nil {
		return err
	}
	return s.inSlot(ctx, r, fn)
}

// inSlot calls fn when not too many calls of its kind run.
func (s *Server) inSlot(ctx context.Context, r *request, fn func() error) error {
	slots := s.shared.slots
	if r.tool.Name == "search" || r.tool.Name == "markdown_search" {
		slots = s.shared.questions
	}
	began := time.Now()
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	r.waited = time.Since(began)
	return fn()
}

// paramsOf returns the arguments of the operation. What a question has waited is taken from the
// time of the model, so that under any load it is answered soon, and says that it was not
// reranked.
func paramsOf(r *request) ([]byte, error) {
	if r.modelTime > 0 {
		left := (r.modelTime - r.waited).Milliseconds()
		r.args.put("rerank_ms", max(left, 1))
		if _, byClaude := r.args["rerank"]; left < 1 && !byClaude {
			r.args.put("rerank", answer.RerankOff)
			r.note = "not reranked: too many ask at once"
		}
	}
	return json.Marshal(r.args)
}

// outcome is what a call comes to. What was asked says what the answer may lack.
func (r *request) outcome(ctx context.Context, asked interface{ Shortfall() string }, err error) (*mcp.CallToolResult, error) {
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		if unknown, ok := errors.AsType[*tool.UnknownParameterError](err); ok {
			unknown.Tool, unknown.Known = r.tool.name, r.tool.shownParams()
		}
		return r.failure(err), nil
	}
	return r.result(asked.Shortfall()), nil
}

// result is the answer as it is sent.
func (r *request) result(note string) *mcp.CallToolResult {
	if r.tool.Name == "markdown_search" {
		note = "" // its text is JSON
	}
	r.close(strings.Trim(r.note+"; "+note, "; "))
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.text}}}
	if r.s.opts.Structured {
		res.StructuredContent = r.structured
	}
	if r.sent != nil {
		r.sent.add(r.shown)
	}
	return res
}

// prepare reads the arguments: ours are taken out, and the operation's get the
// server's defaults and limits.
func (r *request) prepare(ctx context.Context, req *mcp.CallToolRequest) error {
	args, err := r.tool.parse(req.Params.Arguments)
	if err != nil {
		return err
	}
	r.args = args
	if r.tool.sendsText() {
		r.sent = r.s.sessions(ctx).sentTo(ctx, req.Session, args.cut("session"))
		r.again = args.truth("again")
		delete(args, "again")
	}
	r.leads = args.truth("leads")
	if _, ours, _ := r.tool.field("format"); ours {
		format := args.cut("format")
		if format != "" && format != "text" && format != "json" {
			return fmt.Errorf("%s: parameter \"format\" is %q: must be one of text, json", r.tool.name, format)
		}
		r.asJSON = format == "json"
	}
	r.args.first("refs", "ref")
	if _, ours, _ := r.tool.field("source_id"); ours {
		if err := r.source(args.cut("source_id"), args.cut("section_id")); err != nil {
			return err
		}
	}
	if _, _, ok := r.tool.field("around"); ok && r.asJSON && r.args["refs"] == nil && r.args["budget"] == nil { // the response has these fields
		r.args.put("around", true)
	}
	r.limits()
	return nil
}

// source reads source_id and section_id, the names that docsearch has for a path
// and an anchor or Ref.
func (r *request) source(file, section string) error {
	if _, _, hasRef := r.tool.field("ref"); hasRef {
		_, given := r.args["ref"]
		if !given && (file != "" || section != "") {
			r.args.put("ref", tool.SourceRef(file, section))
		}
		return nil
	}
	if file == "" {
		return nil
	}
	if _, twice := r.args["path"]; twice {
		return fmt.Errorf("%s: give path or source_id, not both", r.tool.name)
	}
	r.args.put("path", tool.FileGlob(file))
	return nil
}

// sessions returns those that a call may name.
func (s *Server) sessions(ctx context.Context) *Sessions {
	if of, ok := ctx.Value(sessionsKey{}).(*Sessions); ok {
		return of
	}
	return &s.known
}

// rerankMS is how many milliseconds the model in the program may take for a call, and the
// call wait for others: a client that waits longer is better served by the ranking as it is.
const rerankMS = 1000

// limits sets what the answer may cost.
func (r *request) limits() {
	r.budget = maxAnswer
	_, timed := r.args["rerank_ms"]
	_, chosen := r.args["rerank"]
	if r.tool.name == "search" && !timed && !chosen {
		r.modelTime = time.Duration(cmp.Or(r.s.opts.RerankMS, rerankMS)) * time.Millisecond
	} else if r.tool.name == "search" && !timed {
		r.args.put("rerank_ms", cmp.Or(r.s.opts.RerankMS, rerankMS))
	}
	if r.tool.name == "search" && !chosen && r.s.opts.Rerank {
		r.args.put("rerank", answer.RerankClaude)
	}
	if _, _, ok := r.tool.field("budget"); !ok {
		return
	}
	if _, several := r.args["refs"]; r.tool.Name == "section" && !several {
		return // one is made brief: see render
	}
	isSearch := r.tool.name == "search"
	given, ok := r.args.integer("budget")
	switch {
	case ok && given < answer.MinBudget: // the operation complains
		return
	case ok:
		r.budget = min(given, maxAnswer)
	case isSearch:
		r.budget = searchBudget
	case r.tool.name == "toc":
		r.budget = tocBudget
	}
	inner := r.budget
	if inner >= 2*closing {
		inner -= closing
	}
	if _, ok := r.args["limit"]; !ok && isSearch {
		r.usualLimit = true
		r.args.put("limit", searchLimit)
		if r.leads {
			r.args.put("limit", leadsLimit)
		}
	}
	if r.leads || r.asJSON {
		delete(r.args, "budget") // counted here, as it is shown
		return
	}
	r.args.put("budget", inner)
}

// failure is the answer to a call that could not be done.
func (r *request) failure(err error) *mcp.CallToolResult {
	text := err.Error()
	if missing, ok := errors.AsType[*answer.NotFoundError](err); ok {
		if len(missing.Nearest) > 0 {
			text += "\ndid you mean " + strings.Join(missing.Nearest, ", ") + "?"
			file, _, _ := strings.Cut(missing.Name, "#")
			if inFile := func(ref string) bool { return strings.HasPrefix(ref, file) }; errors.Is(err, docent.ErrNoSection) && !slices.ContainsFunc(missing.Nearest, inFile) {
				text += "\n" + r.s.called("toc") + " lists the headings of " + file
			}
		} else {
			text += "\n" + r.s.called("toc") + " lists what there is"
		}
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: fit(visible.Text(text)+"\n", "", 500)}}}
}
