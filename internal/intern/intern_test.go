package intern

import (
	"encoding/binary"
	"fmt"
	"testing"
)

// Strings are numbered in the order of first use, and found again however many
// there are.
func TestNumber(t *testing.T) {
	var table Table
	for round := range 2 {
		for i := range 5000 {
			s := fmt.Sprint("word ", i*i)
			if i == 7 {
				s = ""
			}
			if n := table.Number(s); n != uint32(i) {
				t.Fatalf("round %d: %q has number %d, want %d", round, s, n, i)
			}
			if got := string(table.Bytes(uint32(i))); got != s {
				t.Fatalf("number %d is %q, want %q", i, got, s)
			}
		}
	}
	if table.Len() != 5000 || len(table.Ends()) != 4*5000 {
		t.Errorf("%d strings, %d bytes of ends", table.Len(), len(table.Ends()))
	}
	if end := binary.LittleEndian.Uint32(table.Ends()[4*4999:]); int(end) != len(table.Heap()) {
		t.Errorf("the last string ends at %d of %d", end, len(table.Heap()))
	}
}

func TestEmpty(t *testing.T) {
	var table Table
	if table.Len() != 0 || len(table.Heap()) != 0 || len(table.Ends()) != 0 {
		t.Error("an empty table holds something")
	}
}
