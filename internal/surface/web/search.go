package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/token"
	"github.com/docent-md/docent/tool"
)

// shown is how many hits a page shows; an agent gets those its budget holds.
const shown = 20

// What an agent asks for unless it says otherwise, as the MCP server has it.
const (
	agentBudget = 2000
	agentLimit  = 5
)

// A question is what the search page is asked, as it stands in its address.
type question struct {
	Text  string // q
	Dir   string // dir: only this folder
	Lang  string // lang: only code of this language
	In    string // in: only this index
	Agent bool   // view=agent: show what an agent is told
}

func questionOf(r *http.Request) question {
	v := r.URL.Query()
	return question{
		Text: strings.TrimSpace(clip(v.Get("q"), 1000)), Dir: strings.Trim(clip(v.Get("dir"), 500), "/"), Lang: clip(v.Get("lang"), 40),
		In: v.Get("in"), Agent: v.Get("view") == "agent",
	}
}

type searchPage struct {
	*frame
	question
	Folders   []folder
	Languages []string
	resultsView
}

// resultsView is what a question found.
type resultsView struct {
	Hits      []hitView
	Summary   string
	Miss      []string // why nothing was found, in lines
	Freshness string
	Told      *told
}

// told is what an agent is told.
type told struct {
	Tool, Params, Text string
	Tokens             int
}

// A hitView is a hit as the page shows it.
type hitView struct {
	URL, Title, File, Ref string
	Index                 string // which corpus, where there are several
	Trail                 []string
	Tokens                int
	Excerpt               []piece
	Code                  string // of a code block
	Lang                  string
}

func (s *site) searchPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	p := searchPage{frame: f, question: questionOf(r)}
	f.Title, f.Here = "Search", "search"
	if p.Text != "" {
		f.Title = p.Text
	}
	p.Folders = soon(r.Context(), f.corpus, "folders", folders)
	p.Languages = soon(r.Context(), f.corpus, "languages", languages)
	if err := s.answer(r.Context(), f, p.question, &p.resultsView); err != nil {
		return err
	}
	return s.write(w, r, http.StatusOK, "search", p)
}

// hits answers a question that is still being typed: the results alone.
func (s *site) hits(w http.ResponseWriter, r *http.Request, f *frame) error {
	p := searchPage{frame: f, question: questionOf(r)}
	if err := s.answer(r.Context(), f, p.question, &p.resultsView); err != nil {
		return err
	}
	return s.write(w, r, http.StatusOK, "results", p)
}

// answer asks one corpus, or all where none is named.
func (s *site) answer(ctx context.Context, f *frame, q question, out *resultsView) error {
	if q.Text == "" {
		return nil
	}
	asked := []*corpus{f.corpus}
	if q.In == "" {
		asked = s.usual()
	}
	if q.Agent {
		return s.tell(ctx, f.corpus, q, out)
	}
	lists := make([][]hitView, len(asked))
	total := 0
	for i, c := range asked {
		at := *f
		at.Name, at.corpus = c.Name, c
		var part resultsView
		if err := at.with(ctx, func(lib *docent.Library, _ *memory) error { return at.find(ctx, lib, q, &part) }); err != nil {
			return err
		}
		f.Note = firstOf(f.Note, at.Note)
		out.Miss = append(out.Miss, part.Miss...)
		out.Freshness = part.Freshness
		lists[i] = part.Hits
		total += len(part.Hits)
	}
	out.Hits = interleave(lists)
	if total > 0 {
		out.Miss = nil
	}
	switch {
	case total == 0:
		out.Summary = "nothing found"
	case q.Lang != "":
		out.Summary = plural(len(out.Hits), "code block")
	default:
		out.Summary = plural(len(out.Hits), "section")
	}
	return nil
}

// interleave takes the best of each list in turn: scores of different corpora
// cannot be compared.
func interleave(lists [][]hitView) []hitView {
	var out []hitView
	for i := 0; len(out) < shown; i++ {
		some := false
		for _, l := range lists {
			if i < len(l) {
				out = append(out, l[i])
				some = true
			}
		}
		if !some {
			break
		}
	}
	return out
}

