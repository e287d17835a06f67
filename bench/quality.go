//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/eval"
)

// quality compares how well docent and its peers rank, on the retrieval test sets.
func (b *bench) quality(ctx context.Context) error {
	var dirs []string
	for _, pattern := range []string{"eval/*/qrels.tsv", "eval-people/*/qrels.tsv"} {
		found, err := filepath.Glob(filepath.Join(b.corpus.shared, pattern))
		if err != nil {
			return err
		}
		dirs = append(dirs, found...)
	}
	if len(dirs) == 0 {
		fmt.Fprintf(b.w, "\nSearch quality was not compared: there are no test sets in the shared folder (see DOCENT_SHARED).\n")
		return nil
	}
	peers, missing := b.rankers(ctx)
	q := &qualities{names: []string{"docent"}}
	for _, p := range peers {
		q.names = append(q.names, p.name)
	}
	for _, d := range dirs {
		fmt.Fprintln(os.Stderr, "bench: quality:", filepath.Base(filepath.Dir(d)))
		if err := b.rankSet(ctx, filepath.Dir(d), peers, q); err != nil {
			return err
		}
	}
	q.print(b, peers, missing)
	return nil
}

// qualities are nDCG@10 by set and kind, for each ranker in turn.
type qualities struct {
	names []string
	rows  []string
	score map[string]map[string]float64 // by row and name
}

func (q *qualities) add(row, name string, value float64) {
	if q.score[row] == nil {
		if q.score == nil {
			q.score = map[string]map[string]float64{}
		}
		q.rows = append(q.rows, row)
		q.score[row] = map[string]float64{}
	}
	q.score[row][name] = value
}

// mean is that of all rows.
func (q *qualities) mean(name string) float64 {
	sum := 0.
	for _, r := range q.rows {
		sum += q.score[r][name]
	}
	return sum / float64(max(1, len(q.rows)))
}

func (b *bench) rankSet(ctx context.Context, dir string, peers []ranker, q *qualities) error {
	set, err := eval.Load(dir)
	if err != nil {
		return err
	}
	folder := filepath.Join(b.tmp, "set")
	defer os.RemoveAll(folder)
	if err := set.WriteFiles(folder); err != nil {
		return err
	}
	chunks, err := cut(ctx, folder)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, b.docent, "eval", "--json", dir)
	cmd.Stderr = os.Stderr
	raw, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("docent eval: %w", err)
	}
	var ours []eval.Record
	if err := json.Unmarshal(raw, &ours); err != nil {
		return fmt.Errorf("docent eval: %w", err)
	}
	for _, r := range ours {
		q.add(r.Set+" "+r.Kind, "docent", r.NDCG10)
	}
	var questions []string
	for _, question := range set.Queries {
		questions = append(questions, question.Text)
	}
	for _, p := range peers {
		ranked, _, err := p.rank(ctx, chunks, questions)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		run, err := eval.Score(set, func(text string) ([]eval.Hit, error) {
			var hits []eval.Hit
			for _, n := range ranked[slices.Index(questions, text)] {
				rel, err := filepath.Rel(folder, filepath.FromSlash(chunks[n].Source.File))
				if err != nil {
					return nil, err
				}
				hits = append(hits, eval.Hit{File: filepath.ToSlash(rel), Start: chunks[n].Source.Lines[0], End: chunks[n].Source.Lines[1]})
			}
			return hits, nil
		})
		if err != nil {
			return err
		}
		for _, r := range run.Records() {
			q.add(r.Set+" "+r.Kind, p.name, r.NDCG10)
		}
	}
	return nil
}

func (q *qualities) print(b *bench, peers []ranker, missing []string) {
	var settings []string
	for _, p := range peers {
		settings = append(settings, p.name+": "+p.settings)
	}
	fmt.Fprintf(b.w, "\n## Search quality\n\n%s\n\n", wrap("nDCG@10 on the retrieval test sets (eval/scoreboard.txt has more figures). All rank the same sections, those that docent cuts. "+
		strings.Join(settings, ". ")+". docent: as it comes. Not compared: "+strings.Join(missing, "; ")+"."))
	fmt.Fprintf(b.w, "| questions | %s |\n|---|%s\n", strings.Join(q.names, " | "), strings.Repeat("---|", len(q.names)))
	line := func(name string, of func(string) float64) {
		best := 0.
		for _, n := range q.names {
			best = max(best, of(n))
		}
		cells := []string{name}
		for _, n := range q.names {
			cell := fmt.Sprintf("%.3f", of(n))
			if of(n) == best {
				cell = "**" + cell + "**"
			}
			cells = append(cells, cell)
		}
		b.row(cells...)
	}
	for _, r := range q.rows {
		line(strings.TrimSuffix(r, " -"), func(n string) float64 { return q.score[r][n] })
	}
	line("mean of the rows", q.mean)
	for _, n := range q.names {
		b.plot("quality", "nDCG@10, mean of the test sets", "", n, q.mean(n))
	}
}
