package mcp

import (
	"slices"
	"testing"
	"testing/fstest"
)

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

// join adds what the same way paid for other questions.
func (a *tally) join(b *tally) {
	a.name = b.name
	a.paid = append(a.paid, b.paid...)
	a.found += b.found
	a.calls += b.calls
}

// A table is what every way of reading paid for some questions.
type table struct {
	docent [4]tally // docentWays
	both   tally    // the first of them, then whole files where it gave up
	grep   [4]tally // without docent
	paired [2]tally // docent and whole files, where both found the section
}

func (a *table) add(b *table) {
	for i := range a.docent {
		a.docent[i].join(&b.docent[i])
	}
	a.both.join(&b.both)
	for i := range a.grep {
		a.grep[i].join(&b.grep[i])
	}
	for i := range a.paired {
		a.paired[i].join(&b.paired[i])
	}
}

// measure has every way of reading answer all questions.
func measure(t testing.TB, fsys fstest.MapFS, quests []quest) *table {
	o := fixed(fsys)
	cs := dial(t, newServer(t, o))
	sh, whole := newShell(fsys), wholeSections(t, o.Library, fsys)
	out := &table{both: tally{name: "docent, then grep and whole files where it gave up"}}
	out.paired[0].name, out.paired[1].name = "where both found it: docent", "where both found it: whole files"
	grep := []struct {
		name string
		read func(*quest) (reader, bool)
	}{
		{"grep, then whole files", sh.wholeFiles},
		{"grep, then 80 lines around matches", sh.windows},
		{"grep for an identifier, then 60 lines", sh.identifier},
		{"the right file at once", sh.rightFile},
	}
	for i := range quests {
		q := &quests[i]
		for k, w := range docentWays {
			r, ok := w.read(t, cs, whole, q)
			out.docent[k].name = w.name
			out.docent[k].add(r, ok)
			if k > 0 {
				continue
			}
			f, inFiles := sh.wholeFiles(q)
			if ok && inFiles {
				out.paired[0].add(r, ok)
				out.paired[1].add(f, ok)
			}
			if !ok {
				t.Logf("%s: not found with docent (without: %v): %s", q.id, inFiles, q.text)
				r.paid, r.calls, ok = r.paid+f.paid, r.calls+f.calls, inFiles
			}
			out.both.add(r, ok)
		}
		for k, w := range grep {
			out.grep[k].name = w.name
			out.grep[k].add(w.read(q))
		}
	}
	return out
}

func (a *table) log(t testing.TB, title string) {
	t.Helper()
	t.Logf("| %s | found | calls | mean | median | 90%% | times docent |", title)
	t.Logf("|---|---|---|---|---|---|---|")
	ours := a.docent[0].mean()
	line := func(w *tally, ours float64) {
		if len(w.paid) > 0 {
			t.Logf("| %s | %d | %.1f | %.0f | %d | %d | %.1f |", w.name, w.found, float64(w.calls)/float64(len(w.paid)), w.mean(), w.at(0.5), w.at(0.9), w.mean()/ours)
		}
	}
	for i := range a.docent {
		line(&a.docent[i], ours)
	}
	line(&a.both, ours)
	for i := range a.grep {
		line(&a.grep[i], ours)
	}
	for i := range a.paired {
		line(&a.paired[i], a.paired[0].mean())
	}
}
