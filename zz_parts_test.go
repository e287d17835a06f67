package docent

import (
	"context"
	"fmt"
	"os"
	"testing"
)

func TestParts(t *testing.T) {
	if os.Getenv("PARTS") == "" {
		t.Skip()
	}
	lib, err := OpenDir(context.Background(), "/tmp/mdn", "/tmp/mdnidx2", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range lib.segs {
		fmt.Println(s.file.Size(), s.idx.Len(), s.cat.Sections())
		for _, n := range s.file.Names() {
			b, _ := s.file.Part(n)
			fmt.Println(n, b.Len())
		}
	}
}
