package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/eval"
	"github.com/spf13/cobra"
)

const evalHelp = `Ask the questions of retrieval test sets and score the answers against what was
judged right: nDCG@10, MRR@10, recall, how often the answer stood in the first 1,000
and 2,000 tokens, and how often there was no answer at all.

A set is a folder with queries.jsonl, qrels.tsv and files.jsonl or corpus.jsonl (each
may be gzipped). --save keeps a run; --against compares with a kept one, query by
query, with 95 % intervals from a paired bootstrap.`

const evalExample = `  docent eval sets/k8s sets/vue
  docent eval sets/* --save before.json
  docent eval sets/* --against before.json`

func newEval(c *console) *cobra.Command {
	var asJSON bool
	var save, against string
	var o evalOptions
	cmd := &cobra.Command{
		Use:     "eval <set> ...",
		Short:   "score answers against retrieval test sets",
		Long:    evalHelp,
		Example: evalExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return withHint(errors.New("eval needs a set"), "for example: docent eval sets/k8s")
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&asJSON, "json", false, "an array of records, one a set and kind")
	f.StringVar(&o.mode, "mode", "", "hybrid, lexical or semantic (default: as search does)")
	f.StringVar(&o.fusion, "fusion", "", "weighted or rrf")
	f.StringVar(&o.embed, "embed", "", "model to make the index with: builtin, openai or none")
	f.StringVar(&o.model, "model", "", "folder of a model that docent train made")
	f.StringVar(&save, "save", "", "keep the run in this file")
	f.StringVar(&against, "against", "", "compare with the run kept in this file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var before eval.Run
		if against != "" {
			var err error
			if before, err = loadRun(against); err != nil {
				return err
			}
		}
		var run eval.Run
		for _, dir := range args {
			r, err := evalSet(cmd.Context(), c, dir, o)
			if err != nil {
				return err
			}
			run = append(run, r...)
		}
		if save != "" {
			if err := saveRun(save, run); err != nil {
				return err
			}
		}
		if asJSON {
			return c.json(run.Records())
		}
		if err := eval.WriteTable(c.out, run); err != nil || against == "" {
			return err
		}
		fmt.Fprintln(c.out)
		return eval.WriteDeltas(c.out, eval.Compare(before, run))
	}
	return cmd
}

// evalOptions say what is evaluated.
type evalOptions struct{ mode, fusion, embed, model string }

// evalSet writes a set's files to a folder of its own, indexes it and asks.
func evalSet(ctx context.Context, c *console, dir string, o evalOptions) (eval.Run, error) {
	set, err := eval.Load(dir)
	if err != nil {
		return nil, err
	}
	if set.Strays > 0 {
		c.note("%s: %d judgements of unknown queries or texts are left out", set.Name, set.Strays)
	}
	tmp, err := os.MkdirTemp("", "docent-eval-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	files := filepath.Join(tmp, "files")
	if err := set.WriteFiles(files); err != nil {
		return nil, err
	}
	lib, err := docent.OpenDir(ctx, files, filepath.Join(tmp, "index"), docent.Options{Embed: o.embed, Model: o.model})
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	return eval.Score(set, func(q string) ([]eval.Hit, error) {
		places, err := lib.Places(ctx, docent.Query{Text: q, Mode: o.mode, Fusion: o.fusion})
		if err != nil {
			return nil, err
		}
		hits := make([]eval.Hit, len(places))
		for i, p := range places {
			hits[i] = eval.Hit{File: p.Path, Start: p.Lines.Start, End: p.Lines.End}
		}
		return hits, nil
	})
}

func loadRun(name string) (eval.Run, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return eval.LoadJSON(f)
}

func saveRun(name string, run eval.Run) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = run.SaveJSON(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
