package mcp

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/needs"
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

func (r *reader) has(q *quest) bool {
	return slices.ContainsFunc(q.answers, func(a answerText) bool { return a.in(r.seen) })
}

// refs are the places that an answer names: hits, leads and what was left out.
var refs = regexp.MustCompile(`[^\s,]+\.md(?:#[^\s:@,]+)?:\d+-\d+`)

// withDocent searches, and where the section is not there whole, follows what the
// search named, best first; then looks at more leads. What was shown whole is
// not asked for again. It gives up after 12 calls.
func withDocent(t testing.TB, cs *mcp.ClientSession, whole map[string]bool, q *quest) (reader, bool) {
	t.Helper()
	var r reader
	done := map[string]bool{}
	ask := func(name string, args object) string {
		args["session"] = q.id // each question is a conversation of its own
		res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		r.read(textOf(t, res))
		return textOf(t, res)
	}
	for _, args := range []object{{"query": q.text}, {"query": q.text, "leads": true}} {
		text := ask("search", args)
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
			if ask("get_section", object{"ref": ref}); r.has(q) {
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

// A shell is a folder of files and an agent with grep and cat -n.
type shell struct {
	paths []string
	text  map[string]string
	low   map[string]string
}

func newShell(files fstest.MapFS) *shell {
	s := &shell{text: map[string]string{}, low: map[string]string{}}
	for name, f := range files {
		s.paths = append(s.paths, name)
		s.text[name] = string(f.Data)
		s.low[name] = strings.ToLower(string(f.Data))
	}
	slices.Sort(s.paths)
	return s
}

// grep lists the files that hold words of the question, those with most different
// words first, then those with most matches: kinder than grep, which does not
// rank. Twenty are shown.
func (s *shell) grep(r *reader, q *quest) []string {
	words := contentWords(q.text)
	type hit struct {
		path            string
		distinct, total int
	}
	var hits []hit
	for _, p := range s.paths {
		h := hit{path: p}
		for _, w := range words {
			if n := strings.Count(s.low[p], w); n > 0 {
				h.distinct++
				h.total += n
			}
		}
		if h.total > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.distinct, a.distinct), cmp.Compare(b.total, a.total))
	})
	b := &strings.Builder{}
	var out []string
	for _, h := range hits[:min(len(hits), 20)] {
		fmt.Fprintf(b, "%s:%d\n", h.path, h.total)
		out = append(out, h.path)
	}
	r.read(b.String())
	return out
}

// cat gives lines of a file with their numbers.
func (s *shell) cat(r *reader, p string, from, to int) {
	b := &strings.Builder{}
	n := 0
	for line := range strings.Lines(s.text[p]) {
		if n++; n >= from && n <= to {
			fmt.Fprintf(b, "%6d\t%s", n, line)
			r.seen[strings.TrimSpace(visible.Text(line))] = true
		}
	}
	r.read(b.String())
}

// wholeFiles reads the files that grep lists, one after the other, at most ten
// and 2,000 lines of each.
func (s *shell) wholeFiles(q *quest) (reader, bool) {
	var r reader
	for _, p := range head(s.grep(&r, q), 10) {
		if s.cat(&r, p, 1, 2000); r.has(q) {
			return r, true
		}
	}
	return r, false
}

// windows reads of each file that grep lists the matching lines, at most twenty,
// and then 80 lines around the one with most different words.
func (s *shell) windows(q *quest) (reader, bool) {
	var r reader
	words := contentWords(q.text)
	for _, p := range head(s.grep(&r, q), 10) {
		b := &strings.Builder{}
		best, most, n, shown := 1, 0, 0, 0
		for line := range strings.Lines(s.text[p]) {
			n++
			low, distinct := strings.ToLower(line), 0
			for _, w := range words {
				if strings.Contains(low, w) {
					distinct++
				}
			}
			if distinct > most {
				best, most = n, distinct
			}
			if distinct > 0 && shown < 20 {
				shown++
				fmt.Fprintf(b, "%d:%.200s\n", n, strings.TrimRight(line, "\n"))
			}
		}
		r.read(b.String())
		if s.cat(&r, p, best-40, best+40); r.has(q) {
			return r, true
		}
	}
	return r, false
}

// rightFile reads the file that holds the answer and nothing else: the least that
// anyone who reads whole files can pay.
func (s *shell) rightFile(q *quest) (reader, bool) {
	var cheapest reader
	for i, a := range q.answers {
		r := reader{seen: map[string]bool{}}
		if s.cat(&r, a.file, 1, 1<<30); i == 0 || r.paid < cheapest.paid {
			cheapest = r
		}
	}
	return cheapest, cheapest.has(q)
}

func head(s []string, n int) []string { return s[:min(len(s), n)] }

