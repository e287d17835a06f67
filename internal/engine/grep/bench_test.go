package grep

import (
	"bytes"
	"context"
	"maps"
	"regexp"
	"slices"
	"testing"
)

// benchText returns 30 MB of documentation.
func benchText(b *testing.B) []byte {
	files := k8sFiles(b)
	var once bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(files)) {
		once.WriteString(files[path])
	}
	text := bytes.Repeat(once.Bytes(), 1+30_000_000/once.Len())
	return text[:30_000_000]
}

var benchPatterns = []struct{ name, pattern string }{
	{"absent-literal", "AbortController"},
	{"literal", "request"},
	{"frequent-literal", "the"},
	{"three-literals", "price|cost|billing"},
	{"literal-then-class", `addEventListener\("\w+"`},
	{"literal-with-boundaries", `\b[A-Z]\w+Controller\b`},
	{"two-literals-apart", `kubectl .*--namespace`},
	{"no-literal", `\d{4}-\d{2}-\d{2}`},
	{"class-only", `[A-Z]{5,}`},
	{"line-start", `^#+ `},
	{"words", `(?:\b\w+\b\s*){12}`},
}

func BenchmarkLines(b *testing.B) {
	text := benchText(b)
	for _, test := range benchPatterns {
		b.Run(test.name, func(b *testing.B) {
			p, err := Compile(test.pattern, Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			n := 0
			for b.Loop() {
				n = 0
				if err := p.Lines(context.Background(), text, func(Line) bool { n++; return true }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n), "lines")
		})
	}
}

// BenchmarkRegexp does the same with package regexp, line by line: the price of
// not looking for literals first.
func BenchmarkRegexp(b *testing.B) {
	text := benchText(b)
	text = text[:len(text)/10]
	for _, test := range benchPatterns {
		b.Run(test.name, func(b *testing.B) {
			re := regexp.MustCompile("(?i)" + test.pattern)
			b.SetBytes(int64(len(text)))
			n := 0
			for b.Loop() {
				n = 0
				for line := range bytes.Lines(text) {
					if re.Match(bytes.TrimSuffix(line, []byte("\n"))) {
						n++
					}
				}
			}
			b.ReportMetric(float64(n), "lines")
		})
	}
}
