package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/tool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withNamed adds to the tools what it takes to ask named indexes: others than these
// take Refs. Every word is paid for in each conversation, so it is there only when
// there are some. Names are words of ours: they have letters, digits and little else.
//
// Where several indexes are served alike, every tool can name one.
func withNamed(tools []toolView, c *docent.IndexSet, alike bool) []toolView {
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
		if !tools[i].Agent.Index && (!alike || tools[i].RefArg) {
			continue
		}
		f := tool.Field{Name: "index", Kind: "string"}
		if tools[i].name == "search" {
			f.Doc = "ask these instead, with commas, or all: " + strings.Join(names, ", ")
			if alike {
				f.Doc = "ask only these, with commas: " + strings.Join(names, ", ")
			}
		}
		tools[i].serverParams = append(slices.Clone(tools[i].serverParams), f)
	}
	return tools
}

// indexing are the tools for agents that index folders themselves.
func indexing() ([]toolView, error) {
	var out []toolView
	for _, name := range []string{"index_markdown_docs", "markdown_search"} {
		t, err := tool.Find(name)
		if err != nil {
			return nil, err
		}
		out = append(out, newView(t))
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
func (r *request) named() (name, names string, ok bool) {
	if r.s.opts.Indexes == nil {
		return "", "", false
	}
	if r.tool.name == "search" {
		names = r.args.cut("index")
		if names == "" && len(r.s.opts.Several) > 0 {
			names = docent.AllIndexes
		}
		return "", names, names != ""
	}
	if name = r.args.cut("index"); name != "" {
		return name, "", true
	}
	if !r.tool.RefArg {
		return "", "", false
	}
	first := r.tool.Input[0]
	for _, field := range append([]string{first.Name}, first.Aliases...) {
		var ref string
		if json.Unmarshal(r.args[field], &ref) != nil {
			continue
		}
		if name, rest, ok := r.s.opts.Indexes.SplitRef(ref); ok {
			r.args.put(field, rest)
			r.nameRest(name)
			return name, "", true
		}
	}
	return "", "", false
}

// nameRest takes the name of an index off further Refs. One of another index is not found
// in this, and said so.
func (r *request) nameRest(name string) {
	for _, list := range []string{"refs", "citations"} {
		var all tool.Strings
		if json.Unmarshal(r.args[list], &all) != nil || len(all) == 0 {
			continue
		}
		for i := range all {
			if n, rest, ok := r.s.opts.Indexes.SplitRef(all[i]); ok && n == name {
				all[i] = rest
			}
		}
		r.args.put(list, all)
	}
}

// callNamed runs a tool on one named index, or searches several.
func (r *request) callNamed(ctx context.Context, req *mcp.CallToolRequest, name, names string) (*mcp.CallToolResult, error) {
	if name == "" {
		return r.searchNamed(ctx, req, names)
	}
	if n, err := r.s.opts.Indexes.Find(name); err == nil {
		name = n.Name // with its version
	}
	r.index = name
	lib, err := r.s.opts.Indexes.Library(name)
	if err != nil {
		return r.outcome(ctx, r.s.lib, err)
	}
	err = r.s.run(ctx, r, req, lib, func() error {
		params, err := paramsOf(r)
		if err != nil {
			return err
		}
		out, err := r.tool.Call(ctx, lib, params)
		if err != nil {
			return err
		}
		r.mark(out)
		return r.render(ctx, lib, out)
	})
	if missing, ok := errors.AsType[*answer.NotFoundError](err); ok {
		r.mark(missing)
	}
	return r.outcome(ctx, lib, err)
}

func (r *request) searchNamed(ctx context.Context, req *mcp.CallToolRequest, names string) (*mcp.CallToolResult, error) {
	set := r.s.opts.Indexes
	search := func() error {
		params, err := paramsOf(r)
		if err != nil {
			return err
		}
		q, err := tool.SearchQuery(params)
		if err != nil {
			return err
		}
		q.References = q.References || r.asJSON
		a, err := set.Search(ctx, names, q)
		if err != nil {
			return err
		}
		return r.render(ctx, nil, a)
	}
	var libs []library // whose files are being read, perhaps
	for _, c := range r.s.opts.Several {
		libs = append(libs, c.Library)
	}
	err := tellFiles(ctx, libs, req, func() error { return r.s.inSlot(ctx, r, search) })
	return r.outcome(ctx, set, err)
}

// mark has the Refs of an answer from a named index begin with its name.
func (r *request) mark(out any) {
	if p, ok := out.(answer.Prefixer); ok && r.index != "" {
		p.PrefixRefs(r.index)
	}
}

// hasPlace reports whether a call says which file or folder it is about.
func hasPlace(t toolView, args arguments) bool {
	first := t.Input[0]
	return slices.ContainsFunc(append([]string{first.Name}, first.Aliases...), func(name string) bool { return args[name] != nil })
}

// callUnnamed answers a call that names none of several indexes: toc lists them, and
// another tool is told to name one.
func (r *request) callUnnamed() (*mcp.CallToolResult, error) {
	if r.tool.name != "toc" || hasPlace(r.tool, r.args) {
		names := make([]string, len(r.s.opts.Several))
		for i, c := range r.s.opts.Several {
			names[i] = c.Name
		}
		how := "with index, or with a Ref that begins with the name, as in " + names[0] + ":path.md"
		if r.tool.RefArg {
			how = "before the path, as in " + names[0] + ":path.md"
		}
		return r.failure(errors.New(r.tool.name + ": name one of the indexes " + how + ": there are " + strings.Join(names, ", "))), nil
	}
	b := &strings.Builder{}
	for _, c := range r.s.opts.Several {
		fmt.Fprintf(b, "%s:", c.Name)
		if n, ok := c.Library.FileCount(); ok {
			b.WriteString(" " + human.Plural(n, "file"))
		}
		if words := plainWords(c.About, maxAbout); words != "" {
			fmt.Fprintf(b, ", %s", words)
		}
		b.WriteByte('\n')
	}
	first := r.s.opts.Several[0].Name
	fmt.Fprintf(b, "\n[%s with ref %q lists the first of them]\n", r.s.called("toc"), first+":")
	r.text = fit(b.String(), "", r.budget)
	return r.result(""), nil
}
