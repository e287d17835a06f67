package embed

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// someRows returns rows of about the size of real ones.
func someRows(n int, seed uint64) []row {
	rng := rand.New(rand.NewPCG(seed, 0))
	rows := make([]row, n)
	for i := range rows {
		for k := range rows[i] {
			rows[i][k] = float32(rng.NormFloat64() * 0.4)
		}
	}
	return rows
}

func someTable(t testing.TB, buckets int, words ...string) *Table {
	t.Helper()
	table, err := newTable(words, buckets, someRows(len(words)+buckets, 1))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTableKeepsWords(t *testing.T) {
	var words []string
	for i := range 5000 {
		words = append(words, fmt.Sprint("word", i*i))
	}
	table := someTable(t, 64, words...)
	again, err := Open(append([]byte(nil), table.Bytes()...))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Verify(); err != nil {
		t.Error(err)
	}
	if again.Fingerprint() != table.Fingerprint() || again.words != 5000 || again.Rows() != 5064 {
		t.Errorf("%s, %d words, %d rows", again.Fingerprint(), again.words, again.Rows())
	}
	for i, w := range words {
		if n := again.find([]byte(w)); n != i {
			t.Fatalf("%s is row %d, not %d", w, n, i)
		}
	}
	buckets := map[int]bool{}
	for i := range 1000 {
		n := again.find(fmt.Append(nil, "other", i))
		if n < 5000 || n >= 5064 {
			t.Fatalf("an unknown word is in row %d", n)
		}
		buckets[n] = true
	}
	if len(buckets) < 60 {
		t.Errorf("1000 unknown words fill %d buckets of 64", len(buckets))
	}
}

func TestTableRefusesWordsTwice(t *testing.T) {
	if _, err := newTable([]string{"a", "b", "a"}, 2, make([]row, 5)); err == nil || !strings.Contains(err.Error(), `"a" comes twice`) {
		t.Error(err)
	}
	if _, err := newTable(nil, 3, make([]row, 3)); err == nil {
		t.Error("three buckets are no power of two")
	}
}

func TestOpenRefuses(t *testing.T) {
	good := someTable(t, 2, "a", "b").Bytes()
	for name, data := range map[string][]byte{
		"nothing":         nil,
		"another file":    []byte(strings.Repeat("# Keys\n", 100)),
		"a cut file":      good[:len(good)-1],
		"a longer file":   append(append([]byte(nil), good...), 0),
		"no buckets":      with(good, 24, 0),
		"too many words":  with(good, 20, 255),
		"other dimension": with(good, 16, 1),
		"no slots":        with(good, 28, 0),
	} {
		if _, err := Open(data); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func with(data []byte, at int, b byte) []byte {
	data = append([]byte(nil), data...)
	data[at] = b
	return data
}

// Whatever is damaged, nothing panics and Verify tells.
func TestDamagedTable(t *testing.T) {
	good := someTable(t, 2, "rotate", "keys", "logs").Bytes()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		at, bit := rng.IntN(len(good)), byte(1)<<rng.IntN(8)
		table, err := Open(with(good, at, good[at]^bit))
		if err != nil {
			continue
		}
		if table.Verify() == nil {
			t.Fatalf("byte %d may change", at)
		}
		m, err := NewModel(table, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Embed("rotate the keys and logs")
	}
}

func TestRowsKeepVectors(t *testing.T) {
	for i, v := range someRows(200, 7) {
		var stored [rowBytes]byte
		var got row
		writeRow(stored[:], &v)
		readRow(&got, stored[:])
		if cos := cosine(&v, &got); cos < 0.99 {
			t.Errorf("row %d comes back at cosine %.4f", i, cos)
		}
		var sum [Dim]int64
		addRow(&sum, stored[:], 256)
		for k := range sum {
			if want := float64(got[k]) / unit * 256; math.Abs(float64(sum[k])-want) > 1 {
				t.Fatalf("dimension %d adds %d, want %g", k, sum[k], want)
			}
		}
	}
}

func TestRowsOfOddVectors(t *testing.T) {
	var huge, mixed row
	for k := range huge {
		huge[k] = 1e9
	}
	mixed[3], mixed[200] = 5, -1e-9
	for _, v := range []*row{{}, &huge, &mixed} {
		var stored [rowBytes]byte
		var got row
		writeRow(stored[:], v)
		readRow(&got, stored[:])
		for k := range got {
			if math.Abs(float64(got[k])) > math.Abs(float64(v[k]))+1e-3 {
				t.Errorf("%g became %g", v[k], got[k])
			}
		}
	}
}

func cosine(a, b *row) float64 {
	ab, aa, bb := 0., 0., 0.
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

// The table that ships is whole, is the one the model card tells of, and is no
// larger than was promised.
func TestBase(t *testing.T) {
	table := Base()
	if err := table.Verify(); err != nil {
		t.Error(err)
	}
	if size := len(table.Bytes()); size > 10_000_000 {
		t.Errorf("%d bytes", size)
	}
	card, err := os.ReadFile("MODEL_CARD.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(card), table.Fingerprint()) {
		t.Errorf("MODEL_CARD.md does not name %s", table.Fingerprint())
	}
}

// What the table has learnt, in words.
func TestBaseKnowsNeighbours(t *testing.T) {
	m, err := NewModel(Base(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range [][3]string{
		{"delete", "remove", "install"},
		{"authentication", "login", "layout"},
		{"error", "exception", "button"},
		{"how do I rotate credentials", "renew the secret keys of an account", "draw a rectangle on the screen"},
	} {
		v, near, far := m.Embed(tt[0]), m.Embed(tt[1]), m.Embed(tt[2])
		if a, b := Cosine(&v, &near), Cosine(&v, &far); a < b+0.1 {
			t.Errorf("%s: %s at %.3f, %s at %.3f", tt[0], tt[1], a, tt[2], b)
		}
	}
}
