package docent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A thousand skipped files with long names were once more than the manifest holds,
// and no question was answered for their sake.
func TestSkippedFilesFitTheManifest(t *testing.T) {
	var m meta
	var all []Skip
	for i := range 2 * maxSkips {
		all = append(all, Skip{Path: strings.Repeat("\x01", 4000) + fmt.Sprint(i), Reason: "not UTF-8"})
	}
	m.setSkipped(all)
	raw, err := json.Marshal(m)
	if err != nil || len(raw) > 900_000 || m.Skips != len(all) || len(m.Skipped) == 0 {
		t.Errorf("%d bytes for %d of %d skipped files, %v", len(raw), len(m.Skipped), m.Skips, err)
	}
	for i := range all {
		all[i].Path = fmt.Sprint("some/usual/folder/file", i)
	}
	if m.setSkipped(all); len(m.Skipped) != maxSkips {
		t.Errorf("%d skipped files are named, want %d", len(m.Skipped), maxSkips)
	}
}

// Files that cannot be read are looked at before each answer, for they may have
// become readable. Many of them once looked like many new files, which is when an
// index is made anew: it was so for each question.
func TestManySkippedFilesAreNoReasonToStartOver(t *testing.T) {
	g := newGarden(t, 19, 5)
	for i := range maxDeltaFiles + 50 {
		if err := os.WriteFile(filepath.Join(g.dir, fmt.Sprintf("a/bad%d.md", i)), []byte("\xff\xfe bad"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	index := filepath.Join(t.TempDir(), "index")
	lib := g.open(index)
	built, skips := lib.meta.Built, lib.meta.Skips
	_ = lib.Close()
	if skips != maxDeltaFiles+50 {
		t.Fatalf("%d files were skipped", skips)
	}
	lib = g.open(index)
	defer lib.Close()
	if !lib.meta.Built.Equal(built) {
		t.Error("the index was made anew")
	}
}

// When all files were last compared is not believed where it lies ahead of us, nor
// written through a link: the folder may have come with a clone.
func TestLastCheckIsNotTakenOnTrust(t *testing.T) {
	c := &corpus{store: t.TempDir()}
	name := filepath.Join(c.store, checkedName)
	now := time.Now()
	c.setLastCheck(now)
	if at, ok := c.lastCheck(); !ok || now.Sub(at).Abs() > time.Second {
		t.Errorf("last check %v, %v; want %v", at, ok, now)
	}
	c.setLastCheck(now.Add(time.Hour))
	if at, ok := c.lastCheck(); ok {
		t.Errorf("a check %v ahead is believed", time.Until(at))
	}
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(precious, name); err != nil {
		t.Skip(err)
	}
	c.setLastCheck(now)
	if _, err := os.Stat(precious); err == nil {
		t.Error("a file was made where a link leads")
	}
	if err := os.WriteFile(precious, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.lastCheck(); ok {
		t.Error("a link was believed")
	}
}
