package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/token"
)

// The test of specs/md-index.md: a sample of 1,000 tokens gives at least four
// snippets, all of 64 to 320 tokens.
func TestWindowsOfAThousandTokens(t *testing.T) {
	count := token.O200k().Count
	src := "# Keys\n"
	for i := 0; count([]byte(src)) < 1000; i++ {
		src += fmt.Sprintf("\nKey number %d is rotated every day. The old one is kept for an hour, then deleted. Nobody notices.\n", i)
	}
	chunks := split(src, chunk.Policy{Window: true, Count: count})
	if len(chunks) < 4 {
		t.Errorf("%d windows", len(chunks))
	}
	for i, c := range chunks {
		if c.Tokens < 64 || c.Tokens > 320 {
			t.Errorf("window %d has %d tokens", i, c.Tokens)
		}
		if i == 0 {
			continue
		}
		shared := count([]byte(src[c.Span.Start:chunks[i-1].Span.End]))
		if shared < 32 || shared > 70 && i < len(chunks)-1 {
			t.Errorf("windows %d and %d share %d tokens", i-1, i, shared)
		}
	}
}

// Prose can be cut anywhere, so there the bounds hold without exception:
// windows have from Min to Max tokens, and each shares some text with the one
// before it, at most a fifth of Max, unless the last had to reach further back.
func TestWindowsOfProse(t *testing.T) {
	count := token.O200k().Count
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for b.Len() < 2000 {
			b.WriteString(paragraph().Draw(t, "paragraph") + "\n")
		}
		src := b.String()
		chunks := split(src, chunk.Policy{Window: true, Count: count})
		for i, c := range chunks {
			if c.Tokens < 64 || c.Tokens > 320 {
				t.Fatalf("window %d has %d tokens: %q", i, c.Tokens, c.Text)
			}
			if i == 0 {
				continue
			}
			shared := count([]byte(src[c.Span.Start:chunks[i-1].Span.End]))
			if shared == 0 || shared > 64+4 && i < len(chunks)-1 {
				t.Fatalf("windows %d and %d share %d tokens", i-1, i, shared)
			}
		}
	})
}

func TestWindowsAndStructure(t *testing.T) {
	code := "```go\n" + strings.Repeat("x = y\n\n", 60) + "```\n"
	for _, tt := range []struct {
		name, src string
		whole     string // what some window must hold in one piece
		windows   int
	}{
		{"a page under the limit is one window", "# T\n\n" + prose(300), "# T\n\n" + prose(300), 1},
		{"a heading of depth two begins a window", "# T\n\n" + prose(80) + "\n## A\n\n" + prose(80), "## A\n\n" + prose(80), 2},
		{"unless there is too little under it", "# T\n\n" + prose(80) + "\n## A\n\n" + prose(20), "## A\n\n" + prose(20), 1},
		{"or above it", "# T\n\n" + prose(20) + "\n## A\n\n" + prose(80), "# T\n\n" + prose(20) + "\n## A\n\n" + prose(80), 1},
		{"a deeper one need not", "# T\n\n" + prose(20) + "\n### A\n\n" + prose(20), "### A\n\n" + prose(20), 1},
		{"code that fits is whole", "# T\n\n" + prose(250) + "\n" + code + "\n" + prose(250), code, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			chunks := split(tt.src, chunk.Policy{Window: true, Count: words})
			whole := false
			for _, c := range chunks {
				whole = whole || strings.Contains(c.Text, tt.whole)
			}
			if !whole || len(chunks) != tt.windows {
				t.Errorf("%d windows, want %d; whole: %v", len(chunks), tt.windows, whole)
			}
		})
	}
}
