package mcp

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/text/visible"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How many tokens an agent reads until the section that answers its question is
// in its context: with docent, and with grep and whole files. docs/tokens.md
// describes the method and keeps the table; "make tokens" makes it anew.

// A quest is a question and the sections that answer it, any of which will do.
type quest struct {
	id, text string
	answers  []answerText
}

// An answerText is a section as an agent must have read it.
type answerText struct {
	file  string
	lines []string // all that are not blank
}

// in reports whether a text holds the section whole.
func (a *answerText) in(seen map[string]bool) bool {
	for _, l := range a.lines {
		if !seen[l] {
			return false
		}
	}
	return len(a.lines) > 0
}

// A reader is an agent's context: what it paid, and the lines it has seen.
type reader struct {
	paid  int
	calls int
	seen  map[string]bool
}

func (r *reader) read(text string) {
	r.paid += count(text)
	r.calls++
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	for line := range strings.Lines(text) {
		r.seen[strings.TrimSpace(visible.Text(line))] = true
	}
}

// merged has the fields of both.
func merged(a, b object) object {
	out := object{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

func (r *reader) has(q *quest) bool {
	return slices.ContainsFunc(q.answers, func(a answerText) bool { return a.in(r.seen) })
}

// refs are the places that an answer names: hits, leads and what was left out.
var refs = regexp.MustCompile(`[^\s,]+\.md(?:#[^\s:@,]+)?:\d+-\d+`)

// A docentWay is a way to use the server: what its calls have besides question and Ref.
type docentWay struct {
	name           string
	always         object // in every search
	first, section object // in the first, and in get_section
	forgets        bool   // it names no session
}

// patient gives the model all the time it needs: how much it reads in the second it has by
// default depends on what else the machine does, and the table must not.
var patient = object{"rerank_ms": 60_000}

// The ways: as it is, and what it is compared with.
var docentWays = []docentWay{
	{name: "docent: search, then get_section", always: patient},
	{name: "the same without the reranker", always: object{"rerank": "off"}},
	{name: "the same without a session, so that text is sent again", always: patient, forgets: true},
	{name: "docent as it was: five texts, and what surrounds a section", always: patient, first: object{"full": true, "limit": 5}, section: object{"around": true}},
}

// read searches, and where the section is not there whole, follows what the search
// named, best first; then looks at more leads. What was shown whole is not asked for
// again. It gives up after 12 calls.
func (w *docentWay) read(t testing.TB, cs *mcp.ClientSession, whole map[string]bool, q *quest) (reader, bool) {
	t.Helper()
	var r reader
	done := map[string]bool{}
	ask := func(name string, args, more object) string {
		maps.Copy(args, more)
		if !w.forgets {
			args["session"] = w.name + q.id // each question is a conversation of its own
		}
		res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		r.read(textOf(t, res))
		return textOf(t, res)
	}
	for _, args := range []object{w.first, {"leads": true}} {
		text := ask("search", object{"query": q.text}, merged(args, w.always))
		if r.has(q) {
			return r, true
		}
		for _, ref := range refs.FindAllString(text, -1) {
			section, lines, _ := strings.Cut(ref, ":")
			shown := strings.Contains(text, "] "+ref) && !strings.Contains(text, "tokens more: read ref=\""+ref+"\"")
			if shown && whole[section+":"+lines] || done[section] || r.calls >= 12 {
				done[section] = true
				continue
			}
			done[section] = true
			if ask("get_section", object{"ref": ref}, w.section); r.has(q) {
				return r, true
			}
		}
	}
	return r, false
}

// wholeSections are the Refs of the hits that show a whole section, which a
// reader sees by how their text begins and ends.
func wholeSections(t testing.TB, lib *docent.Library, fsys fstest.MapFS) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for name := range fsys {
		info, err := lib.Info(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for _, c := range info.List {
			section, _, _ := strings.Cut(c.Ref, ":")
			n[section]++
		}
		for _, c := range info.List {
			if section, _, _ := strings.Cut(c.Ref, ":"); n[section] == 1 {
				out[c.Ref] = true
			}
		}
	}
	return out
}

func TestTokensUntilTheAnswer(t *testing.T) {
	all := os.Getenv("DOCENT_TOKENS") != ""
	total := &table{}
	for _, set := range tokenSets {
		if !all && !set.short {
			continue
		}
		t.Run(set.name, func(t *testing.T) {
			fsys, quests := set.load(t)
			if !all {
				quests = spread(quests, 20)
			}
			got := measure(t, fsys, quests)
			got.log(t, fmt.Sprintf("%s, %d questions, %d files", set.name, len(quests), len(fsys)))
			total.add(got)
			ours, files := got.paired[0].mean(), got.paired[1].mean()
			if ours*4 > files {
				t.Errorf("docent costs %.0f tokens, grep and whole files %.0f", ours, files)
			}
			if now, was := got.docent[0], got.docent[3]; now.mean() > 0.8*was.mean() || now.found < was.found*95/100 {
				t.Errorf("docent costs %.0f tokens and finds %d, and it was %.0f and %d", now.mean(), now.found, was.mean(), was.found)
			}
		})
	}
	if all {
		total.log(t, fmt.Sprintf("all, %d questions", len(total.docent[0].paid)))
	}
}
