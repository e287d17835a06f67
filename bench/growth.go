//go:build unix

package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// A growing is one measure at several sizes.
type growing struct {
	name, unit string
	values     []float64
	limit      float64 // at the largest size, 0 for none
}

// growth measures what more documents cost.
func (b *bench) growth(ctx context.Context) error {
	from, err := b.newSources(ctx)
	if err != nil {
		return err
	}
	g := &grower{b: b, from: from}
	var sizes []int
	for text := range strings.SplitSeq(b.sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 100 {
			return fmt.Errorf("-sizes %s: %q is not a number of files from 100 up", b.sizes, text)
		}
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		fmt.Fprintln(os.Stderr, "bench: growth:", n, "files")
		if err := g.measure(ctx, n); err != nil {
			return fmt.Errorf("%d files: %w", n, err)
		}
	}
	g.print(sizes)
	for i, n := range sizes {
		for _, r := range g.rows {
			if r.name == "command, by words and meaning, CPU" {
				b.plot("growth", "CPU of a question as a command, by words and meaning (logarithmic)", "ms", fmt.Sprintf("%d files", n), r.values[i])
			}
		}
	}
	return nil
}

type grower struct {
	b     *bench
	from  *sources
	bytes []float64
	rows  []*growing
}

// add adds the value of a measure at the next size.
func (g *grower) add(name, unit string, value, limit float64) {
	for _, r := range g.rows {
		if r.name == name {
			r.values = append(r.values, value)
			return
		}
	}
	g.rows = append(g.rows, &growing{name, unit, []float64{value}, limit})
}

// measure makes a corpus of n files, measures, and removes it.
func (g *grower) measure(ctx context.Context, n int) error {
	b := g.b
	dir := filepath.Join(b.tmp, "grown")
	defer os.RemoveAll(dir)
	size, err := g.from.write(ctx, n, dir)
	if err != nil {
		return err
	}
	g.bytes = append(g.bytes, float64(size))
	for _, embed := range []string{"none", "builtin"} {
		u, err := b.ask("index", "--full", "--embed", embed, "--root", dir)(ctx)
		if err != nil {
			return err
		}
		name := map[string]string{"none": "by words", "builtin": "with vectors"}[embed]
		g.add("build "+name+", CPU", "s", u.cpu.Seconds(), 0)
		g.add("build "+name+", wall", "s", u.wall.Seconds(), 0)
		g.add("build "+name+", memory", "MB", float64(u.rss)/1e6, 0)
	}
	bytes, err := sizeOf(filepath.Join(b.tmp, "cache"))
	if err != nil {
		return err
	}
	g.add("index with vectors", "MB", float64(bytes)/1e6, 0)
	for _, step := range []func(context.Context, string) error{g.cold, g.warm, g.refresh} {
		if err := step(ctx, dir); err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(b.tmp, "cache"))
}

// cold measures commands.
func (g *grower) cold(ctx context.Context, dir string) error {
	b := g.b
	for _, mode := range []string{"lexical", "hybrid"} {
		var asks []rival
		for _, q := range b.corpus.titles(20) {
			asks = append(asks, b.ask("search", q, "-n", "5", "--no-refresh", "--rerank", "off", "--mode", mode, "--root", dir))
		}
		us, err := contest(ctx, 20, each(asks))
		if err != nil {
			return err
		}
		name := map[string]string{"lexical": "by words", "hybrid": "by words and meaning"}[mode]
		g.add("command, "+name+", CPU", "ms", cpus(us[0]).mid, 0)
		g.add("command, "+name+", memory", "MB", peaks(us[0]).mid, 150)
	}
	for _, c := range []struct {
		name string
		args []string
	}{
		{"grep for a word, CPU", []string{"grep", "-c", "default", "--no-refresh", "--root", dir}},
		{"grep for an expression, CPU", []string{"grep", "-c", `(every|each) \w+ (is|has)`, "--no-refresh", "--root", dir}},
		{"check for pages without links to them, CPU", []string{"check", "--only", "orphan", "--no-refresh", "--root", dir}},
	} {
		us, err := contest(ctx, 3, b.ask(c.args...))
		if err != nil {
			return err
		}
		g.add(c.name, "ms", cpus(us[0]).mid, 0)
	}
	return nil
}

