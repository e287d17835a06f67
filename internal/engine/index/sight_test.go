package index

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A word that is passed over by how it begins must not have the stem of a word that is
// looked for: the beginnings of a word and of its stem have a bit in common.
func TestStemsBeginLikeTheirWords(t *testing.T) {
	f, err := os.Open("../../../train/reranker/vocab.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var stem stemmer
	tried := 0
	check := func(word string) {
		tried++
		s := append([]byte(nil), stem.word([]byte(word))...)
		if begin([]byte(word))&begin(s) == 0 {
			t.Errorf("%q begins unlike its stem %q", word, s)
		}
	}
	for in := bufio.NewScanner(f); in.Scan(); {
		if w := in.Text(); w == "" || w[0] < 'a' || w[0] > 'z' {
			continue
		}
		for _, suffix := range []string{"", "s", "es", "ed", "ing", "ly", "able", "ation", "ness", "ies", "er"} {
			check(in.Text() + suffix)
		}
	}
	for _, word := range []string{"dying", "using", "adding", "skies", "only", "aging", "uses", "ugly", "usable", "eying"} {
		check(word)
	}
	if tried < 10_000 {
		t.Errorf("%d words are too few", tried)
	}
}

// Sight passes over most words of a text. What it sees is what reading each token gives. A word
// of one letter, or of another script, keeps it from passing over anything.
func TestSightSeesWhatTokensSay(t *testing.T) {
	some := []string{"listener", "event", "kube-proxy", "proxy", "das", "größe", "v1", "max", "http"}
	t.Run("some", func(t *testing.T) { testSight(t, some) })
	t.Run("any", func(t *testing.T) { testSight(t, append(some, "使用", "x")) })
}

func testSight(t *testing.T, words []string) {
	info := []WordInfo{}
	for _, w := range words {
		info = append(info, WordInfo{Word: Word{Text: w}, Searched: []string{w}, Weight: 1})
	}
	titles := NewTitles(info)
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{
			"addEventListener", "Listeners", "querySelector", "URL", "aB", "_foo", "foo_", "foo__bar", "Foo", "listening", "kube", "proxy", "Größe", "größen", "das", "Das", "使用", "用", "v1", "max_size", "_max",
			"x", "X", "HTTPProxy", "events", "3", " ", " ", " ", ". ", "-", ".", "::", ":", "\n", "_", "é", "\xff", "…", "events.", "ß",
		})).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		var want []Sighting
		place := -1
		titles.tok.each(text, func(k kind, word []byte) {
			if k == wordToken || k == pairToken {
				place++
			}
			bits := titles.written(word)
			if n := len(want); n > 0 && want[n-1].Place == place {
				want[n-1].Words |= bits
			} else if bits != 0 {
				want = append(want, Sighting{Place: place, Words: bits})
			}
		})
		seen := titles.Sight(nil, text)
		last := 0
		for i := range seen {
			if seen[i].At < last || seen[i].At >= len(text) {
				t.Errorf("%q: sighting %d at %d, after %d", text, i, seen[i].At, last)
			}
			last, seen[i].At = seen[i].At, 0
		}
		if !slices.Equal(seen, want) {
			t.Errorf("%q: saw %v, tokens say %v", text, seen, want)
		}
	})
}
