package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A Run is what one ranker scored, on one set or on several (append them).
type Run []Result

// A Result holds the scores of the questions of one set and kind.
type Result struct {
	Set     string       `json:"set"`
	Kind    string       `json:"kind"`
	Queries []QueryScore `json:"queries"` // in the order of the set
}

// A QueryScore holds the figures of one answer.
type QueryScore struct {
	ID     string `json:"id"`
	Values Values `json:"values"`
}

// Mean returns the mean of every metric.
func (r Result) Mean() Values {
	var mean Values
	for _, q := range r.Queries {
		for m, x := range q.Values {
			mean[m] += x
		}
	}
	for m := range mean {
		mean[m] /= float64(max(1, len(r.Queries)))
	}
	return mean
}

// sort puts the results in the order of their sets' and kinds' names.
func (r Run) sort() {
	slices.SortStableFunc(r, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Kind, b.Kind))
	})
}

// A Record is one result as "eval --json" prints it. Figures are rounded to six
// places.
type Record struct {
	Set         string  `json:"set"`
	Kind        string  `json:"kind"`
	N           int     `json:"n"`
	NDCG10      float64 `json:"ndcg@10"`
	MRR10       float64 `json:"mrr@10"`
	Recall5     float64 `json:"recall@5"`
	Recall10    float64 `json:"recall@10"`
	Recall20    float64 `json:"recall@20"`
	Recall100   float64 `json:"recall@100"`
	Success1000 float64 `json:"success@1000"`
	Success2000 float64 `json:"success@2000"`
	Empty       float64 `json:"empty"`
}

// Records returns the results as records, in the order of sets and kinds.
func (r Run) Records() []Record {
	r = slices.Clone(r)
	r.sort()
	out := make([]Record, len(r))
	for i, res := range r {
		v := res.Mean()
		for m := range v {
			v[m] = math.Round(v[m]*1e6) / 1e6
		}
		out[i] = Record{
			res.Set, res.Kind, len(res.Queries),
			v[NDCG10], v[MRR10], v[Recall5], v[Recall10], v[Recall20], v[Recall100],
			v[Success1000], v[Success2000], v[Empty],
		}
	}
	return out
}

// WriteTable writes the scoreboard: one line for each set and kind, in the order
// of their names. The columns have fixed widths, so that a new set never moves the
// lines of the others.
func WriteTable(w io.Writer, r Run) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-15s %-17s %5s", "set", "kind", "n")
	for _, name := range Metrics {
		fmt.Fprintf(&b, " %*s", width(name), name)
	}
	b.WriteByte('\n')
	r = slices.Clone(r)
	r.sort()
	for _, res := range r {
		fmt.Fprintf(&b, "%-15s %-17s %5d", res.Set, orDash(res.Kind), len(res.Queries))
		for m, x := range res.Mean() {
			fmt.Fprintf(&b, " %*.4f", width(Metrics[m]), x)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// width is that of a metric's column, which holds "0.1234".
func width(name string) int { return max(len(name), 6) }

func orDash(kind string) string { return cmp.Or(kind, "-") }

// SaveJSON writes the run, question by question, for LoadJSON. Figures go by the names
// of their metrics, so that a metric can be added and old runs still be read.
func (r Run) SaveJSON(w io.Writer) error {
	return json.NewEncoder(w).Encode(struct {
		Metrics []string `json:"metrics"`
		Results Run      `json:"results"`
	}{Metrics[:], r})
}

// LoadJSON reads what SaveJSON wrote. A metric the stored run lacks is NaN, and
// Compare leaves it out; one it has beyond ours is ignored.
func LoadJSON(r io.Reader) (Run, error) {
	var in struct {
		Metrics []string
		Results []struct {
			Set, Kind string
			Queries   []struct {
				ID     string
				Values []float64
			}
		}
	}
	if err := json.NewDecoder(r).Decode(&in); err != nil {
		return nil, fmt.Errorf("load run: %w", err)
	}
	if len(in.Metrics) == 0 {
		return nil, errors.New(`load run: no "metrics": not a stored run`)
	}
	run := make(Run, len(in.Results))
	for i, res := range in.Results {
		qs := make([]QueryScore, len(res.Queries))
		for k, q := range res.Queries {
			if len(q.Values) != len(in.Metrics) {
				return nil, fmt.Errorf("load run: set %s, query %s: %d values for %d metrics",
					res.Set, q.ID, len(q.Values), len(in.Metrics))
			}
			qs[k].ID = q.ID
			for m, name := range Metrics {
				qs[k].Values[m] = math.NaN()
				if at := slices.Index(in.Metrics, name); at >= 0 {
					qs[k].Values[m] = q.Values[at]
				}
			}
		}
		run[i] = Result{res.Set, res.Kind, qs}
	}
	return run, nil
}
