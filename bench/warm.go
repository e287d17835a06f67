//go:build unix

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// warm measures questions to an engine that is open: what a server does.
func (b *bench) warm(ctx context.Context) error {
	if err := b.reindex(ctx); err != nil {
		return err
	}
	queries := b.corpus.queries(b.queries)
	file, err := b.ftsFile(ctx, b.corpus.chunks)
	if err != nil {
		return err
	}
	db, err := openFTS(ctx, file)
	if err != nil {
		return err
	}
	defer db.Close()
	index, err := newBleve(filepath.Join(b.tmp, "bleve"), b.corpus.chunks, "standard")
	if err != nil {
		return err
	}
	defer index.Close()
	lib, err := docent.Open(ctx, b.corpus.dir, docent.Options{NoRefresh: true})
	if err != nil {
		return err
	}
	defer lib.Close()

	engines := []func(query string) error{
		func(q string) error {
			_, err := lib.Search(ctx, docent.Query{Text: q, Limit: best, Mode: answer.Lexical, Rerank: answer.RerankOff})
			return err
		},
		func(q string) error {
			_, err := lib.Search(ctx, docent.Query{Text: q, Limit: best, Rerank: answer.RerankOff})
			return err
		},
		func(q string) error { _, err := db.search(ctx, q, best); return err },
		func(q string) error { _, err := searchBleve(index, inFields(q), best); return err },
		func(q string) error { _, err := searchBleve(index, inText(q), best); return err },
	}
	cpu := make([][]float64, len(engines)) // of each query, its median over the rounds
	wall := make([][]float64, len(engines))
	for _, q := range queries {
		rivals := make([]rival, len(engines))
		for i, ask := range engines {
			rivals[i] = func(context.Context) (use, error) {
				return batch(10*time.Millisecond, func() error { return ask(q) })
			}
		}
		us, err := contest(ctx, 3, rivals...)
		if err != nil {
			return err
		}
		for i := range engines {
			cpu[i] = append(cpu[i], cpus(us[i]).mid)
			wall[i] = append(wall[i], walls(us[i]).mid)
		}
	}
	b.section("A question to an open library",
		fmt.Sprintf("Per query, %d of them made from the corpus; a query's figure is its median of 3. Library.Search returns the 5 best with their texts, each",
			len(queries)),
		"read from its file and checked; by words, as its peers do, and by words and meaning, as it does by default, but without the reranker, which has a table of its own. FTS5 (modernc) ranks by any of the words and fetches the 5 best",
		"texts from its table; bleve ranks by any of the words and fetches nothing. Both weigh the same three fields as docent; bleve also runs on one.")
	for i, name := range []string{"docent, by words", "docent, by words and meaning", "SQLite FTS5 (modernc)", "bleve, three fields", "bleve, one field"} {
		b.plot("speed", "CPU of a question to an open index, median (logarithmic)", "ms", name, spreadOf(cpu[i]).mid)
	}
	for i, name := range []string{"Search by words", "Search by words and meaning"} {
		ours := func(v [][]float64) spread { return spreadOf(v[i]) }
		for j, peer := range []struct {
			name  string
			least [2]float64 // by words, which is all that peers do, and by meaning too
		}{{"FTS5 (modernc), OR", [2]float64{100, 20}}, {"bleve, three fields", [2]float64{10, 2}}, {"bleve, one field", [2]float64{}}} {
			b.versus(name+", CPU p50", ours(cpu), side{peer.name, spreadOf(cpu[2+j])}, "ms", peer.least[i])
			b.versus(name+", CPU p99", p99(cpu[i]), side{peer.name, p99(cpu[2+j])}, "ms", 0)
			b.versus(name+", wall p50", ours(wall), side{peer.name, spreadOf(wall[2+j])}, "ms", 0)
		}
	}
	return nil
}

// p99 is the slowest of a hundred.
func p99(v []float64) spread {
	return spread{mid: quantile(slices.Sorted(slices.Values(v)), 0.99), n: 1}
}
