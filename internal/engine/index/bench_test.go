package index

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/needs"
)

var (
	headingLine = regexp.MustCompile(`^(#{1,3})\s+(.*)`)
	linkTarget  = regexp.MustCompile(`\]\([^)\s]*\)`)
)

// sections cuts a Markdown file at its headings, roughly: enough for measuring.
func sections(file string) []Text {
	var out []Text
	title := ""
	var body, rest strings.Builder
	flush := func(next string) {
		if body.Len() > 0 || rest.Len() > 0 {
			t := Text{Title: title, Body: body.String(), Rest: rest.String()}
			if len(out) > 0 {
				t.Headings = out[0].Title
			}
			out = append(out, t)
		}
		title = next
		body.Reset()
		rest.Reset()
	}
	fence, front := false, strings.HasPrefix(file, "---\n")
	for i, l := range strings.Split(file, "\n") {
		switch {
		case front:
			if t, ok := strings.CutPrefix(l, "title: "); ok {
				title = strings.Trim(t, `"'`)
			}
			front = i == 0 || l != "---"
			rest.WriteString(l)
			rest.WriteByte('\n')
			continue
		case strings.HasPrefix(strings.TrimSpace(l), "```"):
			fence = !fence
		case !fence:
			if m := headingLine.FindStringSubmatch(l); m != nil {
				flush(m[2])
				continue
			}
		}
		for _, m := range linkTarget.FindAllString(l, -1) {
			rest.WriteString(m)
			rest.WriteByte('\n')
		}
		body.WriteString(linkTarget.ReplaceAllString(l, "]"))
		body.WriteByte('\n')
	}
	flush("")
	return out
}

// corpus reads the sections of all files of a tar.gz.
func corpus(path string) ([]Text, int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, 0, err
	}
	var texts []Text
	size := 0
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return texts, size, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		b, err := io.ReadAll(tr)
		if err != nil {
			return nil, 0, err
		}
		size += len(b)
		texts = append(texts, sections(string(b))...)
	}
}

// zipf makes texts of words whose frequencies follow Zipf's law.
func zipf(n, vocabulary int) ([]Text, int) {
	rng := rand.New(rand.NewPCG(7, 7))
	word := func() string {
		// The rank is distributed like 1/rank.
		rank := int(math.Exp(rng.Float64() * math.Log(float64(vocabulary))))
		var b []byte
		for v := rank; v > 0; v /= 21 {
			b = append(b, "bcdfghjklmnpqrstvwxyz"[v%21], "aeiou"[v*7%5])
		}
		return string(b)
	}
	words := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(word())
			b.WriteByte(' ')
		}
		return b.String()
	}
	size := 0
	texts := make([]Text, n)
	for i := range texts {
		t := Text{Title: words(3), Headings: words(4), Body: words(10 + rng.IntN(120))}
		size += len(t.Title) + len(t.Headings) + len(t.Body)
		texts[i] = t
	}
	return texts, size
}

func benchCorpora(b *testing.B, f func(b *testing.B, texts []Text, size int)) {
	b.Run("zipf", func(b *testing.B) {
		texts, size := zipf(20000, 30000)
		f(b, texts, size)
	})
	b.Run("mdn", func(b *testing.B) {
		texts, size, err := corpus(needs.Shared(b, "corpora", "mdn-reference.tar.gz"))
		if err != nil {
			b.Fatal(err)
		}
		f(b, texts, size)
	})
}

func BenchmarkBuild(b *testing.B) {
	benchCorpora(b, func(b *testing.B, texts []Text, size int) {
		b.SetBytes(int64(size))
		for b.Loop() {
			parts, err := Build(len(texts), func(i int) Text { return texts[i] }, 1)
			if err != nil {
				b.Fatal(err)
			}
			for _, p := range parts {
				b.ReportMetric(float64(len(p.Data))/1e6, p.Name+"-MB")
			}
			b.ReportMetric(float64(len(texts)), "texts")
		}
	})
}

