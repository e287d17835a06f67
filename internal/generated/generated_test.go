package generated

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func write(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "doc.md")
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return file
}

// What people wrote around the part stays, to the byte; the part is framed by blank lines
// however it ends, so that making it twice changes nothing.
func TestReplace(t *testing.T) {
	file := write(t, "before\n"+Begin("agents")+"old\n"+End("agents")+"after "+Begin("agents"), 0o600)
	for range 2 {
		if err := Replace(file, "agents", func(string) string { return "| new |\n" }); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if want := "before\n" + Begin("agents") + "\n| new |\n\n" + End("agents") + "after " + Begin("agents"); err != nil || string(got) != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("beside it: %v, %v", left, err)
	}
}

func TestOldPartIsHandedOver(t *testing.T) {
	file := write(t, Begin("gates")+"\n| R1 |\n\n"+End("gates"), 0o644)
	var old string
	if err := Replace(file, "gates", func(s string) string { old = s; return s }); err != nil || old != "\n| R1 |\n\n" {
		t.Errorf("old part %q, %v", old, err)
	}
}

// A document without both lines, in order and once, is left alone.
func TestDocumentsWithoutAPlace(t *testing.T) {
	b, e := Begin("agents"), End("agents")
	for _, text := range []string{"", "text\n", b, e, e + b, b + b + e, b + e + e, "a " + b + e, Begin("gates") + End("gates")} {
		file := write(t, text, 0o644)
		err := Replace(file, "agents", func(string) string { return "x" })
		if err == nil || !strings.Contains(err.Error(), "write it once") || !strings.Contains(err.Error(), "doc.md") {
			t.Errorf("%q: %v", text, err)
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if err := Replace(filepath.Join(t.TempDir(), "no.md"), "agents", func(string) string { return "" }); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}
