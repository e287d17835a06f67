//go:build unix

// Bench measures docent against its peers, in one run on one corpus, and prints
// Markdown tables of ratios. It is a module of its own, so that the peers never
// enter docent's go.mod.
//
// CPU is user and system time of a whole process, the garbage collector
// included: on a shared machine it says more than the wall clock, which is shown
// beside it where a target is about waiting. Rivals take turns, round after round;
// a figure is the median, with the quartiles in brackets. Peers that are not
// installed are skipped and named.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// A bench is what all parts share.
type bench struct {
	*report
	root    string // docent's checkout
	tmp     string
	docent  string // the binary
	empty   string // that of a program that does nothing
	usage   launcher
	corpus  *documents
	rounds  int
	queries int
	sizes   string // of growth
	rg      string // "" when not installed
	sqlite  string
}

// A part is one thing that is measured.
type part struct {
	name string
	run  func(*bench, context.Context) error
}

// parts are what is measured, in this order.
var parts = []part{
	{"start", (*bench).start},
	{"build", (*bench).build},
	{"cold", (*bench).cold},
	{"warm", (*bench).warm},
	{"rerank", (*bench).rerank},
	{"grep", (*bench).grep},
	{"pack", (*bench).pack},
}

// extra are parts that run only when they are named: they take long.
var extra = []part{
	{"clients", (*bench).clients},
	{"quality", (*bench).quality},
	{"growth", (*bench).growth},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := &bench{report: &report{w: os.Stdout}}
	var only, keep, plots, peer string
	flag.StringVar(&b.root, "root", "..", "docent's checkout")
	flag.StringVar(&only, "only", "", "parts to run, with commas between them: start, build, cold, warm, rerank, grep, pack; and clients, quality and growth, which run only when they are named")
	flag.StringVar(&b.sizes, "sizes", "1000,10000,100000,400000", "numbers of files for growth")
	flag.StringVar(&keep, "dir", "", "folder to work in, which is kept (default: a temporary one)")
	flag.StringVar(&plots, "plots", "", "folder for plots of some of the figures, as SVG (default: none)")
	flag.IntVar(&b.rounds, "rounds", 11, "how often each rival runs")
	flag.IntVar(&b.queries, "queries", 200, "queries of the warm search")
	flag.StringVar(&peer, "peer", "", "serve a peer over HTTP and do nothing else: bleve=FOLDER or fts=FILE; clients does so")
	flag.Parse()
	if peer != "" {
		fmt.Fprintln(os.Stderr, "bench:", servePeer(ctx, peer))
		os.Exit(2)
	}
	if err := cmp.Or(b.main(ctx, only, keep), b.writePlots(plots)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

func (b *bench) main(ctx context.Context, only, keep string) (err error) {
	if b.tmp = keep; keep == "" {
		if b.tmp, err = os.MkdirTemp("", "docent-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(b.tmp)) }()
	}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	run := parts
	if only != "" {
		run = slices.DeleteFunc(slices.Concat(parts, extra), func(p part) bool { return !slices.Contains(strings.Split(only, ","), p.name) })
	}
	for _, p := range run {
		fmt.Fprintln(os.Stderr, "bench:", p.name)
		if err := p.run(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	b.summary()
	return nil
}

// prepare builds the programs and unpacks the corpus.
func (b *bench) prepare(ctx context.Context) error {
	var err error
	if b.tmp, err = filepath.Abs(b.tmp); err != nil {
		return err
	}
	for _, p := range []struct {
		to            *string
		name, dir, of string
	}{
		{&b.docent, "docent", b.root, "./cmd/docent"},
		{(*string)(&b.usage), "usage", ".", "./usage"},
		{&b.empty, "empty", ".", "./empty"},
	} {
		*p.to = filepath.Join(b.tmp, "bin", p.name)
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", *p.to, p.of)
		cmd.Dir, cmd.Stderr = p.dir, os.Stderr
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("build %s: %w", p.name, err)
		}
	}
	b.rg, _ = exec.LookPath("rg")
	b.sqlite, _ = exec.LookPath("sqlite3")
	// The index goes where nobody else looks, for the commands and for the
	// library in this process alike.
	if err := os.Setenv("XDG_CACHE_HOME", filepath.Join(b.tmp, "cache")); err != nil {
		return err
	}
	for _, old := range []string{"corpus", "cache", "fifty", "fivehundred"} {
		if err := os.RemoveAll(filepath.Join(b.tmp, old)); err != nil {
			return err
		}
	}
	if b.corpus, err = newCorpus(ctx, b.root, b.tmp); err != nil {
		return err
	}
	c := b.corpus
	fmt.Fprintf(b.w, "# docent and its peers\n\n%s: %d files, %.1f MB, %d chunks. %s, %d processors, %s/%s.\n",
		c.name, len(c.files), float64(c.bytes)/1e6, len(c.chunks), runtime.Version(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(b.w, "\n%s\n", wrap("Peers: "+b.versions(ctx)+". `make bench`, `make benchmarks` and `make growth` repeat such runs."))
	if c.note != "" {
		b.noTargets = true
		fmt.Fprintf(b.w, "\n**%s**\n", c.note)
	}
	var missing []string
	if b.rg == "" {
		missing = append(missing, "rg")
	}
	if b.sqlite == "" {
		missing = append(missing, "sqlite3")
	}
	if len(missing) > 0 {
		fmt.Fprintf(b.w, "\nSkipped, as they are not installed: %s.\n", strings.Join(missing, ", "))
	}
	return nil
}

// ask is a docent command as a rival.
func (b *bench) ask(args ...string) rival {
	return b.usage.command(append([]string{b.docent}, args...)...)
}

// reindex makes the index of the corpus anew, so that it is one piece and has
// vectors: an index keeps the model it was made with, and one part makes it
// without any.
func (b *bench) reindex(ctx context.Context) error {
	if _, err := b.ask("index", "--full", "--embed", "builtin", "--root", b.corpus.dir)(ctx); err != nil {
		return err
	}
	return hasVectors(ctx, b.corpus.dir)
}

// hasVectors complains of an index without vectors: a search of it goes by words
// alone, whatever the row says.
func hasVectors(ctx context.Context, dir string) error {
	lib, err := docent.Open(ctx, dir, docent.Options{NoRefresh: true})
	if err != nil {
		return err
	}
	defer lib.Close()
	status, err := lib.Status(ctx, answer.StatusOptions{})
	if err != nil {
		return err
	}
	if !strings.HasPrefix(status.Model, "builtin") {
		return fmt.Errorf("the index of %s has the model %q, and the builtin one is to be measured", dir, status.Model)
	}
	return nil
}
