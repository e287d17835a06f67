package eval

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func uniform(x float64) (v Values) {
	for m := range v {
		v[m] = x
	}
	return v
}

func result(set, kind string, values ...float64) Result {
	r := Result{Set: set, Kind: kind}
	for i, x := range values {
		r.Queries = append(r.Queries, QueryScore{string(rune('a' + i)), uniform(x)})
	}
	return r
}

func TestRecordsAsJSON(t *testing.T) {
	run := Run{result("vue", "link", 1, 0, 0), result("k8s", "", 0.5)}
	got, err := json.Marshal(run.Records())
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"set":"k8s","kind":"","n":1,"ndcg@10":0.5,"mrr@10":0.5,"recall@5":0.5,"recall@10":0.5,` +
		`"recall@20":0.5,"recall@100":0.5,"success@1000":0.5,"success@2000":0.5,"empty":0.5},` +
		`{"set":"vue","kind":"link","n":3,"ndcg@10":0.333333,"mrr@10":0.333333,"recall@5":0.333333,"recall@10":0.333333,` +
		`"recall@20":0.333333,"recall@100":0.333333,"success@1000":0.333333,"success@2000":0.333333,"empty":0.333333}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if run[0].Set != "vue" {
		t.Error("the run itself was put in order")
	}
	if got, _ := json.Marshal(Run(nil).Records()); string(got) != "[]" {
		t.Errorf("no results give %s", got)
	}
}

