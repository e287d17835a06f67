package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing/fstest"
	"unicode"

	"github.com/docent-md/docent/internal/text/visible"
)

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

// identifier greps for one word, as an agent that knows a name does: the one of the
// question that looks like a name, and of several the rarest. It sees twenty lines,
// reads 60 around each, those with most words of the question first, and gives up after
// ten.
func (s *shell) identifier(q *quest) (reader, bool) {
	type line struct {
		path        string
		at, matches int
		text        string
	}
	words := contentWords(q.text)
	named := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return !strings.ContainsAny(w, "_.-0123456789") && !strings.Contains(q.text, "`"+w) && strings.Contains(q.text, w)
	})
	if len(named) == 0 {
		named = words
	}
	var found []line
	for _, w := range named {
		var in []line
		for _, p := range s.paths {
			n := 0
			for l := range strings.Lines(s.low[p]) {
				n++
				if strings.Contains(l, w) {
					in = append(in, line{path: p, at: n, text: l})
				}
			}
		}
		if len(in) > 0 && (found == nil || len(in) < len(found)) {
			found = in
		}
	}
	for i := range found {
		for _, w := range words {
			if strings.Contains(found[i].text, w) {
				found[i].matches++
			}
		}
	}
	slices.SortStableFunc(found, func(a, b line) int { return cmp.Compare(b.matches, a.matches) })
	var r reader
	b := &strings.Builder{}
	found = found[:min(len(found), 20)]
	for _, l := range found {
		fmt.Fprintf(b, "%s:%d:%.200s\n", l.path, l.at, strings.TrimRight(l.text, "\n"))
	}
	r.read(b.String())
	reads, last := 0, map[string]int{}
	for _, l := range found {
		if at, read := last[l.path]; read && l.at > at-10 && l.at < at+50 || reads == 10 {
			continue
		}
		last[l.path] = l.at
		reads++
		if s.cat(&r, l.path, l.at-10, l.at+49); r.has(q) {
			return r, true
		}
	}
	return r, r.has(q)
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
