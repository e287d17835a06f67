//go:build unix

package markdown

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmparser "github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/docent-md/docent/doc"
)

// cpuTime returns the processor time this process has used, collector included.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestSpeedTable prints speed and memory beside goldmark's, as Markdown: goldmark
// with tables only, and as it must be set up to find what Parse finds (GitHub's
// extensions for bare addresses, and heading ids). It measures processor time on
// one core, garbage collection included.
func TestSpeedTable(t *testing.T) {
	if os.Getenv("DOCENT_BENCH_PARSE") == "" {
		t.Skip("set DOCENT_BENCH_PARSE=1 to measure")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Println("\n| corpus | files | MB | Parse MB/s | goldmark, tables MB/s | ratio | goldmark, GFM and ids MB/s | ratio | AppendText MB/s | Parse alloc | goldmark alloc |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	core := oracle()
	same := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(gmparser.WithAutoHeadingID())).Parser()
	var all costs
	for _, name := range corpusNames {
		var sum costs
		files := corpus(t, name)
		for group := range groups(files) {
			sum.add(measureAll(group, core, same))
		}
		fmt.Printf("| %s | %d | %s\n", name, len(files), sum)
		all.add(sum)
	}
	fmt.Printf("| all | | %s\n", all)
}

// costs are the time and allocation of Parse, goldmark with tables, goldmark
// with all, and AppendText, over a number of bytes.
type costs struct {
	bytes int
	time  [4]time.Duration
	alloc [4]uint64
}

func (c *costs) add(d costs) {
	c.bytes += d.bytes
	for i := range c.time {
		c.time[i] += d.time[i]
		c.alloc[i] += d.alloc[i]
	}
}

func (c costs) String() string {
	var speed, alloc [4]float64
	for i := range speed {
		speed[i] = float64(c.bytes) / 1e6 / c.time[i].Seconds()
		alloc[i] = float64(c.alloc[i]) / float64(c.bytes)
	}
	return fmt.Sprintf("%.1f | %.0f | %.0f | **%.1fx** | %.0f | **%.1fx** | %.0f | %.1fx | %.1fx |", float64(c.bytes)/1e6,
		speed[0], speed[1], speed[0]/speed[1], speed[2], speed[0]/speed[2], speed[3], alloc[0], alloc[1])
}

func measureAll(files []file, core, same gmparser.Parser) (c costs) {
	docs := make([]doc.Document, len(files))
	for i, f := range files {
		c.bytes += len(f.text)
		docs[i] = Parse(f.path, f.text)
	}
	var buf []byte
	for i, f := range [4]func(int){
		func(i int) { Parse(files[i].path, files[i].text) },
		func(i int) { core.Parse(gmtext.NewReader(files[i].text)) },
		func(i int) { same.Parse(gmtext.NewReader(files[i].text)) },
		func(i int) { buf = AppendText(buf[:0], &docs[i], doc.Span{End: len(docs[i].Source)}) },
	} {
		c.time[i], c.alloc[i] = measure(func() {
			for i := range files {
				f(i)
			}
		})
	}
	return c
}

// groups divides files into lots of about 1 MB, over which the parsers take
// turns, so that a busy machine is unfair to none.
func groups(files []file) func(yield func([]file) bool) {
	return func(yield func([]file) bool) {
		for len(files) > 0 {
			n, size := 0, 0
			for n < len(files) && size < 1<<20 {
				size += len(files[n].text)
				n++
			}
			if !yield(files[:n]) {
				return
			}
			files = files[n:]
		}
	}
}

// measure returns the processor time f takes, and what it allocates. The rounds
// are many enough for the collector to run in proportion to what is allocated,
// and it is given the time to finish.
func measure(f func()) (took time.Duration, alloc uint64) {
	const rounds = 8
	var before, after runtime.MemStats
	f()
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := cpuTime()
	for range rounds {
		f()
	}
	took = cpuTime() - start
	runtime.ReadMemStats(&after)
	return took / rounds, (after.TotalAlloc - before.TotalAlloc) / rounds
}
