package docent_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/needs"
)

// The same question has the same answer whatever keeps the chunks: the same ten
// best places for 97 of 100 questions of a real set at least, and the same score
// to three thousandths.
func TestDatabaseAnswersLikeTheIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole test set: not in short runs")
	}
	set, err := eval.Load(needs.Shared(t, "eval", "k8s"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	dir := t.TempDir()
	files := filepath.Join(dir, "files")
	if err := set.WriteFiles(files); err != nil {
		t.Fatal(err)
	}
	local, err := docent.OpenDir(ctx, files, filepath.Join(dir, "index"), docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	file := filepath.Join(dir, "k8s.db")
	report, err := local.Export(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(report.Text())
	db, err := docent.OpenDB(ctx, file, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	compareAnswers(t, set, local, db, 97)
}

// compareAnswers compares the answers of two libraries to the questions of a set.
func compareAnswers(t *testing.T, set *eval.Set, local, other *docent.Library, least int) {
	t.Helper()
	queries := set.Queries[:min(len(set.Queries), parityQueries())]
	for _, mode := range []string{answer.Lexical, answer.Hybrid} {
		same := 0
		for _, q := range queries {
			want := refsOf(t, local, q.Text, mode)
			got := refsOf(t, other, q.Text, mode)
			if slices.Equal(want, got) {
				same++
			} else if testing.Verbose() {
				t.Logf("%s %q:\n want %q\n got  %q", mode, q.Text, want, got)
			}
		}
		t.Logf("%s: the same ten best for %d of %d questions", mode, same, len(queries))
		if 100*same < least*len(queries) {
			t.Errorf("%s: only %d of %d", mode, same, len(queries))
		}
	}
	if os.Getenv("DOCENT_PARITY") == "" {
		return
	}
	for _, mode := range []string{answer.Lexical, answer.Hybrid} {
		a, b := ndcg(t, set, local, mode), ndcg(t, set, other, mode)
		t.Logf("%s: nDCG@10 %.4f with the index, %.4f with the other", mode, a, b)
		if math.Abs(a-b) > .003 {
			t.Errorf("%s: nDCG@10 %.4f and %.4f", mode, a, b)
		}
	}
}

// parityQueries is how many questions are asked: all 500 when asked for.
func parityQueries() int {
	if os.Getenv("DOCENT_PARITY") != "" {
		return 500
	}
	return 60
}

// refsOf asks the model in the program only where all is asked: what it reads is compared without it.
func refsOf(t *testing.T, l *docent.Library, text, mode string) []string {
	t.Helper()
	q := answer.Query{Text: text, Limit: 10, Mode: mode, RerankMS: 60_000}
	if os.Getenv("DOCENT_PARITY") == "" {
		q.Rerank = answer.RerankOff
	}
	a, err := l.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range a.Hits {
		out = append(out, h.Citation)
	}
	return out
}

func ndcg(t *testing.T, set *eval.Set, l *docent.Library, mode string) float64 {
	t.Helper()
	run, err := eval.Score(set, func(q string) ([]eval.Hit, error) {
		a, err := l.Search(context.Background(), answer.Query{Text: q, Mode: mode, Limit: 10, RerankMS: 60_000})
		if err != nil {
			return nil, err
		}
		hits := make([]eval.Hit, len(a.Hits))
		for i, h := range a.Hits {
			hits[i] = eval.Hit{File: h.File, Start: h.Lines[0], End: h.Lines[1]}
		}
		return hits, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sum, n := 0.0, 0
	for _, r := range run.Records() {
		sum, n = sum+r.NDCG10*float64(r.N), n+r.N
	}
	return sum / float64(max(n, 1))
}
