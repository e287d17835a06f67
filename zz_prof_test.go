package docent

import (
	"context"
	"os"
	"testing"
)

func BenchmarkMDN(b *testing.B) {
	if _, err := os.Stat("/tmp/mdn"); err != nil {
		b.Skip()
	}
	for b.Loop() {
		os.RemoveAll("/tmp/mdnidx")
		lib, err := OpenDir(context.Background(), "/tmp/mdn", "/tmp/mdnidx", Options{})
		if err != nil {
			b.Fatal(err)
		}
		lib.Close()
	}
}
