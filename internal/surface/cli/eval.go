package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/eval"
	"github.com/spf13/cobra"
)

const evalHelp = `Run the queries of retrieval test sets and score the answers against the judgements:
nDCG@10, MRR@10, recall, how often the answer was within the first 1,000 and 2,000
tokens, and how often there was none.

A set is a folder with queries.jsonl, qrels.tsv and files.jsonl or corpus.jsonl (each
may be gzipped). --save writes a run to a file; --against compares with such a file,
query by query, with 95 % intervals from a paired bootstrap. --ways also runs lexical
search alone, and hybrid search with the embeddings as they ship and adapted, all without
the reranker, and compares all four.
--synonyms runs each query a second time with words replaced by synonyms that the answer
does not contain.

--foreign asks each set's documents the questions of the other sets too, and those in its
unanswerable.jsonl, and prints the share of each that is flagged as a weak match or a miss.

--triplets runs queries of your own instead, from a file as docent train reads it, on the
documents under --root; with --model it compares the model with the built-in one, on the
triplets that the model was not trained on.`

const evalExample = `  docent eval sets/k8s sets/vue
  docent eval sets/* --save before.json
  docent eval sets/* --against before.json
  docent eval sets/* --ways --synonyms eval/synonyms.txt
  docent eval --foreign sets/*
  docent eval --triplets triplets.jsonl --root docs --model model`

func newEval(c *console) *cobra.Command {
	var asJSON bool
	var save, against string
	var o evalOptions
	var triplets, root string
	var sample int
	var foreign bool
	cmd := &cobra.Command{
		Use:     "eval <set> ...",
		Short:   "score answers against retrieval test sets",
		Long:    evalHelp,
		Example: evalExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && triplets == "" {
				return withHint(errors.New("eval needs a set"), "for example: docent eval sets/k8s")
			}
			return nil
		},
	}
	f := flagsOf(cmd)
	f.BoolVar(&asJSON, "json", false, "an array of records, one per set and kind")
	f.StringVar(&o.mode, "mode", "", "hybrid, lexical or semantic (default: as search does)")
	f.StringVar(&o.fusion, "fusion", "", "weighted or rrf")
	f.StringVar(&o.rerank, "rerank", "", "local or off (default: as search does)")
	f.StringVar(&o.embed, "embed", "", "embeddings of the index: builtin, base, openai or none")
	f.BoolVar(&o.ways, "ways", false, "also run lexical search and the embeddings as they ship, and compare")
	f.BoolVar(&foreign, "foreign", false, "count which questions of the other sets, and without an answer, are flagged")
	f.StringVar(&o.synonyms, "synonyms", "", "file of synonyms, one group per line, to run queries with")
	f.StringVar(&o.model, "model", "", "folder of a model that docent train made")
	f.StringVar(&triplets, "triplets", "", "run the queries of a file of triplets instead of sets")
	f.StringVar(&root, "root", "", "with --triplets: the folder of their documents")
	f.IntVar(&sample, "sample", 100, "with --triplets or --foreign: how many of them, of each set and kind")
	f.StringVar(&save, "save", "", "write the run to this file")
	f.StringVar(&against, "against", "", "compare with the run in this file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if sample < 1 {
			return fmt.Errorf("--sample is %d: must be at least 1", sample)
		}
		if foreign {
			return evalForeign(cmd.Context(), c, args, sample, o, asJSON)
		}
		if triplets != "" {
			return evalTriplets(cmd.Context(), c, triplets, root, sample, o, asJSON)
		}
		var before eval.Run
		if against != "" {
			var err error
			if before, err = loadRun(against); err != nil {
				return err
			}
		}
		run, err := evalSets(cmd.Context(), c, args, o)
		if err != nil {
			return err
		}
		if save != "" {
			if err := saveRun(save, run); err != nil {
				return err
			}
		}
		if asJSON {
			return c.json(run.Records())
		}
		if err := eval.WriteTable(c.out, run); err != nil {
			return err
		}
		if o.ways {
			return evalWays(cmd.Context(), c, args, o, run)
		}
		if against == "" {
			return nil
		}
		fmt.Fprintln(c.out)
		return eval.WriteDeltas(c.out, eval.Compare(before, run))
	}
	return cmd
}

// evalOptions choose what is evaluated.
type evalOptions struct {
	mode, fusion, embed, model, synonyms, rerank string
	ways                                         bool
}