func TestWriteTable(t *testing.T) {
	run := Run{
		result("vue", "link-typo", 0.25),
		result("vue", "link", 1, 1, 0),
		result("cranfield", "", 0, 0),
		result("a-set-with-a-long-name", "link", 1),
	}
	for m := range numMetrics {
		run[0].Queries[0].Values[m] += float64(m) / 100
	}
	var b strings.Builder
	if err := WriteTable(&b, run); err != nil {
		t.Fatal(err)
	}
	want := `
set             kind                  n ndcg@10 mrr@10 recall@5 recall@10 recall@20 recall@100 success@1000 success@2000  empty
a-set-with-a-long-name link                  1  1.0000 1.0000   1.0000    1.0000    1.0000     1.0000       1.0000       1.0000 1.0000
cranfield       -                     2  0.0000 0.0000   0.0000    0.0000    0.0000     0.0000       0.0000       0.0000 0.0000
vue             link                  3  0.6667 0.6667   0.6667    0.6667    0.6667     0.6667       0.6667       0.6667 0.6667
vue             link-typo             1  0.2500 0.2600   0.2700    0.2800    0.2900     0.3000       0.3100       0.3200 0.3300
`[1:]
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestWriteDeltas(t *testing.T) {
	var b strings.Builder
	err := WriteDeltas(&b, []Delta{
		{"k8s", "link", "ndcg@10", 700, .72, .7312, .0112, .0021, .0199},
		{"cacm", "", "success@2000", 52, .9, .88, -.02, -.06, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `
set             kind              metric           n   before    after     diff  95 % interval
k8s             link              ndcg@10        700   0.7200   0.7312  +0.0112  [+0.0021, +0.0199] *
cacm            -                 success@2000    52   0.9000   0.8800  -0.0200  [-0.0600, +0.0000]
`[1:]
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestStoredRunComesBack(t *testing.T) {
	run := Run{noisy("k8s", 50, 1, 0), result("cacm", "", 0, 1./3)}
	var b bytes.Buffer
	if err := run.SaveJSON(&b); err != nil {
		t.Fatal(err)
	}
	got, err := LoadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(run, got); d != "" {
		t.Error(d)
	}
}

// A run stored before a metric was invented can still be compared in the others.
func TestStoredRunOfOtherMetrics(t *testing.T) {
	const stored = `{"metrics":["bpref","mrr@10"],"results":[{"set":"vue","kind":"link","queries":[{"id":"a","values":[0.9,0.5]}]}]}`
	old, err := LoadJSON(strings.NewReader(stored))
	if err != nil {
		t.Fatal(err)
	}
	got := Compare(old, Run{result("vue", "link", 1)})
	want := []Delta{{"vue", "link", "mrr@10", 1, .5, 1, .5, .5, .5}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestLoadJSONSaysWhatIsWrong(t *testing.T) {
	for in, want := range map[string]string{
		"":   "load run: EOF",
		"[]": "load run: json: cannot unmarshal",
		"{}": "not a stored run",
		`{"metrics":["mrr@10"],"results":[{"set":"vue","queries":[{"id":"a","values":[]}]}]}`: "set vue, query a: 0 values for 1 metrics",
	} {
		if _, err := LoadJSON(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

// noisy makes n scores between 0 and 1, and adds gain to each.
func noisy(set string, n int, seed uint64, gain float64) Result {
	rng := rand.New(rand.NewPCG(seed, 0))
	r := Result{Set: set, Kind: "link"}
	for i := range n {
		r.Queries = append(r.Queries, QueryScore{string(rune(i + 'A')), uniform(rng.Float64() + gain)})
	}
	return r
}

func TestCompareIdenticalRuns(t *testing.T) {
	run := Run{noisy("k8s", 200, 1, 0)}
	deltas := Compare(run, run)
	if len(deltas) != numMetrics {
		t.Fatalf("%d deltas", len(deltas))
	}
	for m, d := range deltas {
		if d.Metric != Metrics[m] || d.N != 200 || d.Diff != 0 || d.Low != 0 || d.High != 0 || d.Sure() || d.Before != d.After {
			t.Errorf("%+v", d)
		}
	}
}

// A gain that every question shares is sure, however much the questions differ.
func TestCompareIsPaired(t *testing.T) {
	a, b := Run{noisy("k8s", 200, 1, 0)}, Run{noisy("k8s", 200, 1, 0.125)}
	for _, d := range Compare(a, b) {
		for _, x := range []float64{d.Diff, d.Low, d.High} {
			if math.Abs(x-0.125) > 1e-9 {
				t.Errorf("%+v", d)
			}
		}
	}
	for i, d := range Compare(b, a) {
		if !d.Sure() || d.Diff >= 0 {
			t.Errorf("%s is not worse the other way round: %+v", Metrics[i], d)
		}
	}
}

// Against the textbook: the mean of n differences of standard deviation s has the
// interval mean +- 1.96 s/sqrt(n), which the bootstrap approaches.
func TestCompareEqualsTheNormalInterval(t *testing.T) {
	const n = 400
	a, b := noisy("k8s", n, 1, 0), noisy("k8s", n, 2, 0.02)
	mean, square := 0.0, 0.0
	for i := range n {
		d := b.Queries[i].Values[0] - a.Queries[i].Values[0]
		mean += d / n
		square += d * d / n
	}
	half := 1.96 * math.Sqrt((square-mean*mean)/n)
	got := Compare(Run{a}, Run{b})[0]
	want := Delta{Low: mean - half, High: mean + half, Diff: mean}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, half/20), cmpopts.IgnoreFields(Delta{}, "Set", "Kind", "Metric", "N", "Before", "After")); d != "" {
		t.Error(d)
	}
}

func TestCompareIsDeterministic(t *testing.T) {
	a, b := noisy("k8s", 60, 1, 0), noisy("k8s", 60, 2, 0)
	alone := Compare(Run{a}, Run{b})
	again := Compare(Run{noisy("aaa", 9, 3, 0), a}, Run{b, noisy("aaa", 9, 4, 0)})
	if d := cmp.Diff(alone, again[numMetrics:]); d != "" {
		t.Error("another set in the runs moves the interval:", d)
	}
}

func TestCompareOnlyWhatBothAnswered(t *testing.T) {
	before := Run{result("vue", "link", 0, 0), result("vue", "faq", 1), result("rust", "link", 1)}
	after := Run{result("vue", "link", 1, 1, 1), result("vue", "typo", 1), result("rust", "link")}
	got := Compare(before, after)
	if len(got) != numMetrics {
		t.Fatalf("%d deltas: %+v", len(got), got)
	}
	if d := cmp.Diff(Delta{"vue", "link", "ndcg@10", 2, 0, 1, 1, 1, 1}, got[0]); d != "" {
		t.Error(d)
	}
}
