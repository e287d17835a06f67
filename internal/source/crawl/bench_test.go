package crawl

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/needs"
)

// The benchmarks compare a crawl with the plain way to do the same without its
// rules, checks and safety: filepath.WalkDir and os.ReadFile.

func BenchmarkList(b *testing.B) {
	forTrees(b, func(b *testing.B, dir string) {
		b.Run("crawl", func(b *testing.B) { benchList(b, dir, Options{}) })
		b.Run("crawl-1", func(b *testing.B) { benchList(b, dir, Options{Workers: 1}) })
		b.Run("WalkDir", func(b *testing.B) {
			n := 0
			measure(b, func() {
				n = 0
				err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
					if err == nil && d.Type().IsRegular() && doc.IsMarkdown(d.Name()) {
						n++
						_, err = d.Info()
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			})
			b.ReportMetric(float64(n), "files")
		})
	})
}

func benchList(b *testing.B, dir string, o Options) {
	n := 0
	measure(b, func() {
		tree, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		found, err := tree.List(context.Background(), o)
		if err != nil {
			b.Fatal(err)
		}
		n = len(found.Files)
		tree.Close()
	})
	b.ReportMetric(float64(n), "files")
}

func BenchmarkWalk(b *testing.B) {
	forTrees(b, func(b *testing.B, dir string) {
		walk := func(o Options) func(b *testing.B) {
			return func(b *testing.B) {
				size := 0
				measure(b, func() {
					size = 0
					tree, err := Open(dir)
					if err != nil {
						b.Fatal(err)
					}
					_, err = tree.Walk(context.Background(), o, func(f File) error { size += len(f.Data); return nil })
					if err != nil {
						b.Fatal(err)
					}
					tree.Close()
				})
				b.SetBytes(int64(size))
			}
		}
		b.Run("crawl", walk(Options{}))
		b.Run("crawl-1", walk(Options{Workers: 1}))
		b.Run("WalkDir", func(b *testing.B) {
			size := 0
			measure(b, func() {
				size = 0
				err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
					if err == nil && d.Type().IsRegular() && doc.IsMarkdown(d.Name()) {
						var data []byte
						data, err = os.ReadFile(path)
						size += len(data)
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			})
			b.SetBytes(int64(size))
		})
	})
}

// measure runs f and reports the time of all processors, which the workers
// cannot make look better than it is.
func measure(b *testing.B, f func()) {
	before := processorTime()
	for b.Loop() {
		f()
	}
	b.ReportMetric((processorTime()-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

func BenchmarkMatch(b *testing.B) {
	text, paths := templateIgnore(), make([]string, 0, 200)
	for i := range 100 {
		paths = append(paths, fmt.Sprintf("docs/guide/part%d/page%d.md", i%7, i), fmt.Sprintf("docs/guide/part%d", i))
	}
	g := ParseIgnore([]byte(text))
	for b.Loop() {
		for _, p := range paths {
			g.Match(p, !strings.HasSuffix(p, ".md"))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(paths)), "ns/path")
}

// templateIgnore is of the size and make-up of the longest templates in use.
func templateIgnore() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "name%d/\n*.ext%d\n/out%d/\n[Bb]in%d/\n", i, i, i, i)
	}
	return b.String()
}

// forTrees runs f on a made-up tree like a project's docs, 2,000 files in 200
// folders, and on the largest shared corpus, 10,954 in as many.
func forTrees(b *testing.B, f func(b *testing.B, dir string)) {
	b.Run("generated", func(b *testing.B) {
		dir := b.TempDir()
		text := strings.Repeat("# Heading\n\nSome words of text, as they come.\n\n", 80)
		for i := range 2000 {
			p := filepath.Join(dir, fmt.Sprintf("part%02d/chapter%d/page%d.md", i%20, i/20%10, i))
			write(b, p, text)
		}
		write(b, filepath.Join(dir, ".gitignore"), templateIgnore())
		f(b, dir)
	})
	b.Run("mdn", func(b *testing.B) {
		dir := b.TempDir()
		unpack(b, "mdn-reference.tar.gz", dir)
		f(b, dir)
	})
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		tb.Fatal(err)
	}
}

// unpack puts a shared corpus into dir, or skips.
func unpack(tb testing.TB, name, dir string) {
	f, err := os.Open(needs.Shared(tb, "corpora", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		tb.Fatal(err)
	}
	defer root.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			tb.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		name := filepath.Clean(filepath.FromSlash(h.Name))
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			tb.Fatal(err)
		}
		if err := root.WriteFile(name, data, 0o666); err != nil {
			tb.Fatal(err)
		}
	}
}
