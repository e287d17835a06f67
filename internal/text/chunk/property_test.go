package chunk_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/token"
)

// Whatever is written and however it is to be cut: nothing is lost, nothing is
// invented, the order is kept and so are the bounds.
func TestSplitKeepsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := markdown.Parse("guide.md", []byte(text().Draw(t, "text")))
		p := policy(false).Draw(t, "policy")
		p.Count = counter().Draw(t, "count").fn
		checkSections(t, d, p, chunk.Split(d, p))
	})
}

func TestWindowsKeepText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := markdown.Parse("guide.md", []byte(text().Draw(t, "text")))
		p := policy(true).Draw(t, "policy")
		p.Count = counter().Draw(t, "count").fn
		checkWindows(t, d, p, chunk.Split(d, p))
	})
}

// The same for bytes nobody would write.
func FuzzSplit(f *testing.F) {
	f.Add("# A\n\ntext\n\n## B\n\n- item\n\n      code\n", 3, 10, 20)
	f.Add("> - ```go\n>   x\n>\n>   y\n>   ```\n\n|a|\n|-|\n|b|\n", 1, 1, 16)
	f.Add("---\na: b\n---\n\nA\n=\n\n!!! note\n    ```\n    x\n    ```\n", 6, 100, 800)
	f.Fuzz(func(t *testing.T, src string, depth, least, most int) {
		p := chunk.Policy{Depth: depth, Min: least, Max: most, Count: token.O200k().Count}
		if src == "" || depth < 1 || least < 1 || most < 16 || p.Validate() != nil {
			return
		}
		d := markdown.Parse("guide.md", []byte(src))
		checkSections(t, d, p, chunk.Split(d, p))
		p.Window = true
		checkWindows(t, d, p, chunk.Split(d, p))
	})
}

// Code stays code: every part, read on its own, has its fences closed, and what
// is inside fences in all of them together is what was inside fences before.
func TestCodeStaysCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := markdown.Parse("guide.md", []byte(text().Draw(t, "text")))
		p := policy(false).Draw(t, "policy")
		p.Count = token.O200k().Count
		p.Max = max(p.Max, 64) // room for a line of code
		var after []byte
		for _, c := range chunk.Split(d, p) {
			part := markdown.Parse("part.md", []byte(c.Text))
			for _, b := range part.Blocks {
				if b.Kind == doc.Fence && b.Parent < 0 && b.Inner.End == b.Span.End {
					t.Fatalf("unclosed fence in %q", c.Text)
				}
			}
			after = append(after, code(part)...)
		}
		if before := code(d); !bytes.Equal(before, after) {
			t.Fatalf("code was\n%s\nand became\n%s", before, after)
		}
	})
}

