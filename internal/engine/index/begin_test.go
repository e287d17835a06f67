package index

import (
	"bufio"
	"os"
	"testing"
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