// evalSets runs all sets.
func evalSets(ctx context.Context, c *console, dirs []string, o evalOptions) (eval.Run, error) {
	var syn eval.Synonyms
	if o.synonyms != "" {
		f, err := os.Open(o.synonyms)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if syn, err = eval.ReadSynonyms(f); err != nil {
			return nil, err
		}
	}
	var run eval.Run
	for _, dir := range dirs {
		r, err := evalSet(ctx, c, dir, o, syn)
		if err != nil {
			return nil, err
		}
		run = append(run, r...)
	}
	return run, nil
}

// evalWays runs lexical search, embeddings as they ship and adapted ones too, without the
// reranker, and compares all four.
func evalWays(ctx context.Context, c *console, dirs []string, o evalOptions, run eval.Run) error {
	words, base, adapted := o, o, o
	words.mode, words.embed, words.model, words.rerank = answer.Lexical, "none", "", answer.RerankOff
	base.mode, base.embed, base.model, base.rerank = answer.Hybrid, "base", "", answer.RerankOff
	adapted.rerank = answer.RerankOff
	ways := []eval.Way{{Name: "words"}, {Name: "and meaning, table as it ships"}, {Name: "and meaning, table adapted"}, {Name: "and reranked", Run: run}}
	for i, of := range []evalOptions{words, base, adapted} {
		var err error
		if ways[i].Run, err = evalSets(ctx, c, dirs, of); err != nil {
			return err
		}
	}
	fmt.Fprintln(c.out)
	return eval.WriteBeside(c.out, ways)
}

// openSet indexes the files of a set in a temporary folder, which remove removes.
func openSet(ctx context.Context, set *eval.Set, o evalOptions) (lib *docent.Library, remove func(), err error) {
	tmp, err := os.MkdirTemp("", "docent-eval-*")
	if err != nil {
		return nil, nil, err
	}
	removeAll := func() { _ = os.RemoveAll(tmp) }
	files := filepath.Join(tmp, "files")
	if err = set.WriteFiles(files); err == nil {
		lib, err = docent.OpenDir(ctx, files, filepath.Join(tmp, "index"), docent.Options{Embed: o.embed, Model: o.model})
	}
	if err != nil {
		removeAll()
		return nil, nil, err
	}
	return lib, func() { _ = lib.Close(); removeAll() }, nil
}

// evalForeign asks the documents of all sets the questions of all.
func evalForeign(ctx context.Context, c *console, dirs []string, sample int, o evalOptions, asJSON bool) error {
	if len(dirs) < 2 {
		return withHint(errors.New("--foreign needs two sets or more"), "for example: docent eval --foreign sets/k8s sets/vue")
	}
	sets, libs := make([]*eval.Set, len(dirs)), make([]*docent.Library, len(dirs))
	for i, dir := range dirs {
		var err error
		if sets[i], err = eval.Load(dir); err != nil {
			return err
		}
		var remove func()
		if libs[i], remove, err = openSet(ctx, sets[i], o); err != nil {
			return err
		}
		defer remove()
	}
	results, err := eval.Foreign(sets, sample, func(set int, q string) (eval.Grade, error) {
		a, err := libs[set].Search(ctx, docent.Query{Text: q, Mode: o.mode, Fusion: o.fusion, Rerank: o.rerank, RerankMS: evalPatience})
		if err != nil {
			return eval.Grade{}, err
		}
		return eval.Grade{Flagged: a.IsWeak() || len(a.Hits) == 0, Odds: a.Odds()}, nil
	})
	if err != nil {
		return err
	}
	if asJSON {
		return c.json(results)
	}
	return eval.WriteForeign(c.out, results)
}

// evalSet indexes the files of a set in a temporary folder and runs its queries.
func evalSet(ctx context.Context, c *console, dir string, o evalOptions, syn eval.Synonyms) (eval.Run, error) {
	set, err := eval.Load(dir)
	if err != nil {
		return nil, err
	}
	if set.Strays > 0 {
		c.note("%s: %d judgements of unknown queries or texts are left out", set.Name, set.Strays)
	}
	lib, remove, err := openSet(ctx, set, o)
	if err != nil {
		return nil, err
	}
	defer remove()
	ask := searcher(ctx, lib, o)
	run, err := eval.Score(set, ask)
	if err != nil || syn == nil {
		return run, err
	}
	stressed, err := eval.Score(set.Stress(syn), ask)
	return append(run, stressed...), err
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
	return cmp.Or(run.SaveJSON(f), f.Close())
}
