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
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/model/training"
)

// evalTriplets runs some queries of a file of triplets on their documents, with the
// built-in model and with a trained one, and compares.
func evalTriplets(ctx context.Context, c *console, file, root string, sample int, o evalOptions, asJSON bool) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	triplets, bad, err := embed.ReadTriplets(f, false)
	if err != nil {
		return err
	}
	if len(bad) > 0 {
		c.note("%d lines are not triplets and were skipped, the first: %v", len(bad), bad[0])
	}
	leftOut := 0
	if o.model != "" {
		unseen, err := training.Unseen(o.model, triplets)
		if err != nil {
			return err
		}
		if len(unseen) == 0 {
			return withHint(fmt.Errorf("%s was trained on all %d triplets: a score on those says nothing", o.model, len(triplets)), "train on 20 triplets or more, of which one in five is held out, or give others to --triplets")
		}
		leftOut = len(triplets) - len(unseen)
		c.note("%d of %d triplets are left out: %s was trained on them", leftOut, len(triplets), clean(o.model))
		triplets = unseen
	}
	tmp, err := os.MkdirTemp("", "docent-eval-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	root = cmp.Or(root, ".")
	open := func(name string, o docent.Options) (*docent.Library, error) {
		return docent.OpenDir(ctx, root, filepath.Join(tmp, name), o)
	}
	before, err := open("before", docent.Options{Embed: "builtin"})
	if err != nil {
		return err
	}
	defer before.Close()
	var files []eval.File
	var queries []eval.Query
	list, err := before.Files(ctx, "")
	if err != nil {
		return err
	}
	for _, p := range list.Paths() {
		r, err := before.Read(ctx, p, answer.ReadOptions{Plain: true, Limit: 1 << 30})
		if err != nil {
			return err
		}
		files = append(files, eval.File{Path: p, Text: r.Text})
	}
	for i := range min(sample, len(triplets)) {
		t := triplets[i*len(triplets)/min(sample, len(triplets))]
		at, ok, err := before.Locate(ctx, t.Positive)
		if err != nil {
			return err
		}
		if ok {
			queries = append(queries, eval.Query{
				ID: fmt.Sprint(i), Text: t.Query,
				Judged: []eval.Judgement{{File: at.Path, Start: at.Lines.Start, End: at.Lines.End, Score: 1}},
			})
		}
	}
	if len(queries) == 0 {
		return withHint(errors.New("none of the answers in the triplets are in these documents"), "--root names the documents they were made from")
	}
	set := eval.NewSet(filepath.Base(file), files, queries)
	was, err := eval.Score(set, searcher(ctx, before, o))
	if err != nil {
		return err
	}
	run := was
	if o.model != "" {
		after, err := open("after", docent.Options{Model: o.model})
		if err != nil {
			return err
		}
		defer after.Close()
		if run, err = eval.Score(set, searcher(ctx, after, o)); err != nil {
			return err
		}
	}
	if asJSON && o.model != "" {
		return c.json(map[string]any{"left_out": leftOut, "before": was.Records(), "after": run.Records(), "differences": eval.Compare(was, run)})
	}
	if asJSON {
		return c.json(run.Records())
	}
	if err := eval.WriteTable(c.out, run); err != nil || o.model == "" {
		return err
	}
	fmt.Fprintln(c.out)
	return eval.WriteDeltas(c.out, eval.Compare(was, run))
}

// evalDepth is how many hits an evaluation asks for: recall@100 looks at 100 files, and
// one file may have several hits.
const evalDepth = 300

// evalPatience is how many milliseconds the reranker may take, so that a busy machine does
// not change the figures.
const evalPatience = 60_000

// searcher returns a function that searches a library for an evaluation, as "docent
// search" does.
func searcher(ctx context.Context, lib *docent.Library, o evalOptions) func(q string) ([]eval.Hit, error) {
	return func(q string) ([]eval.Hit, error) {
		a, err := lib.Search(ctx, docent.Query{Text: q, Mode: o.mode, Fusion: o.fusion, Rerank: o.rerank, RerankMS: evalPatience, Limit: evalDepth})
		if err != nil {
			return nil, err
		}
		hits := make([]eval.Hit, len(a.Hits))
		for i, h := range a.Hits {
			hits[i] = eval.Hit{File: h.File, Start: h.Lines[0], End: h.Lines[1]}
		}
		return hits, nil
	}
}
