package mcpserver

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/tool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// indexField is how a search names indexes, where there are any.
var indexField = tool.Field{Name: "index", Kind: "string", Doc: "named index, several with commas, or all"}

// withNamed adds to the search what it takes to ask named indexes. Every word is
// paid for in each conversation, so it is there only when there are some.
func withNamed(tools []served, c *docent.Catalogue) []served {
	if c == nil {
		return tools
	}
	if all, err := c.List(); err != nil || len(all) == 0 {
		return tools
	}
	for i := range tools {
		if tools[i].name == "search" {
			tools[i].own = append(append([]tool.Field{}, tools[i].own...), indexField)
		}
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
		out = append(out, served{Tool: t, name: name, doc: sentence(t.Doc)})
	}
	return out, nil
}

// named reports whether a call is for named indexes: a search that says so, or a Ref
// that begins with the name of one, which is taken off.
func (r *request) named() (first string, names string, ok bool) {
	if r.s.opts.Catalogue == nil {
		return "", "", false
	}
	if r.tool.name == "search" {
		names = r.args.cut("index")
		return "", names, names != ""
	}
	var ref string
	if json.Unmarshal(r.args["ref"], &ref) != nil {
		return "", "", false
	}
	name, rest, ok := r.s.opts.Catalogue.Cut(ref)
	if ok {
		r.args.put("ref", rest)
	}
	return name, "", ok
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
	if name == "" {
		err = r.searchNamed(ctx, names, params)
	} else {
		err = r.readNamed(ctx, name, params)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return failure(err), nil
	}
	return r.result(""), nil
}

func (r *request) searchNamed(ctx context.Context, names string, params []byte) error {
	q, err := tool.SearchQuery(params)
	if err != nil {
		return err
	}
	q.Rerank = false
	a, err := r.s.opts.Catalogue.Search(ctx, names, q, docent.Options{Note: r.s.opts.Note})
	if err != nil {
		return err
	}
	return r.render(ctx, nil, a)
}

func (r *request) readNamed(ctx context.Context, name string, params []byte) error {
	lib, err := r.s.opts.Catalogue.Open(ctx, name, docent.Options{Note: r.s.opts.Note})
	if err != nil {
		return err
	}
	k := docent.NewKeeper(lib, docent.Options{Note: r.s.opts.Note})
	defer k.Close()
	r.index = name
	err = k.With(ctx, func(lib *docent.Library) error {
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
	return err
}

// mark has the Refs of an answer from a named index begin with its name.
func (r *request) mark(answer any) {
	if r.index != "" {
		docent.InIndex(answer, r.index)
	}
}
