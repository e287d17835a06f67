package refresh

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/needs"
)

// When all files were last compared is not believed where it lies ahead of us, nor
// written through a link: the folder may have come with a clone.
func TestLastCheckIsNotTakenOnTrust(t *testing.T) {
	c := &corpus.Corpus{IndexDir: t.TempDir()}
	name := filepath.Join(c.IndexDir, checkedName)
	now := time.Now()
	setLastCheck(c, now)
	if at, ok := lastCheck(c); !ok || now.Sub(at).Abs() > time.Second {
		t.Errorf("last check %v, %v; want %v", at, ok, now)
	}
	setLastCheck(c, now.Add(time.Hour))
	if at, ok := lastCheck(c); ok {
		t.Errorf("a check %v ahead is believed", time.Until(at))
	}
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(precious, name); err != nil {
		needs.Missing(t, "symbolic links", err.Error())
	}
	setLastCheck(c, now)
	if _, err := os.Stat(precious); err == nil {
		t.Error("a file was made where a link leads")
	}
	if err := os.WriteFile(precious, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := lastCheck(c); ok {
		t.Error("a link was believed")
	}
}
