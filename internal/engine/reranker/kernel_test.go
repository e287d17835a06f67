//go:build (amd64 || arm64) && !purego

package reranker

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// onKernels calls f once with each kind of kernel that the processor can run.
func onKernels(t *testing.T, f func(name string)) {
	t.Helper()
	if !fast {
		t.Skip("needs a processor with AVX2 or NEON")
	}
	was := wide
	defer func() { wide = was }()
	if wide {
		f("wide")
	}
	wide = false
	f("fast")
}

// The assembly and its twins give the same scores, in bits, for pairs of every
// length.
func TestKernelsAgree(t *testing.T) {
	needs.Time(t)
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
			fast = false
			want, _ := s.forward(t.Context(), ids, kind)
			fast = true
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
	x := make([]byte, rows*in)
	l := linear{in: in, out: group, w: make([]byte, group*in), m: make([]float32, group), b: make([]int32, group)}
	for n, name := range []string{"largest", "least", "random, high", "random"} {
		l.high = 128
		for i := range x {
			x[i] = []byte{255, 0, byte(rng.Uint32()), byte(rng.Uint32()) & 127}[n]
		}
		for i := range l.w {
			l.w[i] = byte(int8([]int{-63, -63, rng.IntN(127) - 63, rng.IntN(127) - 63}[n]))
		}
		for i := range l.m {
			l.m[i], l.b[i] = rng.Float32()/64, rng.Int32N(1<<20)-1<<19
		}
		if name == "random" {
			l.high = 0
		}
		prepare(&l)
		onKernels(t, func(kernel string) {
			var acc, plain [rows * group]int32
			tile(acc[:], x, rows/4, &l, 0)
			tilePlain(plain[:], x, rows/4, &l, 0)
			var words, plainWords [rows * group]int16
			var bytes, plainBytes [rows * group]byte
			clipWords(words[:], group, acc[:], rows)
			clipWordsPlain(plainWords[:], group, acc[:], rows)
			clipBytes(bytes[:], group, acc[:], rows)
			clipBytesPlain(plainBytes[:], group, acc[:], rows)
			if acc != plain || words != plainWords || bytes != plainBytes {
				t.Errorf("%s, %s: a tile differs", name, kernel)
			}
		})
	}
}

// BenchmarkScore scores 20 candidates of 160 pieces.
func BenchmarkScore(b *testing.B) {
	b.Run("widest", score20)
	was := wide
	defer func() { wide = was }()
	wide = false
	b.Run("fast", score20)
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