// benchQueries cuts queries out of texts: headings, questions, body phrases,
// common words, rare words, slips of the keyboard.
func benchQueries(texts []Text) map[string][]Query {
	rng := rand.New(rand.NewPCG(42, 0))
	out := map[string][]Query{}
	for len(out["slips"]) < 50 {
		t := texts[rng.IntN(len(texts))]
		words := strings.Fields(t.Body)
		if len(words) < 30 || len(strings.Fields(t.Title)) == 0 {
			continue
		}
		at := rng.IntN(len(words) - 10)
		phrase := strings.Join(words[at:at+6], " ")
		title := t.Title + " " + t.Headings
		out["headings"] = append(out["headings"], Parse(title))
		out["questions"] = append(out["questions"], Parse("how do I use the "+title+" in my own code"))
		out["phrases"] = append(out["phrases"], Parse(phrase))
		for _, w := range words {
			if len(w) > 7 {
				b := []byte(w)
				b[3], b[4] = b[4], b[3]
				out["slips"] = append(out["slips"], Parse(title+" "+string(b)))
				break
			}
		}
	}
	return out
}

func BenchmarkTop(b *testing.B) {
	benchCorpora(b, func(b *testing.B, texts []Text, _ int) {
		s, err := NewSearcher([]Input{{Reader: mustBuild(b, texts, 0)}}, nil)
		if err != nil {
			b.Fatal(err)
		}
		dead := &Set{}
		for i := range len(texts) / 50 {
			dead.Add(uint32(i * 37 % len(texts)))
		}
		some, err := NewSearcher([]Input{{s.segments[0].Reader, dead}}, nil)
		if err != nil {
			b.Fatal(err)
		}
		for kind, qs := range benchQueries(texts) {
			for _, run := range []struct {
				name string
				k    int
				top  func(Query, int, Options) (Result, error)
			}{
				{"top10", 10, s.Top},
				{"top200", 200, s.Top},
				{"exhaustive", 10, s.topExhaustive},
				{"deleted", 10, some.Top},
			} {
				b.Run(kind+"/"+run.name, func(b *testing.B) {
					times := make([]float64, 0, 1<<16)
					for i := 0; b.Loop(); i++ {
						start := time.Now()
						if _, err := run.top(qs[i%len(qs)], run.k, Options{}); err != nil {
							b.Fatal(err)
						}
						times = append(times, float64(time.Since(start)))
					}
					slices.Sort(times)
					b.ReportMetric(times[len(times)/2], "p50-ns")
					b.ReportMetric(times[len(times)*9/10], "p90-ns")
				})
			}
		}
	})
}

func BenchmarkMayContain(b *testing.B) {
	texts, _, err := corpus(needs.Shared(b, "corpora", "mdn-reference.tar.gz"))
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewSearcher([]Input{{Reader: mustBuild(b, texts, 0)}}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range []Literal{
		{Text: "AbortController"},
		{Text: "AbortController", Left: true, Right: true},
		{Text: "Controller", Right: true},
		{Text: "request"},
		{Text: "the property"},
		{Text: "co"},
	} {
		b.Run(fmt.Sprintf("%s/%v/%v", strings.ReplaceAll(l.Text, " ", "_"), l.Left, l.Right), func(b *testing.B) {
			for b.Loop() {
				set, _, err := s.MayContain(l)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(set.Len()), "texts")
			}
		})
	}
}

func BenchmarkNearest(b *testing.B) {
	texts, _, err := corpus(needs.Shared(b, "corpora", "mdn-reference.tar.gz"))
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewSearcher([]Input{{Reader: mustBuild(b, texts, 0)}}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, w := range []string{"controler", "abortcontroler", "xontroller", "propery", "zzzzzzzzzz"} {
		b.Run(w, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Nearest(w, 3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	texts, size, err := corpus(needs.Shared(b, "corpora", "mdn-reference.tar.gz"))
	if err != nil {
		b.Fatal(err)
	}
	base, delta := mustBuild(b, texts, 0), mustBuild(b, texts[:1000], 0)
	dead := &Set{}
	for i := range 1000 {
		dead.Add(uint32(i))
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		if _, err := Merge([]Input{{base, dead}, {Reader: delta}}, nil, 1); err != nil {
			b.Fatal(err)
		}
	}
}
