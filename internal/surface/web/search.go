package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/token"
	"github.com/docent-md/docent/tool"
)

// shown is how many hits a page shows at first, maxHits how many at most, briefHits how
// many the search box over a page; an agent gets as many as its budget holds.
const (
	shown     = 20
	maxHits   = 200
	briefHits = 8
)

// The defaults of the MCP server's search.
const (
	agentBudget = 2000
	agentLimit  = 5
)

// A question is a search, from the parameters of the address.
type question struct {
	Text  string // q
	Dir   string // dir: only this folder
	Lang  string // lang: only code of this language
	In    string // in: only this index
	Agent bool   // view=agent: show what an agent would get
	Limit int    // n: how many hits are shown
}

func questionOf(r *http.Request) question {
	v := r.URL.Query()
	return question{
		Text: strings.TrimSpace(clip(v.Get("q"), 1000)), Dir: strings.Trim(clip(v.Get("dir"), 500), "/"), Lang: clip(v.Get("lang"), 40),
		In: v.Get("in"), Agent: v.Get("view") == "agent", Limit: max(number(v.Get("n"), shown, maxHits), 1),
	}
}

type searchPage struct {
	*frame
	question
	Folders   []folder
	Languages []string
	Home      *homeView // nil when something is searched for
	resultsView
}

// resultsView is what a search found.
type resultsView struct {
	Hits      []hitView
	Summary   string
	Miss      []string // why nothing was found, or nothing good, a line each
	Freshness string
	Told      *agentAnswer
	More      string // the address of a page with more hits
}

// Wider is the address of the same question without conditions.
func (p searchPage) Wider() string { return p.address("/", "", "q", p.Text) }

// FolderURL is the address of the list of all pages.
func (p searchPage) FolderURL() string { return p.folderURL("") }

// MapURL is the address of the map.
func (p searchPage) MapURL() string { return p.address("/map", "") }

// An agentAnswer is a tool call and the answer that an agent would get.
type agentAnswer struct {
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
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	if p.Text == "" {
		if p.Home, err = s.home(r, f, now); err != nil {
			return err
		}
		f.Title = p.Home.Heading(f.Name)
	}
	p.Folders = computeSoon(r.Context(), now, "folders", folders)
	p.Languages = computeSoon(r.Context(), now, "languages", languages)
	if err := s.answer(r.Context(), f, p.question, &p.resultsView); err != nil {
		return err
	}
	return s.write(w, r, http.StatusOK, "search", p)
}

// hits writes the results alone, for a question that is still being typed.
func (s *site) hits(w http.ResponseWriter, r *http.Request, f *frame) error {
	p := searchPage{frame: f, question: questionOf(r)}
	part := "results"
	if r.URL.Query().Get("brief") != "" {
		part, p.Limit, p.Agent = "brief", briefHits, false
	}
	if err := s.answer(r.Context(), f, p.question, &p.resultsView); err != nil {
		return err
	}
	return s.write(w, r, http.StatusOK, part, p)
}

// answer searches the corpus that is chosen, or all default corpora.
func (s *site) answer(ctx context.Context, f *frame, q question, out *resultsView) error {
	if q.Text == "" {
		return nil
	}
	asked := []*corpus{f.corpus}
	if q.In == "" {
		asked = defaultCorpora(s.corpora)
	}
	if q.Agent {
		return s.tell(ctx, f.corpus, q, out)
	}
	lists := make([][]hitView, len(asked))
	for i, c := range asked {
		at := *f
		at.Name, at.corpus = c.Name, c
		lib, err := c.Library(ctx)
		if err != nil {
			return err
		}
		var part resultsView
		if err := at.find(ctx, lib, q, &part); err != nil {
			return err
		}
		f.Note = cmp.Or(f.Note, lib.Shortfall())
		out.Miss = append(out.Miss, part.Miss...)
		out.Freshness = part.Freshness
		lists[i] = part.Hits
	}
	out.Hits = interleave(lists, q.Limit)
	if len(out.Hits) >= q.Limit && q.Limit < maxHits {
		n := strconv.Itoa(q.Limit + shown)
		out.More = f.address("/", "", "q", q.Text, "dir", q.Dir, "lang", q.Lang, "in", q.In, "n", n)
	}
	if len(out.Hits) > 0 && len(asked) > 1 {
		out.Miss = nil // of others
	}
	switch {
	case len(out.Hits) == 0:
		out.Summary = "nothing found"
	case q.Lang != "":
		out.Summary = human.Plural(len(out.Hits), "code block")
	default:
		out.Summary = human.Plural(len(out.Hits), "section")
	}
	return nil
}