// warm measures questions to an open library.
func (g *grower) warm(ctx context.Context, dir string) error {
	lib, err := docent.Open(ctx, dir, docent.Options{NoRefresh: true})
	if err != nil {
		return err
	}
	defer lib.Close()
	for _, mode := range []string{answer.Lexical, answer.Hybrid} {
		var took []float64
		for round := range 2 {
			for _, q := range g.b.corpus.queries(g.b.queries) {
				u, err := timed(func() error {
					_, err := lib.Search(ctx, docent.Query{Text: q, Limit: best, Mode: mode, Rerank: answer.RerankOff})
					return err
				})
				if err != nil {
					return err
				}
				if round > 0 {
					took = append(took, ms(u.wall))
				}
			}
		}
		name := map[string]string{answer.Lexical: "by words", answer.Hybrid: "by words and meaning"}[mode]
		g.add("open library, "+name+", p50", "ms", spreadOf(took).mid, 0)
		g.add("open library, "+name+", p99", "ms", p99(took).mid, 20)
	}
	return nil
}

// refresh measures how one changed file is taken in.
func (g *grower) refresh(ctx context.Context, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "part000", "*.md"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no file in %s", dir)
	}
	edits := 0
	changed := func(ctx context.Context) (use, error) {
		lib, err := docent.Open(ctx, dir, docent.Options{})
		if err != nil {
			return use{}, err
		}
		defer lib.Close()
		name := files[edits%len(files)]
		edits++
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return use{}, err
		}
		fmt.Fprintf(f, "\nEdit number %d at %d.\n", edits, time.Now().UnixNano())
		if err := f.Close(); err != nil {
			return use{}, err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return use{}, err
		}
		return timed(func() error {
			_, err := lib.Read(ctx, filepath.ToSlash(rel), answer.ReadOptions{Limit: 1})
			return err
		})
	}
	us, err := contest(ctx, 5, changed)
	if err != nil {
		return err
	}
	g.add("one changed file is read, wall", "ms", walls(us[0]).mid, 150)
	us, err = contest(ctx, 3, g.b.ask("index", "--root", dir))
	if err != nil {
		return err
	}
	g.add("all files compared, none changed, wall", "ms", walls(us[0]).mid, 0)
	return nil
}

// sizeOf is how many bytes the files of a folder have.
func sizeOf(dir string) (int64, error) {
	var n int64
	return n, filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
}

// exponent fits cost = c · size^e, by least squares of the logarithms.
func exponent(sizes, costs []float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for i := range sizes {
		x, y := math.Log(sizes[i]), math.Log(costs[i])
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// print prints the table: a column a size, and the exponent.
func (g *grower) print(sizes []int) {
	w := g.b.w
	fmt.Fprintf(w, "\n## Growth\n\n%s\n\n| measure |", wrap("Corpora of "+g.from.name+", multiplied with words changed, so that the vocabulary grows as "+
		"the "+number(heaps)+"th power of the text. The exponent e is that of cost = c · bytes^e: 1 grows as the corpus does, less grows slower. "+
		"Questions are made from the corpus; those to an open library are asked twice, the second time counts."))
	for i, n := range sizes {
		fmt.Fprintf(w, " %d files, %s MB |", n, number(g.bytes[i]/1e6))
	}
	fmt.Fprintf(w, " e | target | |\n|---|%s---|---|---|\n", strings.Repeat("---|", len(sizes)))
	for _, r := range g.rows {
		cells := []string{r.name}
		for _, v := range r.values {
			cells = append(cells, number(v)+" "+r.unit)
		}
		e := exponent(g.bytes, r.values)
		target, ok := "e < 1.05", e < 1.05
		if last := r.values[len(r.values)-1]; r.limit > 0 {
			target, ok = "< "+number(r.limit)+" "+r.unit, last < r.limit
		}
		g.b.row(append(cells, number(e), target, g.b.judge(r.name, ok))...)
	}
}
