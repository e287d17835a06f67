package needs

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Tests with links are skipped only where a system makes none: not on those that always do.
func TestLinks(t *testing.T) {
	if err := LinksIn(t.TempDir()); err != nil && runtime.GOOS != "windows" {
		t.Errorf("no links: %v", err)
	}
	name := filepath.Join(t.TempDir(), "link")
	Link(t, "nowhere", name)
	if to, err := os.Readlink(name); err != nil || to != "nowhere" {
		t.Errorf("leads to %q, %v", to, err)
	}
}

// On a real system a program can start itself.
func TestPrograms(t *testing.T) {
	Programs(t)
	if err := startsItself(); err != nil {
		t.Error(err)
	}
}
