package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/eval"
)

// evalTriplets asks some of the questions of a file of triplets of the documents they
// are about, with the built-in model and with a trained one, and compares.
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
		c.note("%d lines are no triplets and are left out, the first: %v", len(bad), bad[0])
	}
	tmp, err := os.MkdirTemp("", "docent-eval-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if root == "" {
		root = "."
	}
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
	paths, err := before.List("")
	if err != nil {
		return err
	}
	for _, p := range paths {
		text, err := before.Read(p, docent.ReadOptions{Plain: true, Limit: 1 << 30})
		if err != nil {
			return err
		}
		files = append(files, eval.File{Path: p, Text: text})
	}
	for i := range min(sample, len(triplets)) {
		t := triplets[i*len(triplets)/min(sample, len(triplets))]
		at, ok, err := before.Locate(t.Positive)
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
		return withHint(errors.New("none of the answers in the triplets stand in these documents"), "--root names the documents they were made from")
	}
	set := eval.NewSet(filepath.Base(file), files, queries)
	was, err := eval.Score(set, asking(ctx, before, o))
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
		if run, err = eval.Score(set, asking(ctx, after, o)); err != nil {
			return err
		}
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

// asking asks a library as an evaluation does.
func asking(ctx context.Context, lib *docent.Library, o evalOptions) func(q string) ([]eval.Hit, error) {
	return func(q string) ([]eval.Hit, error) {
		places, err := lib.Places(ctx, docent.Query{Text: q, Mode: o.mode, Fusion: o.fusion})
		if err != nil {
			return nil, err
		}
		hits := make([]eval.Hit, len(places))
		for i, p := range places {
			hits[i] = eval.Hit{File: p.Path, Start: p.Lines.Start, End: p.Lines.End}
		}
		return hits, nil
	}
}