// find asks one library.
func (f *frame) find(ctx context.Context, lib *docent.Library, q question, out *resultsView) error {
	*out = resultsView{}
	index := ""
	if len(f.Names) > 1 {
		index = f.Name
	}
	if q.Lang != "" {
		found, err := lib.Snippets(ctx, docent.CodeQuery{Text: q.Text, Language: q.Lang, File: inFolder(q.Dir), Limit: shown})
		if err != nil {
			return err
		}
		out.Freshness = lib.Freshness()
		for _, n := range found.Snippets {
			out.Hits = append(out.Hits, hitView{
				URL: f.readURL(n.Ref), Title: plainTitle(n.Title), File: n.File, Ref: f.ref(n.Ref), Index: index, Trail: trail(n.Headings),
				Tokens: n.Tokens, Lang: n.Language, Code: clip(unfenced(n.Code), 1200), Excerpt: excerpt(n.Before, nil),
			})
		}
		if len(out.Hits) == 0 {
			out.Miss = []string{fmt.Sprintf("no %s code was found for these words", q.Lang)}
		}
		return nil
	}
	a, err := lib.Search(ctx, docent.Query{Text: q.Text, Limit: shown, File: inFolder(q.Dir)})
	if err != nil {
		return err
	}
	out.Freshness = a.Freshness
	words := queryWords(q.Text, a.Searched)
	for _, h := range a.Hits {
		out.Hits = append(out.Hits, hitView{
			URL: f.readURL(h.Ref), Title: plainTitle(h.Title), File: h.File, Ref: f.ref(h.Ref), Index: index, Trail: trail(h.Headings),
			Tokens: h.Tokens, Excerpt: excerpt(h.Body, words),
		})
	}
	if a.Miss != nil {
		out.Miss = missing(a.Miss)
	}
	return nil
}

// ref is a Ref of the frame's corpus as agents know it.
func (f *frame) ref(ref string) string {
	if f.corpus.Index != "" {
		return f.corpus.Index + ":" + ref
	}
	return ref
}

// missing says why nothing was found.
func missing(m *docent.Miss) []string {
	out := []string{"searched " + plural(m.Files, "file")}
	if m.Reason != "" {
		out = append(out, m.Reason)
	}
	for _, u := range m.Unknown {
		line := "“" + u.Word + "” stands nowhere here"
		if len(u.Nearest) > 0 {
			line += "; there are " + strings.Join(u.Nearest, ", ")
		}
		out = append(out, line)
	}
	return out
}

// tell asks as an agent would.
func (s *site) tell(ctx context.Context, c *corpus, q question, out *resultsView) error {
	name, params := "search", map[string]any{"query": q.Text, "limit": agentLimit, "budget": agentBudget}
	if q.Lang != "" {
		name, params = "snippets", map[string]any{"query": q.Text, "language": q.Lang, "budget": agentBudget}
	}
	if q.Dir != "" {
		params["path"] = inFolder(q.Dir)
	}
	var err error
	out.Told, err = s.asAgent(ctx, c, name, params)
	return err
}

// asAgent runs a tool and gives its answer word for word, with its price. What
// goes wrong is an answer too: it is what the agent would read.
func (s *site) asAgent(ctx context.Context, c *corpus, name string, params map[string]any) (*told, error) {
	if c.Index != "" {
		if ref, ok := params["ref"].(string); ok { // as an agent that follows a hit
			params["ref"] = c.Index + ":" + ref
		} else {
			params["index"] = c.Index
		}
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	t := &told{Tool: name, Params: string(raw)}
	if s.opts.Agent != nil {
		t.Text, err = s.opts.Agent(ctx, c.Name, name, raw)
	} else {
		_, err = c.With(ctx, func(lib *docent.Library) error {
			answer, err := tool.Call(ctx, lib, name, raw)
			if err != nil {
				return err
			}
			b := &strings.Builder{}
			err = answer.WriteText(b)
			t.Text = b.String()
			return err
		})
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.Text = err.Error()
	}
	t.Tokens = token.O200k().CountString(t.Text)
	return t, nil
}

// trail is the breadcrumb above a title: the title itself is shown already.
func trail(headings []string) []string {
	var out []string
	for _, h := range headings[:max(len(headings)-1, 0)] {
		out = append(out, plainTitle(h))
	}
	return out
}

// unfenced is a code block without its fences.
func unfenced(code string) string {
	first, rest, ok := strings.Cut(strings.TrimSpace(code), "\n")
	fence := strings.TrimSpace(first)
	if !ok || !strings.HasPrefix(fence, "```") && !strings.HasPrefix(fence, "~~~") {
		return code
	}
	rest = strings.TrimRight(rest, "\n ")
	if i := strings.LastIndexByte(rest, '\n'); strings.HasPrefix(strings.TrimSpace(rest[i+1:]), fence[:3]) {
		rest = rest[:max(i, 0)]
	}
	return rest
}

// inFolder is a glob for all files of a folder.
func inFolder(dir string) string {
	if dir == "" {
		return ""
	}
	b := &strings.Builder{}
	for _, c := range dir {
		if strings.ContainsRune(`*?[]{}\!`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String() + "/**"
}

// readURL is the address of the page that a Ref leads to.
func (f *frame) readURL(ref string) string {
	r, err := doc.ParseRef(ref)
	if err != nil || f.Report {
		return ""
	}
	return f.address("/read/"+r.Path, r.Anchor)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
