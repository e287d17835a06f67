package eval

// Two runs are compared by a paired bootstrap over questions. Of the n questions
// that both runs answered, n are drawn with replacement, 10,000 times; each draw
// gives the mean of the differences between the runs, question by question. The
// interval holds the middle 95 % of those means. Pairing takes out what the runs
// share, that some questions are hard, and so sees differences that two separate
// intervals would hide.
//
// The draws start from a fixed seed for every set and kind: the same two runs give
// the same interval, whatever else they hold.

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

const (
	resamples = 10_000
	tail      = resamples * 25 / 1000 // beyond each end of the interval
)

// A Delta is the difference that one run makes over another in one metric.
type Delta struct {
	Set    string  `json:"set"`
	Kind   string  `json:"kind"`
	Metric string  `json:"metric"`
	N      int     `json:"n"` // questions in both runs
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Diff   float64 `json:"diff"` // After - Before
	Low    float64 `json:"low"`  // the 95 % interval of Diff
	High   float64 `json:"high"`
}

// Sure reports whether the interval leaves out zero.
func (d Delta) Sure() bool { return d.Low > 0 || d.High < 0 }

// Compare tells how after differs from before, for every set, kind and metric in
// the order of their names. Only questions that are in both runs count.
func Compare(before, after Run) []Delta {
	type key struct{ set, kind, id string }
	old := map[key]Values{}
	for _, r := range before {
		for _, q := range r.Queries {
			old[key{r.Set, r.Kind, q.ID}] = q.Values
		}
	}
	after = slices.Clone(after)
	after.sort()
	var out []Delta
	for _, r := range after {
		var a, b []Values
		for _, q := range r.Queries {
			if v, ok := old[key{r.Set, r.Kind, q.ID}]; ok {
				a, b = append(a, v), append(b, q.Values)
			}
		}
		if len(a) > 0 {
			out = append(out, bootstrap(r, a, b)...)
		}
	}
	return out
}

// bootstrap compares the figures of the same questions, a and b.
func bootstrap(r Result, a, b []Values) []Delta {
	n := len(a)
	diffs := make([]Values, n)
	var sumA, sumB, sumD Values
	for i := range a {
		for m := range numMetrics {
			diffs[i][m] = b[i][m] - a[i][m]
			sumA[m] += a[i][m]
			sumB[m] += b[i][m]
			sumD[m] += diffs[i][m]
		}
	}
	var means [numMetrics][]float64
	for m := range means {
		means[m] = make([]float64, resamples)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for draw := range resamples {
		var sum Values
		for range n {
			d := &diffs[rng.IntN(n)]
			for m := range sum {
				sum[m] += d[m]
			}
		}
		for m := range sum {
			means[m][draw] = sum[m] / float64(n)
		}
	}
	var out []Delta
	for m, name := range Metrics {
		if math.IsNaN(sumD[m]) {
			continue // a stored run without this metric
		}
		slices.Sort(means[m])
		out = append(out, Delta{
			r.Set, r.Kind, name, n,
			sumA[m] / float64(n), sumB[m] / float64(n), sumD[m] / float64(n),
			means[m][tail], means[m][resamples-1-tail],
		})
	}
	return out
}

// WriteDeltas writes one line for each difference. A star marks those whose
// interval leaves out zero.
func WriteDeltas(w io.Writer, deltas []Delta) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-15s %-17s %-12s %5s %8s %8s %8s  %s\n",
		"set", "kind", "metric", "n", "before", "after", "diff", "95 % interval")
	for _, d := range deltas {
		star := ""
		if d.Sure() {
			star = " *"
		}
		fmt.Fprintf(&b, "%-15s %-17s %-12s %5d %8.4f %8.4f %+8.4f  [%+.4f, %+.4f]%s\n",
			d.Set, orDash(d.Kind), d.Metric, d.N, d.Before, d.After, d.Diff, d.Low, d.High, star)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A Way is a run and what it is called.
type Way struct {
	Name string
	Run  Run
}

// WriteBeside writes nDCG@10 of several runs side by side: of the first as it
// is, of the others with the difference to it and its interval. A star marks
// intervals that leave out zero.
func WriteBeside(w io.Writer, ways []Way) error {
	if len(ways) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "%-15s %-17s %4s %8s", "ndcg@10", "kind", "n", ways[0].Name); err != nil {
		return err
	}
	others := make([][]Delta, len(ways)-1)
	for i, way := range ways[1:] {
		fmt.Fprintf(w, "  %-36s", way.Name)
		for _, d := range Compare(ways[0].Run, way.Run) {
			if d.Metric == "ndcg@10" {
				others[i] = append(others[i], d)
			}
		}
	}
	fmt.Fprintln(w)
	for k := range others[0] {
		first := others[0][k]
		fmt.Fprintf(w, "%-15s %-17s %4d %8.4f", first.Set, orDash(first.Kind), first.N, first.Before)
		for _, deltas := range others {
			if k >= len(deltas) {
				continue
			}
			d := deltas[k]
			star := " "
			if d.Sure() {
				star = "*"
			}
			fmt.Fprintf(w, "  %.4f %+.4f [%+.4f, %+.4f] %s", d.After, d.Diff, d.Low, d.High, star)
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}
