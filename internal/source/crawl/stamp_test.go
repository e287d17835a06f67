package crawl

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStampTellsAnyChange(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.md")
	began := time.Now()
	write(t, name, "some text")
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	before, ok := tree.Stamp("a.md")
	if !ok {
		t.Skip("no stamps on this system")
	}
	if again, ok := tree.Stamp("a.md"); !ok || again != before {
		t.Errorf("%+v, then %+v without a change", before, again)
	}
	if before.Settled(began.Add(time.Second)) || !before.Settled(time.Now().Add(time.Minute)) {
		t.Error("a new file is settled, or an old one is not")
	}
	// The same size, and the old time: only the system's own clock tells.
	time.Sleep(20 * time.Millisecond)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, "text some")
	if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	after, ok := tree.Stamp("a.md")
	if !ok || after == before {
		t.Errorf("a change went unnoticed: %+v", after)
	}
	if after.Size != before.Size || after.Modified != before.Modified {
		t.Errorf("%+v, then %+v: the test proves nothing", before, after)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if _, ok := tree.Stamp("a.md"); ok {
		t.Error("a file that is gone has a stamp")
	}
}
