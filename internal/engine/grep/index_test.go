package grep_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/grep"
	"github.com/docent-md/docent/internal/engine/index"
)

// candidates asks an index which texts may contain a match.
func candidates(t *testing.T, s *index.Searcher, n grep.Need) (set *index.Set, ok bool) {
	t.Helper()
	switch n.Op {
	case grep.NeedLiteral:
		l := n.Literal
		set, ok, err := s.MayContain(index.Literal{Text: l.Text, Left: l.Left, Right: l.Right})
		if err != nil {
			t.Fatal(err)
		}
		return set, ok
	case grep.NeedAll:
		for _, sub := range n.Sub {
			found, known := candidates(t, s, sub)
			switch {
			case !known:
			case !ok:
				set, ok = found, true
			default:
				set.Intersect(found)
			}
		}
		return set, ok
	case grep.NeedOne:
		set = index.NewSet()
		for _, sub := range n.Sub {
			found, known := candidates(t, s, sub)
			if !known {
				return nil, false
			}
			set.Union(found)
		}
		return set, true
	}
	return nil, false
}

// A Need means to an index what it means here: no text with a matching line is
// left out of the candidates.
func TestIndexFindsEveryMatchingText(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	lines := strings.Split(grep.MadeText(rng, 800), "\n")
	parts, err := index.Build(len(lines), func(i int) index.Text { return index.Text{Body: lines[i]} }, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := index.Open(func(name string) (blob.Blob, error) {
		i := slices.IndexFunc(parts, func(p index.Part) bool { return p.Name == name })
		return blob.Memory(parts[i].Data), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := index.NewSearcher([]index.Input{{Reader: r}}, nil)
	if err != nil {
		t.Fatal(err)
	}

	n := 3000
	if testing.Short() {
		n = 300
	}
	patterns := append([]string{}, grep.HandPatterns...)
	for i := range n {
		patterns = append(patterns, grep.MadePattern(rng, 1+i%4))
	}
	narrowed, found := 0, 0
	for i, pattern := range patterns {
		p, err := grep.Compile(pattern, grep.Options{CaseSensitive: i%3 == 0, Word: i%4 == 0, Fixed: i%11 == 0})
		if err != nil {
			continue
		}
		set, ok := candidates(t, s, p.Need())
		if !ok {
			continue
		}
		narrowed++
		for num, line := range lines {
			if err := p.Lines(context.Background(), []byte(line), func(grep.Line) bool {
				found++
				if !set.Has(uint32(num)) {
					t.Errorf("%q matches %q, which the index leaves out for %v", pattern, line, p.Need())
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("the index narrowed %d of %d patterns, with %d matching texts", narrowed, len(patterns), found)
	if narrowed < len(patterns)/4 || found < narrowed {
		t.Error("too few patterns are narrowed for this test to mean anything")
	}
}
