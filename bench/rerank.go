//go:build unix

package main

import (
	"context"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// rerank measures what the model in the program costs: the same questions with and
// without it, to an open library and as a command.
func (b *bench) rerank(ctx context.Context) error {
	if err := b.reindex(ctx); err != nil {
		return err
	}
	lib, err := docent.Open(ctx, b.corpus.dir, docent.Options{NoRefresh: true})
	if err != nil {
		return err
	}
	defer lib.Close()
	var with, without, command, plain []rival
	for _, title := range b.corpus.titles(10) {
		q := fmt.Sprintf("what should I do when %s does not work as it should", title)
		ask := func(by string) rival {
			return func(context.Context) (use, error) {
				return batch(0, func() error {
					_, err := lib.Search(ctx, docent.Query{Text: q, Limit: best, Rerank: by, RerankMS: 60_000})
					return err
				})
			}
		}
		with, without = append(with, ask(answer.RerankLocal)), append(without, ask(answer.RerankOff))
		args := []string{"search", q, "-n", "5", "--no-refresh", "--root", b.corpus.dir}
		command = append(command, b.ask(append(args, "--rerank", "local", "--rerank-ms", "60000")...))
		plain = append(plain, b.ask(append(args, "--rerank", "off")...))
	}
	open, err := contest(ctx, 2*b.rounds, each(with), each(without))
	if err != nil {
		return err
	}
	whole, err := contest(ctx, b.rounds, each(command), each(plain))
	if err != nil {
		return err
	}
	b.section("The reranker",
		"Questions in a sentence, whose 20 best candidates the model in the program reads, against the same questions without it. Names and titles",
		"go without it. The extra memory is the difference of the peaks of two commands.")
	b.limit("20 candidates read, wall", minus(walls(open[0]), walls(open[1])), "ms", 150)
	b.limit("20 candidates read, CPU", minus(cpus(open[0]), cpus(open[1])), "ms", 0)
	b.versus("question with the model, wall", walls(open[0]), side{"without it", walls(open[1])}, "ms", 0)
	b.versus("`docent search` with the model, wall", walls(whole[0]), side{"without it", walls(whole[1])}, "ms", 0)
	b.limit("`docent search` with the model, extra memory", minus(peaks(whole[0]), peaks(whole[1])), "MB", 60)
	return nil
}

// minus is how much more one takes than another, by their medians.
func minus(a, b spread) spread { return spread{mid: a.mid - b.mid, n: 1} }
