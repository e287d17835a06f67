package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/text/visible"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Documents are resources too, for clients in which people attach one by hand:
// docent://<corpus>/<path>, with the path escaped as in a URL.
const (
	pageSize      = 500    // resources per page of the list
	maxResource   = 20_000 // tokens of a document; clients refuse more than 25,000
	maxCompletion = 100    // by the protocol
)

// resources are the documents as the protocol has them. They know no tools but the name
// of one.
type resources struct {
	corpora  []*docCorpus
	readTool string // what clients call the tool that reads the rest of a document
}

// A docCorpus has the documents of one index.
type docCorpus struct {
	lib   *docent.Library
	name  string // cleaned
	index string // that Refs begin with; "" for the only one
	seen  follower
}

func (c *docCorpus) prefix() string { return "docent://" + c.name + "/" }

func (c *docCorpus) uri(path string) string {
	return c.prefix() + (&url.URL{Path: path}).EscapedPath()
}

// addTo offers the documents to clients, who are told that they changed when it is called
// again.
func (c *docCorpus) addTo(server *mcp.Server, read mcp.ResourceHandler) {
	name, title := "document", "A document"
	if c.index != "" {
		name, title = "document-"+c.name, "A document of "+c.name
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: name, Title: title, MIMEType: "text/markdown",
		Description: fmt.Sprintf("a Markdown file, by its path; of a large one the first %d tokens", maxResource),
		URITemplate: c.prefix() + "{+path}",
	}, read)
}

// addTo offers the documents of all corpora.
func (d *resources) addTo(server *mcp.Server) {
	for _, c := range d.corpora {
		c.addTo(server, d.read)
	}
}

// of returns the corpus that a URI leads into; nil for none.
func (d *resources) of(uri string) *docCorpus {
	for _, c := range d.corpora {
		if strings.HasPrefix(uri, c.prefix()) {
			return c
		}
	}
	return nil
}

func (d *resources) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	ctx, done := withRequest(ctx)
	defer done()
	uri := req.Params.URI
	c := d.of(uri)
	if c == nil {
		return nil, notFound(uri)
	}
	path, err := url.PathUnescape(strings.TrimPrefix(uri, c.prefix()))
	if err != nil {
		return nil, notFound(uri)
	}
	r, err := c.lib.Read(ctx, path, answer.ReadOptions{Plain: true, Budget: maxResource})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, docent.ErrNoIndexYet) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	if err != nil { // whatever the reason, it cannot be read
		return nil, notFound(uri)
	}
	b := &strings.Builder{}
	more := d.rest(c, r)
	if err := r.WriteText(b); err != nil {
		return nil, err
	}
	text := visible.Text(b.String() + more)
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: text}}}, nil
}

// notFound is the error for a URI that leads to no document.
func notFound(uri string) error {
	data, _ := json.Marshal(map[string]string{"uri": uri}) // strings always marshal
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found", Data: data}
}

// sendableErrors replaces the SDK's own error for an unknown URI: it quotes the URI as
// Go does, which is not JSON where there are control characters. An answer that cannot
// be marshalled would end the session.
func sendableErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		e, ok := errors.AsType[*jsonrpc.Error](err)
		if !ok || len(e.Data) == 0 || json.Valid(e.Data) {
			return res, err
		}
		if read, ok := req.(*mcp.ReadResourceRequest); ok {
			return nil, notFound(read.Params.URI)
		}
		return nil, &jsonrpc.Error{Code: e.Code, Message: e.Message}
	}
}

// rest says that a document was cut, and how to read the rest.
func (d *resources) rest(c *docCorpus, r *answer.Reading) string {
	if r.More == 0 {
		return ""
	}
	ref := r.Ref
	if c.index != "" {
		ref = c.index + ":" + ref
	}
	more := fmt.Sprintf("\n[cut here: a resource has at most %d tokens. %d lines more: the %s tool with ref=%q offset=%d]\n", maxResource, r.More, d.readTool, ref, r.Lines[1]+1)
	r.More = 0
	return more
}

// list answers resources/list from the library, a page at a time: the SDK's own
// list would not change with the files.
func (d *resources) list(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		list, ok := req.(*mcp.ListResourcesRequest)
		if method != "resources/list" || !ok {
			return next(ctx, method, req)
		}
		res, err := next(ctx, method, &mcp.ListResourcesRequest{Session: list.Session, Extra: list.Extra})
		if err != nil {
			return nil, err
		}
		out := res.(*mcp.ListResourcesResult)
		from := 0
		if list.Params != nil && list.Params.Cursor != "" {
			if from, err = strconv.Atoi(list.Params.Cursor); err != nil || from < 0 {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid cursor"}
			}
		} else {
			out.Resources = slices.Clone(out.Resources)
		}
		out.TTLMs = 0
		count, room := 0, pageSize // of the files before, and on the page
		for _, c := range d.corpora {
			files, err := c.files(ctx)
			if err != nil {
				return nil, err
			}
			first := min(max(from-count, 0), len(files))
			last := min(first+room, len(files))
			for _, f := range files[first:last] {
				out.Resources = append(out.Resources, c.resource(f))
			}
			room -= last - first
			if last < len(files) {
				out.NextCursor = strconv.Itoa(count + last)
				break
			}
			count += len(files)
		}
		return out, nil
	}
}

// resource is a document as the list shows it to people who choose one.
func (c *docCorpus) resource(f answer.FileInfo) *mcp.Resource {
	r := &mcp.Resource{
		Name: visible.Text(f.File), Title: visible.Line(f.Title), URI: c.uri(f.File), MIMEType: "text/markdown", Size: f.Bytes,
	}
	if !f.Modified.IsZero() {
		r.Annotations = &mcp.Annotations{LastModified: f.Modified.UTC().Format(time.RFC3339)}
	}
	return r
}

// files lists the documents.
func (c *docCorpus) files(ctx context.Context) ([]answer.FileInfo, error) {
	ctx, done := withRequest(ctx)
	defer done()
	list, err := c.lib.Files(ctx, "")
	if err != nil {
		if ctx.Err() == nil {
			err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: visible.Text(err.Error())}
		}
		return nil, err
	}
	return list.Files, nil
}

// subscribe accepts subscriptions to documents, and to nothing else.
func (d *resources) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	if d.of(req.Params.URI) == nil {
		return notFound(req.Params.URI)
	}
	return nil
}

// complete completes the path of a document: paths that begin with what was typed
// come before those that contain it.
func (d *resources) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	out := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if req.Params.Argument.Name != "path" {
		return out, nil
	}
	c := d.corpora[0]
	if ref := req.Params.Ref; ref != nil && d.of(ref.URI) != nil {
		c = d.of(ref.URI)
	}
	files, err := c.files(ctx)
	if err != nil {
		return nil, err
	}
	typed := strings.ToLower(req.Params.Argument.Value)
	var within []string
	for _, f := range files {
		p := f.File
		switch low := strings.ToLower(p); {
		case strings.HasPrefix(low, typed):
			out.Completion.Values = append(out.Completion.Values, visible.Text(p))
		case strings.Contains(low, typed):
			within = append(within, visible.Text(p))
		}
	}
	all := append(out.Completion.Values, within...)
	out.Completion.Total = len(all)
	out.Completion.HasMore = len(all) > maxCompletion
	out.Completion.Values = all[:min(len(all), maxCompletion)]
	return out, nil
}