func code(d doc.Document) []byte {
	var out []byte
	for _, b := range d.Blocks {
		if b.Kind == doc.Fence && b.Parent < 0 {
			out = append(out, b.Inner.Of(d.Source)...)
		}
	}
	return out
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkSections holds chunks of d against the promises of Split.
func checkSections(t failer, d doc.Document, p chunk.Policy, chunks []doc.Chunk) {
	t.Helper()
	end := 0
	for i, c := range chunks {
		if c.Span.Start != end || c.Span.Len() <= 0 {
			t.Fatalf("chunk %d spans %v after %d", i, c.Span, end)
		}
		end = c.Span.End
	}
	if end != len(d.Source) {
		t.Fatalf("chunks end at %d of %d", end, len(d.Source))
	}
	checkChunks(t, d, p, chunks)
	checkSmall(t, d, p, chunks)
}

// checkWindows does so for windows.
func checkWindows(t failer, d doc.Document, p chunk.Policy, chunks []doc.Chunk) {
	t.Helper()
	depth, least := p.Depth, p.Min
	if depth == 0 {
		depth = 2
	}
	if least == 0 {
		least = 64
	}
	may := crossed(d, p, depth, least)
	start, end := -1, 0
	for i, c := range chunks {
		if c.Span.Start <= start || c.Span.Start > end || c.Span.End <= end {
			t.Fatalf("window %d spans %v after [%d, %d)", i, c.Span, start, end)
		}
		for _, s := range d.Sections[1:] {
			if s.Level <= depth && s.Span.Start > c.Span.Start && s.Span.Start < c.Span.End && !may[s.Span.Start] {
				t.Fatalf("window %d crosses the heading %q", i, s.Title)
			}
		}
		start, end = c.Span.Start, c.Span.End
	}
	if end != len(d.Source) {
		t.Fatalf("windows end at %d of %d", end, len(d.Source))
	}
	checkChunks(t, d, p, chunks)
}

// crossed are the headings that a window may cross, by where they begin: those with less
// than a window above them, and the last with less than one below it.
func crossed(d doc.Document, p chunk.Policy, depth, least int) map[int]bool {
	var starts []int
	for _, s := range d.Sections[1:] {
		if s.Level <= depth && s.Span.Len() > 0 {
			starts = append(starts, s.Span.Start)
		}
	}
	out := map[int]bool{}
	from, sum, last := 0, 0, 0
	for _, at := range append(starts, len(d.Source)) {
		if sum += p.Count(d.Source[from:at]); sum >= least {
			sum = p.Count(d.Source[last:at]) // counts are rounded
		}
		if from = at; sum < least && at < len(d.Source) {
			out[at] = true
		} else if at < len(d.Source) {
			sum, last = 0, at
		}
	}
	if last > 0 && sum < least {
		out[last] = true
	}
	return out
}

// checkChunks checks what each chunk says about itself.
func checkChunks(t failer, d doc.Document, p chunk.Policy, chunks []doc.Chunk) {
	t.Helper()
	limit := p.Max
	if limit == 0 {
		limit = 800
		if p.Window {
			limit = 320
		}
	}
	names := map[string]bool{}
	lines := lineCounter{src: d.Source}
	section := 0
	for i, c := range chunks {
		source := string(c.Span.Of(d.Source))
		head, tail, ok := strings.Cut(c.Text, source)
		if !ok {
			t.Fatalf("chunk %d: %q is not in %q", i, source, c.Text)
		}
		for _, line := range strings.Split(head+"\n"+tail, "\n") {
			if line = strings.TrimSpace(line); line != "" && !bytes.Contains(d.Source, []byte(strings.Trim(line, "> "))) {
				t.Fatalf("chunk %d: %q was never written", i, line)
			}
		}
		if c.Tokens != p.Count([]byte(c.Text)) || c.Tokens > limit {
			t.Fatalf("chunk %d: %d tokens, counted %d, allowed %d: %q", i, c.Tokens, p.Count([]byte(c.Text)), limit, c.Text)
		}
		if want := (doc.Lines{Start: lines.of(c.Span.Start), End: lines.of(c.Span.End - 1)}); c.Lines != want {
			t.Fatalf("chunk %d: lines %v, want %v", i, c.Lines, want)
		}
		for section+1 < len(d.Sections) && d.Sections[section+1].Span.Start <= c.Span.Start {
			section++
		}
		s := d.Sections[section]
		if c.Section != section || c.Title != s.Title || c.Anchor != s.Anchor {
			t.Fatalf("chunk %d begins in section %d %q, not %d %q", i, section, s.Title, c.Section, c.Title)
		}
		var path []string
		for k := section; k >= 0; k = d.Sections[k].Parent {
			path = append(path, d.Sections[k].Title)
		}
		slices.Reverse(path)
		if !slices.Equal(c.Path, path) {
			t.Fatalf("chunk %d: path %q, want %q", i, c.Path, path)
		}
		if c.Part == 0 && c.Span.Start != s.Span.Start {
			t.Fatalf("chunk %d is no part, but begins inside section %q", i, c.Title)
		}
		name := fmt.Sprintf("%d/%d", c.Section, c.Part)
		if names[name] || c.Part > 1 && !names[fmt.Sprintf("%d/%d", c.Section, c.Part-1)] {
			t.Fatalf("chunk %d: section and part %s twice, or one left out", i, name)
		}
		names[name] = true
	}
}

// checkSmall checks that a chunk under the minimum had nowhere to go.
func checkSmall(t failer, d doc.Document, p chunk.Policy, chunks []doc.Chunk) {
	t.Helper()
	for i := 1; i < len(chunks); i++ {
		a, b := chunks[i-1], chunks[i]
		if len(a.Text) != a.Span.Len() || len(b.Text) != b.Span.Len() {
			continue // cut inside a block that is larger than a chunk
		}
		parent := d.Sections[b.Section].Parent
		under := b.Section < d.Sections[a.Section].End
		before := parent < 0 || a.Section >= parent || under
		after := under || d.Sections[a.Section].Parent == parent
		size := p.Count(d.Source[a.Span.Start:b.Span.End])
		if (before && b.Tokens < p.Min || after && a.Tokens < p.Min) && size <= p.Max {
			t.Fatalf("chunk %d %q of %d tokens could have joined %q of %d", i, b.Title, b.Tokens, a.Title, a.Tokens)
		}
	}
}

// A lineCounter tells the lines of ever later bytes.
type lineCounter struct {
	src  []byte
	seen map[int]int
}

func (l *lineCounter) of(pos int) int {
	// Cheap for the many small texts, bearable for the few large ones.
	const step = 1 << 16
	if l.seen == nil {
		l.seen = map[int]int{}
		n := 0
		for at := 0; at < len(l.src); at += step {
			l.seen[at] = n
			n += bytes.Count(l.src[at:min(at+step, len(l.src))], []byte("\n"))
		}
	}
	at := pos / step * step
	return 1 + l.seen[at] + bytes.Count(l.src[at:pos], []byte("\n"))
}

func policy(window bool) *rapid.Generator[chunk.Policy] {
	return rapid.Custom(func(t *rapid.T) chunk.Policy {
		limit := rapid.IntRange(16, 300).Draw(t, "max")
		return chunk.Policy{
			Window:  window,
			Depth:   rapid.IntRange(1, 6).Draw(t, "depth"),
			Max:     limit,
			Min:     rapid.IntRange(1, limit).Draw(t, "min"),
			Overlap: rapid.IntRange(0, 50).Draw(t, "overlap"),
		}
	})
}

type namedCount struct {
	name string
	fn   func([]byte) int
}

func (n namedCount) String() string { return n.name }

func counter() *rapid.Generator[namedCount] {
	return rapid.SampledFrom([]namedCount{
		{"o200k", token.O200k().Count},
		{"claude", token.Claude().Count},
		{"chars4", token.Chars4().Count},
		{"bytes, rounded down", func(b []byte) int { return len(b) / 4 }}, // 0 for short text
		{"words", words},                                                  // sums are less than the whole
	})
}

// Adding up weights must give what counting again gives.
func TestWeighingCutsAsCountingDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := markdown.Parse("guide.md", []byte(text().Draw(t, "text")))
		p := policy(false).Draw(t, "policy")
		profile, err := token.Lookup(rapid.SampledFrom(token.Names()).Draw(t, "profile"))
		if err != nil {
			t.Fatal(err)
		}
		p.Count = profile.Count
		want := chunk.Split(d, p)
		p.Weigh, p.Round = profile.Weigh, profile.Round
		if got := chunk.Split(d, p); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\n got %+v\nwant %+v", d.Source, got, want)
		}
	})
}
