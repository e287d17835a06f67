package eval

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// How well a ranker knows what it does not know.
//
// The questions of a set are answered by its own documents and, as a rule, not by those
// of another set. So each corpus is asked its own questions, those of the other sets, and
// the set's questions without an answer, if it has such: they sound as if they belonged
// to it. A ranker should flag the latter two and not the first.

// A Grade is how a ranker judges its own answer.
type Grade struct {
	Flagged bool    // it says that there is no good answer
	Odds    float64 // how sure it is that there is one; any scale
}

// A ForeignResult says how many questions of each kind were flagged over one corpus.
type ForeignResult struct {
	Set          string  `json:"set"`
	Own          Flagged `json:"own"`
	Foreign      Flagged `json:"foreign"`
	Unanswerable Flagged `json:"unanswerable"`
	AUROC        float64 `json:"auroc"` // own against foreign questions
}

// Flagged counts questions.
type Flagged struct {
	N     int     `json:"n"`
	Share float64 `json:"share"` // of them that were flagged

	odds []float64
}

func (f *Flagged) add(g Grade) {
	flagged := f.Share * float64(f.N)
	if g.Flagged {
		flagged++
	}
	f.N++
	f.Share = flagged / float64(f.N)
	f.odds = append(f.odds, g.Odds)
}

// Foreign asks each corpus its own questions and those of the others, up to sample of
// each set and kind; ask gets the number of the set whose documents are asked, and of sets
// with the same documents always the first. The last result sums up all.
func Foreign(sets []*Set, sample int, ask func(set int, q string) (Grade, error)) ([]ForeignResult, error) {
	ask = once(sets, ask)
	all := ForeignResult{Set: "all"}
	var out []ForeignResult
	for i, corpus := range sets {
		r := ForeignResult{Set: corpus.Name}
		count := func(questions []string, of ...*Flagged) error {
			for _, q := range questions {
				g, err := ask(i, q)
				if err != nil {
					return fmt.Errorf("set %s, %q: %w", corpus.Name, q, err)
				}
				for _, f := range of {
					f.add(g)
				}
			}
			return nil
		}
		if err := count(corpus.sample(sample, 1), &r.Own, &all.Own); err != nil {
			return nil, err
		}
		for _, other := range sets {
			if other.hasDocumentsOf(corpus) {
				continue
			}
			if err := count(other.sample(sample, 3), &r.Foreign, &all.Foreign); err != nil {
				return nil, err
			}
		}
		if err := count(corpus.Unanswerable, &r.Unanswerable, &all.Unanswerable); err != nil {
			return nil, err
		}
		r.AUROC = AUROC(r.Own.odds, r.Foreign.odds)
		out = append(out, r)
	}
	all.AUROC = AUROC(all.Own.odds, all.Foreign.odds)
	return append(out, all), nil
}

// once is ask, that asks no documents the same question twice.
func once(sets []*Set, ask func(set int, q string) (Grade, error)) func(set int, q string) (Grade, error) {
	type asked struct {
		set int
		q   string
	}
	first := make([]int, len(sets)) // with the same documents
	for i, s := range sets {
		first[i] = slices.IndexFunc(sets, s.hasDocumentsOf)
	}
	grades := map[asked]Grade{}
	return func(set int, q string) (Grade, error) {
		key := asked{first[set], q}
		if g, ok := grades[key]; ok {
			return g, nil
		}
		g, err := ask(key.set, q)
		grades[key] = g
		return g, err
	}
}

// sample returns up to n questions of each kind, evenly spread, that have an answer.
// Misspelt ones are left out, and link texts of fewer words than least: they say too
// little to tell what they are about.
func (s *Set) sample(n, least int) []string {
	byKind := map[string][]string{}
	for _, q := range s.Queries {
		isLink := strings.HasPrefix(q.Kind, "link")
		if len(q.Judged) == 0 || strings.HasSuffix(q.Kind, "-typo") || isLink && len(strings.Fields(q.Text)) < least {
			continue
		}
		byKind[q.Kind] = append(byKind[q.Kind], q.Text)
	}
	var out []string
	for _, q := range s.Queries {
		of := byKind[q.Kind]
		delete(byKind, q.Kind)
		for i := range min(n, len(of)) {
			out = append(out, of[i*len(of)/min(n, len(of))])
		}
	}
	return out
}

// hasDocumentsOf reports whether two sets have the same documents.
func (s *Set) hasDocumentsOf(other *Set) bool {
	return slices.EqualFunc(s.Files, other.Files, func(a, b File) bool { return a.Path == b.Path && a.Text == b.Text })
}

// AUROC is the probability that a question of the first list has the higher odds of two,
// one drawn from each.
func AUROC(own, foreign []float64) float64 {
	if len(own) == 0 || len(foreign) == 0 {
		return math.NaN()
	}
	foreign = slices.Sorted(slices.Values(foreign))
	sum := 0.
	for _, x := range own {
		below, _ := slices.BinarySearch(foreign, x)
		upTo, _ := slices.BinarySearchFunc(foreign, x, func(a, b float64) int { return cmp.Or(cmp.Compare(a, b), -1) })
		sum += float64(below+upTo) / 2
	}
	return sum / float64(len(own)) / float64(len(foreign))
}

// WriteForeign writes a line for each corpus.
func WriteForeign(w io.Writer, results []ForeignResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-15s %6s %8s %8s %8s %7s %13s %8s\n", "documents", "own", "flagged", "foreign", "flagged", "AUROC", "unanswerable", "flagged")
	share := func(f Flagged) string {
		if f.N == 0 {
			return "-"
		}
		return fmt.Sprintf("%.3f", f.Share)
	}
	for _, r := range results {
		fmt.Fprintf(&b, "%-15s %6d %8s %8d %8s %7.3f %13d %8s\n", r.Set, r.Own.N, share(r.Own), r.Foreign.N, share(r.Foreign), r.AUROC, r.Unanswerable.N, share(r.Unanswerable))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
