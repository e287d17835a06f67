package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/model/training"
	"github.com/docent-md/docent/internal/wholefile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const trainHelp = `Fine-tune the built-in embeddings on triplets: a query, a text that answers it, and texts
that do not. One JSON object per line:

  {"query": "...", "positive": "...", "negatives": ["...", ...]}

The result is a folder of a few megabytes at most, for "docent index --model". The same
triplets and seed give the same bytes. It needs no network and no accelerator.

  --mine      writes triplets from the documents themselves, without any model
  --generate  has Claude write the queries (needs ANTHROPIC_API_KEY); the price is shown
              first, and an interrupted run can be resumed
  --base      trains the embeddings that ship with docent, from a folder of Markdown

Every index adapts the embeddings to its documents by itself. Training is worth it when
there are real questions to learn from.`

const trainExample = `  docent train --mine docs --output triplets.jsonl
  docent train --generate docs --output triplets.jsonl --per-chunk 2
  docent train --triplets triplets.jsonl --output model
  docent index --model model
  docent eval sets/* --model model`

// trainFlags are the flags of "docent train".
type trainFlags struct {
	triplets, output, mine, generate, base string
	epochs, perChunk, limit                int
	seed                                   uint64
	strict, yes, asJSON                    bool
}

// newTrain returns "docent train".
func newTrain(c *console) *cobra.Command {
	var t trainFlags
	cmd := &cobra.Command{Use: "train", Short: "fine-tune the built-in embeddings on questions and answers", Long: trainHelp, Example: trainExample, Args: noArgs}
	f := flagsOf(cmd)
	f.StringVar(&t.triplets, "triplets", "", "file of triplets to learn from, - for standard input")
	f.StringVarP(&t.output, "output", "o", "", "folder of the model, or file of triplets or embeddings, to write")
	f.StringVar(&t.mine, "mine", "", "write triplets from this folder, index or pack instead of training")
	f.StringVar(&t.generate, "generate", "", "have Claude write triplets from this folder, index or pack instead")
	f.StringVar(&t.base, "base", "", "train the embeddings that ship from this folder instead")
	f.IntVar(&t.epochs, "epochs", 0, "with --triplets: number of epochs (default 3)")
	f.Uint64Var(&t.seed, "seed", 0, "with --triplets: random seed")
	f.BoolVar(&t.strict, "strict", false, "with --triplets: fail on a malformed line instead of skipping it")
	f.IntVar(&t.perChunk, "per-chunk", 0, "with --generate: queries per chunk (default 1)")
	f.IntVar(&t.limit, "limit", 0, "with --generate: largest number of chunks, evenly spread")
	f.BoolVar(&t.yes, "yes", false, "with --generate: do not ask before spending money")
	f.BoolVar(&t.asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		modes := 0
		for _, m := range []string{t.triplets, t.mine, t.generate, t.base} {
			if m != "" {
				modes++
			}
		}
		switch {
		case modes != 1:
			return withHint(errors.New("train needs one of --triplets, --mine, --generate and --base"), "for example: docent train --triplets triplets.jsonl --output model")
		case t.output == "":
			return withHint(errors.New("train needs --output"), "for example: docent train --triplets triplets.jsonl --output model")
		case stray(f, t.generate == "", "per-chunk", "limit", "yes") != "":
			return fmt.Errorf("train: --%s goes with --generate", stray(f, true, "per-chunk", "limit", "yes"))
		case stray(f, t.triplets == "", "epochs", "seed", "strict") != "":
			return fmt.Errorf("train: --%s goes with --triplets", stray(f, true, "epochs", "seed", "strict"))
		case t.epochs < 0 || t.perChunk < 0 || t.limit < 0:
			return errors.New("train: --epochs, --per-chunk and --limit must not be negative")
		case t.mine != "":
			return t.runMine(cmd.Context(), c)
		case t.generate != "":
			return t.runGenerate(cmd.Context(), c)
		case t.base != "":
			return t.runBase(cmd.Context(), c)
		}
		return t.run(cmd.Context(), c)
	}
	return cmd
}

// stray returns the first of some flags that was given, if none of them applies.
func stray(f *pflag.FlagSet, none bool, names ...string) string {
	for _, name := range names {
		if none && f.Changed(name) {
			return name
		}
	}
	return ""
}

// trainBar shows the loss on a terminal.
func trainBar(c *console) func(training.TrainProgress) {
	b := c.progress("training")
	return func(p training.TrainProgress) {
		b.show(p.Step == p.Steps, "%s: epoch %d of %d, %d%%, loss %.3f",
			b.what, p.Epoch, p.Epochs, 100*p.Step/max(p.Steps, 1), p.Loss)
	}
}

func (t *trainFlags) run(ctx context.Context, c *console) error {
	in := c.in
	if t.triplets != "-" {
		f, err := os.Open(t.triplets)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	o := training.TrainOptions{Epochs: t.epochs, Seed: t.seed, Strict: t.strict, Progress: trainBar(c)}
	r, err := training.Train(ctx, in, t.output, o)
	c.clearBar()
	if err != nil {
		return err
	}
	for i, s := range r.Skipped {
		if i == 10 {
			c.note("and %d lines more", len(r.Skipped)-i)
			break
		}
		c.note("skipped %s", clean(s))
	}
	return c.report(t.asJSON, r,
		"trained on %d triplets, %d held out, in %.1f s, loss %.3f: %d rows changed, in %s\ndocent index --model %s uses it; docent eval --triplets scores it on what was held out\n",
		r.Triplets, r.HeldOut, r.Seconds, r.Loss, r.Rows, r.Output, r.Output)
}

func (t *trainFlags) runBase(ctx context.Context, c *console) error {
	print, err := training.TrainBase(ctx, t.base, t.output, trainBar(c))
	c.clearBar()
	if err != nil {
		return err
	}
	made := map[string]string{"output": t.output, "fingerprint": print}
	return c.report(t.asJSON, made, "wrote %s: %s\n", t.output, print)
}

func (t *trainFlags) runMine(ctx context.Context, c *console) error {
	lib := libraryFlags{root: t.mine, words: true}
	n := 0
	err := lib.with(ctx, c, func(l *docent.Library) error {
		return wholefile.Write(t.output, 0o644, func(w io.Writer) error {
			var err error
			n, err = l.Mine(ctx, w, 3)
			return err
		})
	})
	if err != nil {
		return err
	}
	made := map[string]any{"output": t.output, "triplets": n}
	return c.report(t.asJSON, made, "wrote %d triplets to %s\n", n, t.output)
}

func (t *trainFlags) runGenerate(ctx context.Context, c *console) error {
	a, err := needAssistant(c, "train")
	if err != nil {
		return err
	}
	defer a.Close()
	lib := libraryFlags{root: t.generate, assistant: a, words: true}
	var r *answer.GenerateReport
	refused := false
	err = lib.with(ctx, c, func(l *docent.Library) error {
		var err error
		r, err = l.GenerateTriplets(ctx, t.output, answer.GenerateOptions{
			PerChunk: t.perChunk, Limit: t.limit, Note: c.note,
			Agree: func(p answer.GeneratePlan) bool {
				how := ""
				if p.Batch {
					how = ", as a batch at half the price, within a day"
				}
				refused = !agree(c, fmt.Sprintf("questions for %s with %s, %d tokens%s", count(p.Chunks-p.Done, "chunk"), clean(p.Model), p.Tokens, how), p.USD, p.Priced, t.yes)
				return !refused
			},
			Progress: tally(c, "questions: %d of %d chunks"),
		})
		return err
	})
	c.clearBar()
	if err != nil {
		return err
	}
	if refused {
		return withHint(errors.New("nothing was generated"), "--yes goes ahead without asking")
	}
	if r.Error != "" {
		c.note("%d chunks failed, the first: %s", r.Failed, clean(r.Error))
	}
	return c.report(t.asJSON, r, "wrote %d triplets to %s; %d of %d chunks were done before\n",
		r.Written, t.output, r.Done, r.Chunks)
}
