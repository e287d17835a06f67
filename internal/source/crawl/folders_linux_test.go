package crawl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// list lists a tree with what is known of its folders.
func listKnown(t *testing.T, dir string, known *Folders) Listing {
	t.Helper()
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	out, err := tree.List(context.Background(), Options{Known: known})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// settledFolders are known folders in whose eyes every stamp is old enough.
func settledFolders(t *testing.T, data []byte) *Folders {
	t.Helper()
	f, err := DecodeFolders(data)
	if err != nil {
		t.Fatal(err)
	}
	f.later = time.Hour
	return f
}

func met(f *Folders) (n int) {
	for _, seen := range f.seen {
		if seen {
			n++
		}
	}
	return n
}

// manyFolders makes a tree of n folders with a few files each.
func manyFolders(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	f := files{".gitignore": "drafts/\n"}
	for i := range n {
		at := fmt.Sprintf("part%d/chapter%d/", i%7, i)
		f[at+"index.md"] = "# Text\n"
		f[at+"picture.png"] = "x"
	}
	f.on(t, dir)
	return dir
}

// skipUnlessKept is for file systems of which nothing is remembered.
func skipUnlessKept(t *testing.T, dir string) {
	t.Helper()
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if !keepsTimes(int(d.Fd())) {
		t.Skip("the file system of the temporary folder is not known to keep the times of folders")
	}
}

// Whatever is done to a tree, what is known of its folders does not change what is
// found in it.
func TestKnownFoldersListTheSame(t *testing.T) {
	dir := manyFolders(t, 80)
	skipUnlessKept(t, dir)
	r := rand.New(rand.NewPCG(1, 2))
	some := func() string {
		i := r.IntN(80)
		return filepath.Join(dir, fmt.Sprintf("part%d", i%7), fmt.Sprintf("chapter%d", i))
	}
	do := func(step int) {
		at := some()
		name := filepath.Join(at, fmt.Sprintf("page%d.md", r.IntN(4)))
		switch r.IntN(9) {
		case 0, 1:
			_ = os.WriteFile(name, fmt.Appendf(nil, "# %d\n", step), 0o644)
		case 2:
			_ = os.Remove(name)
		case 3:
			_ = os.Rename(name, filepath.Join(some(), "moved.md"))
		case 4:
			_ = os.RemoveAll(at)
		case 5:
			_ = os.MkdirAll(filepath.Join(at, "deeper"), 0o755)
			_ = os.WriteFile(filepath.Join(at, "deeper", "new.md"), []byte("# New\n"), 0o644)
		case 6:
			_ = os.Symlink("index.md", filepath.Join(at, "link.md"))
		case 7:
			_ = os.WriteFile(filepath.Join(at, ".gitignore"), fmt.Appendf(nil, "page%d.md\n", r.IntN(4)), 0o644)
		case 8:
			_ = os.WriteFile(filepath.Join(at, "index.md"), fmt.Appendf(nil, "# Longer and longer %d\n", step), 0o644)
		}
	}
	var data []byte
	recalled := 0
	for step := range 60 {
		time.Sleep(20 * time.Millisecond) // a coarse clock goes on
		for range step % 4 {
			do(step)
		}
		known := settledFolders(t, data)
		got, want := listKnown(t, dir, known), listKnown(t, dir, nil)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d: %d files with known folders, %d without\n%v\n%v", step, len(got.Files), len(want.Files), got, want)
		}
		recalled += met(known)
		data = known.Encode()
	}
	if recalled < 60*40 {
		t.Errorf("%d folders were recalled in 60 steps", recalled)
	}
}

// A folder that was just changed may change again without a trace.
func TestNewFoldersAreNotRemembered(t *testing.T) {
	dir := manyFolders(t, 80)
	f, _ := DecodeFolders(nil)
	f.later = -time.Minute // the moment they were made, however long that took
	listKnown(t, dir, f)
	if f.Worth() || len(f.fresh) != 0 {
		t.Errorf("%d folders made a moment ago are remembered", len(f.fresh))
	}
}

func TestFoldersAreKeptWhereTheyHelp(t *testing.T) {
	dir := manyFolders(t, 80)
	skipUnlessKept(t, dir)
	first := settledFolders(t, nil)
	listKnown(t, dir, first)
	if !first.Worth() {
		t.Fatal("80 folders are not worth keeping")
	}
	data := first.Encode()
	again := settledFolders(t, data)
	listKnown(t, dir, again)
	if again.Worth() {
		t.Error("nothing new is worth keeping")
	}
	if string(again.Encode()) != string(data) {
		t.Error("the same folders are encoded in another way")
	}
	few := settledFolders(t, nil)
	listKnown(t, manyFolders(t, 5), few)
	if few.Worth() {
		t.Error("5 folders are worth keeping")
	}
}

// Of damaged bytes nothing is known, and they crash nothing.
func TestDamagedFolders(t *testing.T) {
	dir := manyFolders(t, 80)
	skipUnlessKept(t, dir)
	first := settledFolders(t, nil)
	listKnown(t, dir, first)
	data := first.Encode()
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		bad := append([]byte(nil), data...)
		if r.IntN(2) == 0 {
			bad = bad[:r.IntN(len(bad)-1)+1]
		} else {
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
		}
		if f, err := DecodeFolders(bad); err == nil || len(f.seen) != 0 {
			t.Fatalf("damaged folders were taken for whole: %v", err)
		}
	}
	// Nor do rows that contradict each other, under a checksum that is right.
	for range 200 {
		f := settledFolders(t, data)
		f.table = append([]byte(nil), f.table...)
		for range 5 {
			f.table[r.IntN(len(f.table))] ^= 1 << r.IntN(8)
		}
		listKnown(t, dir, f)
	}
}