// interleave takes hits of each list in turn: scores of different corpora cannot be
// compared.
func interleave(lists [][]hitView, limit int) []hitView {
	var out []hitView
	for i := 0; i < limit && len(out) < limit; i++ {
		for _, l := range lists {
			if i < len(l) {
				out = append(out, l[i])
			}
		}
	}
	return out
}

// find searches one library.
func (f *frame) find(ctx context.Context, lib *docent.Library, q question, out *resultsView) error {
	index := ""
	if len(f.Names) > 1 {
		index = f.Name
	}
	if q.Lang != "" {
		found, err := lib.Snippets(ctx, answer.CodeQuery{Text: q.Text, Language: q.Lang, File: inFolder(q.Dir), Limit: q.Limit})
		if err != nil {
			return err
		}
		status, err := lib.Status(ctx, answer.StatusOptions{})
		if err != nil {
			return err
		}
		out.Freshness = status.Freshness
		for _, n := range found.Snippets {
			out.Hits = append(out.Hits, hitView{
				URL: f.hitURL(n.Ref, q.Text), Title: plainTitle(n.Title), File: n.File, Ref: f.ref(n.Ref), Index: index, Trail: trail(n.Headings),
				Tokens: n.Tokens, Lang: n.Language, Code: clip(unfenced(n.Code), 1200), Excerpt: excerpt(n.Before, nil),
			})
		}
		if len(out.Hits) == 0 {
			out.Miss = []string{fmt.Sprintf("no %s code was found for these words", q.Lang)}
		}
		return nil
	}
	a, err := lib.Search(ctx, docent.Query{Text: q.Text, Limit: q.Limit, File: inFolder(q.Dir)})
	if err != nil {
		return err
	}
	out.Freshness = a.Freshness
	words := queryWords(q.Text, a.Searched)
	for _, h := range a.Hits {
		out.Hits = append(out.Hits, hitView{
			URL: f.hitURL(h.Ref, q.Text), Title: plainTitle(h.Title), File: h.File, Ref: f.ref(h.Ref), Index: index, Trail: trail(h.Headings),
			Tokens: h.Tokens, Excerpt: excerpt(h.Body, words),
		})
	}
	out.Miss = missing(a)
	return nil
}

// hitURL returns the address of a place that was found. It has the question, so that the
// page marks its words.
func (f *frame) hitURL(ref, question string) string {
	r, err := doc.ParseRef(ref)
	if err != nil {
		return ""
	}
	return f.address("/read/"+r.Path, r.Anchor, "q", question)
}

// ref returns a Ref with the name of its index, as agents use it.
func (f *frame) ref(ref string) string {
	if f.corpus.Index != "" {
		return f.corpus.Index + ":" + ref
	}
	return ref
}

// missing says why nothing was found, or nothing that matches well, and which words no
// document has.
func missing(a *answer.Answer) []string {
	var out []string
	if m := a.Miss; m != nil {
		out = append(out, "searched "+human.Plural(m.Files, "file"))
		if m.Reason != "" {
			out = append(out, m.Reason)
		}
	}
	if a.IsWeak() {
		out = append(out, "weak match: these documents most likely do not hold the answer")
	}
	for _, u := range a.Unknown {
		line := "“" + u.Word + "” does not occur here"
		if len(u.Nearest) > 0 {
			line += "; similar words that do: " + strings.Join(u.Nearest, ", ")
		}
		out = append(out, line)
	}
	return out
}

// tell searches as an agent would.
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

// asAgent calls a tool and returns its answer word for word, with its price. The text
// of an error is an answer too, as it is for an agent.
func (s *site) asAgent(ctx context.Context, c *corpus, name string, params map[string]any) (*agentAnswer, error) {
	if c.Index != "" {
		if ref, ok := params["ref"].(string); ok { // an agent that follows a hit passes that
			params["ref"] = c.Index + ":" + ref
		} else {
			params["index"] = c.Index
		}
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	t := &agentAnswer{Tool: name, Params: string(raw)}
	if s.opts.Agent != nil {
		t.Text, err = s.opts.Agent(ctx, c.Name, name, raw)
	} else {
		t.Text, err = c.call(ctx, name, raw)
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

// call returns the text of a tool's answer.
func (c *corpus) call(ctx context.Context, name string, params []byte) (string, error) {
	lib, err := c.Library(ctx)
	if err != nil {
		return "", err
	}
	return tool.CallString(ctx, lib, name, params)
}

// trail returns the headings above the last one, which is shown as the title.
func trail(headings []string) []string {
	var out []string
	for _, h := range headings[:max(len(headings)-1, 0)] {
		out = append(out, plainTitle(h))
	}
	return out
}

// unfenced removes the fences of a code block.
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

// inFolder returns a glob for all files of a folder.
func inFolder(dir string) string {
	if dir == "" {
		return ""
	}
	return strings.ReplaceAll(tool.FileGlob(dir), "!", `\!`) + "/**"
}
