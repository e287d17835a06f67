package embed

import (
	"math"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func baseModel(t testing.TB) *Model {
	t.Helper()
	m, err := NewModel(Base(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEmbedGivesUnitVectors(t *testing.T) {
	m := baseModel(t)
	for _, text := range []string{"rotate keys", "x", strings.Repeat("the quick brown fox ", 5000), "日本語", "zzyzx-unknown"} {
		v := m.Embed(text)
		if c := Cosine(&v, &v); math.Abs(float64(c)-1) > 1e-5 {
			t.Errorf("%.20q: length %g", text, c)
		}
		if v.Scale != ScaleOf(&v.Values) {
			t.Errorf("%.20q: scale %g is not that of its values", text, v.Scale)
		}
	}
	for _, text := range []string{"", " \n", "--- ... ---"} {
		if v := m.Embed(text); v != (Vector{}) {
			t.Errorf("%q has no words and a vector", text)
		}
	}
}

// Against the obvious version, in floats.
func TestEmbedEqualsTheSumOfRows(t *testing.T) {
	m := baseModel(t)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("rotate keys of the server with kubectl parseHTTPHeader zzyzx log logs LOG")), 1, 60).Draw(t, "words")
		text := strings.Join(words, " ")
		count := map[int]int{}
		for _, w := range wordsOf(text) {
			count[m.table.find([]byte(w))]++
		}
		var sum row
		for n, times := range count {
			var r row
			readRow(&r, m.row(n))
			addPlain(&sum, float32(1+math.Log(float64(times))), &r)
		}
		v := m.Embed(text)
		var got row
		for k, x := range v.Values {
			got[k] = float32(x)
		}
		if cos := cosine(&sum, &got); cos < 0.9995 {
			t.Fatalf("cosine %.5f", cos)
		}
	})
}

func TestEmbedKnowsNoOrder(t *testing.T) {
	m := baseModel(t)
	if m.Embed("rotate the signing keys") != m.Embed("keys signing the rotate") {
		t.Error("order counts")
	}
}

func TestTimesAreRepeats(t *testing.T) {
	m := baseModel(t)
	e := m.NewEncoder()
	e.Add("rotate keys", 3)
	e.Add("keys lie in the vault", 1)
	if got := e.Vector(); got != m.Embed("rotate keys rotate keys rotate keys keys lie in the vault") {
		t.Error("three times is not thrice")
	}
	if e.Vector() != (Vector{}) {
		t.Error("an encoder does not begin anew")
	}
}

func TestEmbedFromManyGoroutines(t *testing.T) {
	m := baseModel(t)
	texts := []string{"rotate keys", "where do logs go", "parseHTTPHeader fails", ""}
	var want []Vector
	for _, text := range texts {
		want = append(want, m.NewEncoder().vectorOf(text))
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 200 {
				k := (g + i) % len(texts)
				if m.Embed(texts[k]) != want[k] {
					t.Errorf("%q differs", texts[k])
				}
			}
		})
	}
	wg.Wait()
}

func (e *Encoder) vectorOf(text string) Vector {
	e.Add(text, 1)
	return e.Vector()
}

// The largest sums there can be neither overflow nor turn.
func TestQuantiseExtremes(t *testing.T) {
	var sum [Dim]int64
	sum[0], sum[1], sum[2], sum[3] = math.MaxInt64>>1, -(math.MaxInt64 >> 1), math.MaxInt64>>2, 1
	v := quantise(&sum)
	if v.Values[0] != 127 || v.Values[1] != -127 || v.Values[2] != 63 || v.Values[3] != 0 {
		t.Error(v.Values[:4])
	}
	sum = [Dim]int64{3, -1, 1}
	if v := quantise(&sum); v.Values[0] != 127 || v.Values[1] != -42 || v.Values[2] != 42 {
		t.Error(v.Values[:3])
	}
}

// The vectors of an index must not change with the processor or the compiler.
func TestEmbedIsPinned(t *testing.T) {
	rows := make([]row, 11)
	for i := range rows {
		for k := range rows[i] {
			rows[i][k] = float32((i*31+k*17+i*k)%29-14) / 20
		}
	}
	table, err := newTable([]string{"rotate", "keys", "the"}, 8, rows)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewModel(table, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := m.Embed("Rotate the keys, then the logs")
	if got, want := v.Values[:8], []int8{-118, 2, 1, 8, -6, 6, 17, 3}; string(bytesOf(got)) != string(bytesOf(want)) {
		t.Errorf("%v, want %v", got, want)
	}
}

func bytesOf(v []int8) (out []byte) {
	for _, x := range v {
		out = append(out, byte(x))
	}
	return out
}

func BenchmarkEmbed(b *testing.B) {
	m := baseModel(b)
	text := strings.Repeat("To rotate the signing keys of the API server, run `kubectl rotate --max-age 30d` and wait until "+
		"every node has reported the new certificate; clients that still hold the old token are refused. ", 6)
	e := m.NewEncoder()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		e.Add(text, 1)
		e.Vector()
	}
}

func BenchmarkEmbedQuery(b *testing.B) {
	m := baseModel(b)
	b.ReportAllocs()
	for b.Loop() {
		m.Embed("how do I rotate the signing keys of the server")
	}
}
