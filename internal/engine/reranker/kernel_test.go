//go:build amd64 && !purego

package reranker

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// onKernels calls f once with each kind of kernel that the processor can run.
func onKernels(t *testing.T, f func(name string)) {
	t.Helper()
	if !hasAVX2 {
		t.Skip("needs a processor with AVX2")
	}
	vnni := hasVNNI
	defer func() { hasVNNI = vnni }()
	if vnni {
		f("VNNI")
	}
	hasVNNI = false
	f("AVX2")
}

// The assembly and its twins give the same scores, in bits, for pairs of every
// length.
func TestKernelsAgree(t *testing.T) {
	m := builtin(t)
	s := m.newScratch()
	rng := rand.New(rand.NewPCG(1, 2))
	onKernels(t, func(name string) {
		for _, n := range []int{2, 3, 4, 5, 7, 8, 9, 16, 31, 77, 160} {
			ids, kind := []int32{cls}, []uint8{0}
			for len(ids) < n {
				ids, kind = append(ids, rng.Int32N(int32(len(m.scales)))), append(kind, uint8(rng.IntN(kinds)))
			}
			got, _ := s.forward(t.Context(), ids, kind)
			x := slices.Clone(s.x[:n*m.d])
			hasAVX2 = false
			want, _ := s.forward(t.Context(), ids, kind)
			hasAVX2 = true
			if got != want || !slices.Equal(x, s.x[:n*m.d]) {
				t.Errorf("%s, %d pieces: %g, plain %g", name, n, got, want)
			}
		}
	})
}

// So do kernels given the largest numbers there are, which real pairs never reach.
func TestTilesOfExtremes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const in, rows = 1280, 8
	x, w := make([]byte, rows*in), make([]byte, group*in)
	m, b := make([]float32, group), make([]int32, group)
	for random := range 4 {
		for i := range x {
			if x[i] = 255; random > 0 {
				x[i] = byte(rng.Uint32())
			}
		}
		for i := range w {
			least := int8(-63)
			if w[i] = byte(least); random > 0 {
				w[i] = byte(int8(rng.IntN(127) - 63))
			}
		}
		for i := range m {
			m[i], b[i] = rng.Float32()/64, rng.Int32N(1<<20)-1<<19
		}
		onKernels(t, func(name string) {
			var acc, plain [rows * group]int32
			tile(acc[:], x, rows/4, in, w, m, b)
			tilePlain(plain[:], x, rows/4, in, w, m, b)
			var words, plainWords [rows * group]int16
			var bytes, plainBytes [rows * group]byte
			clipWords(words[:], group, acc[:], rows)
			clipWordsPlain(plainWords[:], group, acc[:], rows)
			clipBytes(bytes[:], group, acc[:], rows)
			clipBytesPlain(plainBytes[:], group, acc[:], rows)
			if acc != plain || words != plainWords || bytes != plainBytes {
				t.Errorf("%s: a tile differs", name)
			}
		})
	}
}

// BenchmarkScore scores 20 candidates of 160 pieces.
func BenchmarkScore(b *testing.B) {
	b.Run("widest", score20)
	vnni := hasVNNI
	defer func() { hasVNNI = vnni }()
	hasVNNI = false
	b.Run("AVX2", score20)
}

func score20(b *testing.B) {
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
