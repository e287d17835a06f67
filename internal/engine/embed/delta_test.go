package embed

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func someDelta(t *testing.T, table *Table, numbers ...int) *Delta {
	t.Helper()
	d, err := newDelta(table, numbers, someRows(len(numbers), 2))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDeltaHoldsChangedRows(t *testing.T) {
	table := someTable(t, 128, "rotate", "keys", "logs")
	numbers := []int{0, 2, 63, 64, 65, 130}
	d := someDelta(t, table, numbers...)
	d, err := OpenDelta(append([]byte(nil), d.Bytes()...))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(); err != nil {
		t.Error(err)
	}
	rows := someRows(len(numbers), 2)
	for n := range table.Rows() {
		var want []byte
		for i, number := range numbers {
			if number == n {
				want = make([]byte, rowBytes)
				writeRow(want, &rows[i])
			}
		}
		if !bytes.Equal(d.row(n), want) {
			t.Errorf("row %d", n)
		}
	}
}

// A delta over a table is the table with those rows.
func TestWith(t *testing.T) {
	table := someTable(t, 8, "rotate", "keys", "logs")
	d := someDelta(t, table, 1, 4)
	whole, err := table.With(d)
	if err != nil {
		t.Fatal(err)
	}
	if err := whole.Verify(); err != nil {
		t.Error(err)
	}
	over, err := NewModel(table, d)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := NewModel(whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"rotate keys", "logs", "some other words of no table"} {
		if over.Embed(text) != alone.Embed(text) {
			t.Errorf("%q differs", text)
		}
	}
	if over.Fingerprint() == alone.Fingerprint() || !strings.HasPrefix(over.Fingerprint(), table.Fingerprint()+"+") {
		t.Error(over.Fingerprint())
	}
}

func TestDeltaOfAnotherTable(t *testing.T) {
	d := someDelta(t, someTable(t, 8, "rotate"), 1)
	other := someTable(t, 8, "keys")
	if _, err := NewModel(other, d); err == nil || !strings.Contains(err.Error(), "another table") {
		t.Error(err)
	}
	if _, err := other.With(d); err == nil {
		t.Error("taken")
	}
}

// Whatever is damaged, nothing panics and either OpenDelta or Verify tells.
func TestDamagedDelta(t *testing.T) {
	table := someTable(t, 128, "rotate", "keys", "logs")
	good := someDelta(t, table, 0, 1, 70, 100).Bytes()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		at, bit := rng.IntN(len(good)), byte(1)<<rng.IntN(8)
		d, err := OpenDelta(with(good, at, good[at]^bit))
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			continue
		}
		if d.Verify() == nil {
			t.Fatalf("byte %d may change", at)
		}
		if m, err := NewModel(table, d); err == nil {
			m.Embed("rotate the keys and logs")
		}
	}
	for n := range len(good) {
		if _, err := OpenDelta(good[:n]); err == nil {
			t.Fatalf("%d bytes of %d open", n, len(good))
		}
	}
}
