//go:build amd64 && !purego

package reranker

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The assembly and its twins give the same scores, in bits, for pairs of every
// length.
func TestKernelsAgree(t *testing.T) {
	if !hasAVX2 {
		t.Skip("needs a processor with AVX2")
	}
	m := builtin(t)
	s := m.newScratch()
	rng := rand.New(rand.NewPCG(1, 2))
	defer func() { hasAVX2 = true }()
	for _, n := range []int{2, 3, 4, 5, 7, 8, 9, 16, 31, 77, 160} {
		ids, kind := []int32{cls}, []uint8{0}
		for len(ids) < n {
			ids, kind = append(ids, rng.Int32N(int32(len(m.scales)))), append(kind, uint8(rng.IntN(kinds)))
		}
		hasAVX2 = true
		got, _ := s.forward(t.Context(), ids, kind)
		x := slices.Clone(s.x[:n*m.d])
		hasAVX2 = false
		want, _ := s.forward(t.Context(), ids, kind)
		if got != want || !slices.Equal(x, s.x[:n*m.d]) {
			t.Errorf("%d pieces: %g, plain %g", n, got, want)
		}
	}
}

// So do kernels given the largest numbers there are, which real pairs never reach.
func TestTilesOfExtremes(t *testing.T) {
	if !hasAVX2 {
		t.Skip("needs a processor with AVX2")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	defer func() { hasAVX2 = true }()
	const in, rows = 1280, 8
	x, w := make([]byte, rows*in), make([]byte, group*in)
	for _, random := range []bool{false, true} {
		for i := range x {
			if x[i] = 255; random {
				x[i] = byte(rng.Uint32())
			}
		}
		for i := range w {
			least := int8(-63)
			if w[i] = byte(least); random {
				w[i] = byte(int8(rng.IntN(127) - 63))
			}
		}
		m, b := make([]float32, group), make([]int32, group)
		for i := range m {
			m[i], b[i] = rng.Float32()/64, rng.Int32N(1<<20)-1<<19
		}
		var acc, plain [rows * group]int32
		tile(acc[:], x, rows/4, in, w, m, b)
		tilePlain(plain[:], x, rows/4, in, w, m, b)
		if acc != plain {
			t.Fatal("a tile differs")
		}
		var words, plainWords [rows * group]int16
		var bytes, plainBytes [rows * group]byte
		clipWords(words[:], group, acc[:], rows)
		clipWordsPlain(plainWords[:], group, acc[:], rows)
		clipBytes(bytes[:], group, acc[:], rows)
		clipBytesPlain(plainBytes[:], group, acc[:], rows)
		if words != plainWords || bytes != plainBytes {
			t.Fatal("numbers are not cut alike")
		}
	}
}

func BenchmarkScore20(b *testing.B) {
	m := builtin(b)
	text := ""
	for i := range 60 {
		text += "The operator rotates certificates before they expire, and restarts what uses them. "
		if i%5 == 4 {
			text += "\n\n"
		}
	}
	cs, out := slices.Repeat([]Candidate{{"Guide. Certificates. Rotation", text}}, 20), make([]float32, 20)
	for b.Loop() {
		if n, err := m.Score(b.Context(), "how are certificates rotated?", cs, out); n != 20 || err != nil {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		if _, err := Open(file); err != nil {
			b.Fatal(err)
		}
	}
}
