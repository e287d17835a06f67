//go:build unix

package main

import (
	"math"
	"strings"
	"testing"
)

// The vocabulary of copies together grows as their number to the power of heaps.
func TestVocabularyGrowsAsHeapsSays(t *testing.T) {
	var text strings.Builder
	for i := range 5000 {
		text.WriteString("word" + strings.Map(func(r rune) rune { return r - '0' + 'a' }, number(1e6+float64(i))) + " ")
	}
	words := map[string]bool{}
	var copies, sizes []float64
	for j := range 40 {
		for w := range strings.FieldsSeq(anew(text.String(), j)) {
			words[w] = true
		}
		if j >= 3 {
			copies, sizes = append(copies, float64(j+1)), append(sizes, float64(len(words)))
		}
	}
	if e := exponent(copies, sizes); math.Abs(e-heaps) > 0.05 {
		t.Errorf("the vocabulary grows as copies^%.3f, want %.2f", e, heaps)
	}
}

// Links, names and markup stay as they are, so that links lead somewhere.
func TestCopiesKeepLinksAndNames(t *testing.T) {
	const line = "[window](../window.md#open) calls `setTimeout()` and {{domxref(\"Window\")}} twice_over.\n"
	for j := range 30 {
		got := anew(line, j)
		for _, kept := range []string{"](../window.md#open)", "`setTimeout()`", "{{domxref(\"Window\")}}", "twice_over.\n"} {
			if !strings.Contains(got, kept) {
				t.Errorf("copy %d lost %s: %s", j, kept, got)
			}
		}
	}
}

func TestExponent(t *testing.T) {
	if e := exponent([]float64{1, 10, 100}, []float64{3, 30, 300}); math.Abs(e-1) > 1e-9 {
		t.Errorf("a cost that grows as the size does has exponent %v", e)
	}
}
