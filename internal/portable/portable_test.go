package portable

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"
)

func TestAgreesWithMath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		x := math.Exp((rng.Float64() - 0.5) * 80)
		y := (rng.Float64() - 0.5) * 60
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"Log", Log(x), math.Log(x)},
			{"Log2", Log2(x), math.Log2(x)},
			{"Exp", Exp(y), math.Exp(y)},
			{"Exp2", Exp2(y), math.Exp2(y)},
			{"Pow", Pow(x, y/10), math.Pow(x, y/10)},
		} {
			if off := math.Abs(c.got - c.want); off > 1e-13*math.Abs(c.want)+1e-15 {
				t.Fatalf("%s of %v, %v: got %v, want %v", c.name, x, y, c.got, c.want)
			}
		}
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Log 0", Log(0), -inf},
		{"Log 1", Log(1), 0},
		{"Log -1", Log(-1), nan},
		{"Log inf", Log(inf), inf},
		{"Log2 8", Log2(8), 3},
		{"Log2 1/4", Log2(0.25), -2},
		{"Exp 0", Exp(0), 1},
		{"Exp -inf", Exp(-inf), 0},
		{"Exp inf", Exp(inf), inf},
		{"Exp 1000", Exp(1000), inf},
		{"Exp nan", Exp(nan), nan},
		{"Exp2 -1", Exp2(-1), 0.5},
		{"Pow 1", Pow(1, 0.6), 1},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

// Every processor computes these bits: the sum was made on one of them.
func TestSameBits(t *testing.T) {
	const want = "ade9a740b7f38b51"
	rng := rand.New(rand.NewPCG(3, 4))
	h := sha256.New()
	for range 5000 {
		x, y := float64(1+rng.IntN(1_000_000))/float64(1+rng.IntN(1000)), float64(rng.Float64()*20)-10
		for _, v := range []float64{Log(x), Log2(x), Exp(y), Exp2(y), Pow(x, 0.6)} {
			_ = binary.Write(h, binary.LittleEndian, math.Float64bits(v))
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
