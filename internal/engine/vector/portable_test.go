package vector

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Blocks and the scores of their rows have the same bits on every processor.
func TestBitsArePinned(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	some := func() []float32 {
		v := make([]float32, 100)
		for d := range v {
			v[d] = float32(rng.IntN(2001)-1000) / 512
		}
		return v
	}
	b, err := NewBuilder(100)
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if err := b.Add(some()); err != nil {
			t.Fatal(err)
		}
	}
	high, low := b.Bytes()
	h := sha256.New()
	h.Write(high)
	h.Write(low)
	r, err := Open(high, low)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		q, err := NewQuery(some())
		if err != nil {
			t.Fatal(err)
		}
		found, err := r.Top(q, 10, -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			fmt.Fprintln(h, m.ID, math.Float32bits(m.Score))
		}
	}
	const want = "c2f1930ed14b72f2"
	if got := hex.EncodeToString(h.Sum(nil))[:16]; got != want {
		t.Errorf("the block and its scores have hash %s, want %s", got, want)
	}
}
