package segment

import (
	"path/filepath"
	"testing"
)

// A pack that is served can be replaced: who has it open goes on reading the old one.
func TestReplacedWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs.docent")
	write := func(text string) {
		t.Helper()
		if err := WriteFile(path, []Part{{Name: "a", Data: []byte(text)}}); err != nil {
			t.Fatal(err)
		}
	}
	read := func(f *File) string {
		t.Helper()
		b, ok := f.Part("a")
		if !ok {
			t.Fatal("no part")
		}
		data, err := b.Bytes(0, b.Len())
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	write("first")
	first, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for _, text := range []string{"second", "third"} {
		write(text)
		now, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := read(now); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
		if err := now.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(first); got != "first" {
		t.Errorf("the old file reads %q", got)
	}
}
