// Command candidates writes down docent's best candidates for the questions of evaluation
// sets, for the training of the reranker: see train/reranker.
//
//	candidates OUT SET ...
//
// It leaves OUT/NAME.jsonl for each set, unless it is there already. The lines are of two
// kinds. A section is numbered by its place among the sections, from 0:
//
//	{"path": headings joined by ". ", "text": Markdown, "file": path}
//
// A question comes after the sections it names. Its candidates are best first, each with
// its section, its score and which of the judged places, whose gains are listed, it holds:
//
//	{"id", "kind", "question": without operators, "prose": it is a sentence, "page": files
//	 are judged, "gains": [gain, ...], "candidates": [[section, score, [place, ...]], ...]}
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/wholefile"
)

// most is how many candidates of a question are written: four more than are ever read.
const most = 24

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: candidates OUT SET ...")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := writeAll(ctx, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "candidates:", err)
		os.Exit(1)
	}
}

// writeAll writes the candidates of all sets, as many sets at a time as there are
// processors. It returns the first error, after the sets that were begun.
func writeAll(ctx context.Context, out string, dirs []string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan string)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for dir := range next {
				if err := writeSet(ctx, out, dir); err != nil {
					cancel(fmt.Errorf("%s: %w", dir, err))
				}
			}
		})
	}
	for _, dir := range dirs {
		if ctx.Err() == nil {
			next <- dir
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// writeSet writes the candidates of one set.
func writeSet(ctx context.Context, out, dir string) error {
	set, err := eval.Load(dir)
	if err != nil {
		return err
	}
	name := filepath.Join(out, set.Name+".jsonl")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	f, err := os.CreateTemp(out, "."+set.Name+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := write(ctx, f, set); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	fmt.Println(set.Name, len(set.Queries))
	return wholefile.Replace(f.Name(), name)
}
