package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"
)

// Scores, and with them the order of answers, have the same bits on every processor. A
// change to ranking changes the hash too: it is the same everywhere then.
func TestScoresAreUnchanged(t *testing.T) {
	s := wholeSearcher(t, randomTexts(rand.New(rand.NewPCG(8, 8)), 500))
	h := sha256.New()
	for _, q := range []string{
		"controllers of the node", "kubeProxy", "cafe naive", "zebra zebra quark", "controler accidentaly", "服务 url v1.2.3",
	} {
		res, err := s.Top(Parse(q), 40, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range res.Matches {
			fmt.Fprintln(h, q, m.Num, uint32(m.Score))
		}
	}
	const want = "fe708f2908d8a65a"
	if got := hex.EncodeToString(h.Sum(nil))[:16]; got != want {
		t.Errorf("the scores have hash %s, want %s", got, want)
	}
}