// contentWords are what an agent would grep for: the words of a question that
// say something.
func contentWords(text string) []string {
	const stop = ` a about an and any anthropic are as at be been by can claude do does for from has have how if in into is it its key
 main may of on one or should some such than that the their them these they this to two use used using was what when where which while who why will with would you your `
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '-' && r != '_' && r != '.'
	}) {
		w = strings.Trim(w, ".-")
		if len(w) > 1 && !strings.Contains(stop, " "+w+" ") && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// pagesOf joins the passages of a set whose ids are page#section into the pages
// they were cut from, each under its title.
func pagesOf(set *eval.Set) (fstest.MapFS, []quest) {
	pages := map[string]*strings.Builder{}
	section := map[string]answerText{}
	for _, p := range set.Files {
		id := p.ID
		url, _, _ := strings.Cut(id, "#")
		name := path.Join("docs", strings.TrimPrefix(strings.TrimSuffix(url, "/"), "https://docs.claude.com/en/")) + ".md"
		b := pages[name]
		if b == nil {
			b = &strings.Builder{}
			pages[name] = b
			fmt.Fprintf(b, "# %s\n\n", strings.ReplaceAll(path.Base(strings.TrimSuffix(name, ".md")), "-", " "))
		}
		text := "#" + p.Text + "\n" // its title becomes a heading of the second level
		b.WriteString(text)
		section[id] = answerText{name, contentLines(text)}
	}
	fsys := fstest.MapFS{}
	for name, b := range pages {
		fsys[name] = file(b.String())
	}
	var quests []quest
	for _, q := range set.Queries {
		k := quest{id: q.ID, text: q.Text}
		for _, j := range q.Judged {
			if a, ok := section[j.ID]; ok {
				k.answers = append(k.answers, a)
			}
		}
		if len(k.answers) > 0 {
			quests = append(quests, k)
		}
	}
	return fsys, quests
}

// sectionsOf takes the questions of a set that are about a section, n of them
// spread evenly.
func sectionsOf(set *eval.Set, kind string, n int) (fstest.MapFS, []quest) {
	fsys := fstest.MapFS{}
	for _, f := range set.Files {
		fsys[f.Path] = file(f.Text)
	}
	var all []quest
	for _, q := range set.Queries {
		if q.Kind != kind || q.Type != eval.Section {
			continue
		}
		k := quest{id: q.ID, text: q.Text}
		for _, j := range q.Judged {
			lines := strings.Split(string(fsys[j.File].Data), "\n")
			text := strings.Join(lines[j.Start-1:min(j.End, len(lines))], "\n")
			k.answers = append(k.answers, answerText{j.File, contentLines(text)})
		}
		all = append(all, k)
	}
	var out []quest
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return fsys, out
}

func contentLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(visible.Text(line)); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// A tally sums up what one way of reading paid.
type tally struct {
	name  string
	paid  []int // of every question, found or not
	found int
	calls int
}

func (a *tally) add(r reader, ok bool) {
	a.paid = append(a.paid, r.paid)
	a.calls += r.calls
	if ok {
		a.found++
	}
}

func (a *tally) mean() float64 {
	sum := 0
	for _, n := range a.paid {
		sum += n
	}
	return float64(sum) / float64(max(len(a.paid), 1))
}

func (a *tally) at(share float64) int {
	s := slices.Sorted(slices.Values(a.paid))
	return s[min(int(share*float64(len(s))), len(s)-1)]
}

func TestTokensUntilTheAnswer(t *testing.T) {
	n, least := 100, 5.0 // times as much that whole files must cost
	if os.Getenv("DOCENT_TOKENS") == "" {
		n, least = 20, 3
	}
	for _, name := range []string{"anthropic-docs", "k8s"} {
		t.Run(name, func(t *testing.T) {
			set, err := eval.Load(needs.Shared(t, "eval", name))
			if err != nil {
				t.Fatal(err)
			}
			var fsys fstest.MapFS
			var quests []quest
			if set.Passages {
				fsys, quests = pagesOf(set)
				quests = quests[:min(n, len(quests))]
			} else {
				fsys, quests = sectionsOf(set, "link", n)
			}
			o := fixed(fsys)
			cs := dial(t, newServer(t, o))
			sh, whole := newShell(fsys), wholeSections(t, o.Library, fsys)
			ours, both, files := &tally{name: "docent: search, then get_section"}, &tally{name: "the same, then grep where it gave up"}, &tally{name: "grep, then whole files"}
			windows, right := &tally{name: "grep, then 80 lines around matches"}, &tally{name: "the right file at once"}
			pairedOurs, pairedFiles := &tally{}, &tally{}
			for i := range quests {
				q := &quests[i]
				r, ok := withDocent(t, cs, whole, q)
				ours.add(r, ok)
				f, inFiles := sh.wholeFiles(q)
				files.add(f, inFiles)
				if ok && inFiles {
					pairedOurs.add(r, ok)
					pairedFiles.add(f, ok)
				}
				if !ok {
					t.Logf("%s: not found with docent (without: %v): %s", q.id, inFiles, q.text)
					r.paid, r.calls, ok = r.paid+f.paid, r.calls+f.calls, inFiles
				}
				both.add(r, ok)
				windows.add(sh.windows(q))
				right.add(sh.rightFile(q))
			}
			t.Logf("| %s, %d questions, %d files | found | calls | mean | median | 90%% | times docent |", name, len(quests), len(fsys))
			for _, a := range []*tally{ours, both, files, windows, right} {
				t.Logf("| %s | %d | %.1f | %.0f | %d | %d | %.1f |", a.name, a.found, float64(a.calls)/float64(len(quests)), a.mean(), a.at(0.5), a.at(0.9), a.mean()/ours.mean())
			}
			t.Logf("| where both found it: docent | %d | | %.0f | %d | %d | 1.0 |", pairedOurs.found, pairedOurs.mean(), pairedOurs.at(0.5), pairedOurs.at(0.9))
			t.Logf("| where both found it: whole files | %d | | %.0f | %d | %d | %.1f |", pairedFiles.found, pairedFiles.mean(), pairedFiles.at(0.5), pairedFiles.at(0.9), pairedFiles.mean()/pairedOurs.mean())
			if pairedOurs.mean()*least > pairedFiles.mean() {
				t.Errorf("docent costs %.0f tokens, grep and whole files %.0f", pairedOurs.mean(), pairedFiles.mean())
			}
		})
	}
}
