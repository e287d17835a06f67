package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/tool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxNames is how many named indexes a client is told of by name.
const maxNames = 12

// withNamed adds to the tools what it takes to ask named indexes: others than these
// take Refs. Every word is paid for in each conversation, so it is there only when
// there are some. Names are words of ours: they have letters, digits and little else.
func withNamed(tools []served, c *docent.Catalogue) []served {
	if c == nil {
		return tools
	}
	all, err := c.List()
	if err != nil || len(all) == 0 {
		return tools
	}
	var names []string
	for _, n := range all[:min(len(all), maxNames)] {
		names = append(names, n.Name)
	}
	if len(all) > maxNames {
		names = append(names, "...")
	}
	for i := range tools {
		f := tool.Field{Name: "index", Kind: "string"}
		switch tools[i].name {
		case "search":
			f.Doc = "ask these instead, with commas, or all: " + strings.Join(names, ", ")
		case "grep", "examples":
		default:
			continue
		}
		tools[i].own = append(slices.Clone(tools[i].own), f)
	}
	return tools
}

// indexing are the tools for agents that index folders themselves.
func indexing() ([]served, error) {
	var out []served
	for _, name := range []string{"index_markdown_docs", "markdown_search"} {
		t, err := tool.Find(name)
		if err != nil {
			return nil, err
		}
		say := map[string]string{"root": "", "index_name": "", "description": "", "query": "", "k": ""}
		if name == "markdown_search" {
			say["index_name"] = "with commas, or all (default)"
		}
		out = append(out, served{Tool: t, name: name, doc: sentence(t.Doc), say: say})
	}
	return out, nil
}

// tellEvery is how often a client is told of progress.
const tellEvery = 200 * time.Millisecond

// withProgress tells the client how many files were read, if it asked for that.
func withProgress(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return ctx
	}
	var mu sync.Mutex
	var last time.Time
	most := 0
	return tool.WithProgress(ctx, func(p docent.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Files <= most || time.Since(last) < tellEvery {
			return
		}
		most, last = p.Files, time.Now()
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(p.Files), Message: "files read"})
	})
}

// named reports whether a call is for named indexes: one that says so, or has a Ref
// that begins with the name of one, which is taken off. Only a search can ask several.
func (r *request) named() (first string, names string, ok bool) {
	if r.s.opts.Catalogue == nil {
		return "", "", false
	}
	if r.tool.name == "search" {
		names = r.args.cut("index")
		return "", names, names != ""
	}
	if name := r.args.cut("index"); name != "" {
		return name, "", true
	}
	for _, field := range tool.RefFields {
		var ref string
		if json.Unmarshal(r.args[field], &ref) != nil {
			continue
		}
		if name, rest, ok := r.s.opts.Catalogue.Cut(ref); ok {
			r.args.put(field, rest)
			return name, "", true
		}
	}
	return "", "", false
}

// callNamed runs a tool on named indexes.
func (r *request) callNamed(ctx context.Context, name, names string) (*mcp.CallToolResult, error) {
	select {
	case r.s.slots <- struct{}{}:
		defer func() { <-r.s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	params, err := json.Marshal(r.args)
	if err != nil {
		return nil, err
	}
	note := ""
	if name == "" {
		note, err = r.searchNamed(ctx, names, params)
	} else {
		note, err = r.readNamed(ctx, name, params)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return failure(err), nil
	}
	return r.result(note), nil
}

func (r *request) searchNamed(ctx context.Context, names string, params []byte) (note string, err error) {
	q, err := tool.SearchQuery(params)
	if err != nil {
		return "", err
	}
	q.Rerank = q.Rerank && r.s.opts.Assistant != nil
	q.References = q.References || r.asJSON
	a, note, err := r.s.searchIndexes(ctx, names, q)
	if err != nil {
		return "", err
	}
	return note, r.render(ctx, nil, a)
}

func (r *request) readNamed(ctx context.Context, name string, params []byte) (note string, err error) {
	r.index = name
	note, err = r.s.WithIndex(ctx, name, func(lib *docent.Library) error {
		answer, err := r.tool.Call(ctx, lib, params)
		if err != nil {
			return err
		}
		r.mark(answer)
		return r.render(ctx, lib, answer)
	})
	if missing, ok := errors.AsType[*docent.NotFoundError](err); ok {
		r.mark(missing)
	}
	return note, err
}

// mark has the Refs of an answer from a named index begin with its name.
func (r *request) mark(answer any) {
	if r.index != "" {
		docent.InIndex(answer, r.index)
	}
}
