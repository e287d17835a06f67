package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// docs/commands has a page for every command, and no others. "go test
// ./internal/surface/cli -run TestCommandPages -update" writes them.
func TestCommandPages(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "docs", "commands")
	want := map[string]string{}
	for name, text := range Manual("v0") {
		if strings.HasSuffix(name, ".md") {
			want[name] = text
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !*update {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := want[e.Name()]; ok {
			continue
		}
		if *update {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("docs/commands/%s is the page of no command", e.Name())
	}
	for name, text := range want {
		file := filepath.Join(dir, name)
		if *update {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, err := os.ReadFile(file)
		if err != nil || string(have) != text {
			t.Errorf("docs/commands/%s is out of date: make docs writes it", name)
		}
	}
}

// Man pages have no fault that troff knows of, and lose no word of the help.
func TestManPages(t *testing.T) {
	groff := needs.Tool(t, "groff")
	for name, text := range Manual("v0") {
		if !strings.HasSuffix(name, ".1") {
			continue
		}
		cmd := exec.CommandContext(t.Context(), groff, "-man", "-ww", "-Tascii", "-P-cbou")
		cmd.Stdin = strings.NewReader(text)
		faults := &strings.Builder{}
		cmd.Stderr = faults
		shown, err := cmd.Output()
		if err != nil || faults.Len() > 0 {
			t.Errorf("%s: %v\n%s", name, err, faults)
		}
		if name != "docent-search.1" {
			continue
		}
		for _, words := range []string{`"two words"`, "-status:draft", "--rerank-ms int", "docent search -- --feature-gates", "date:>2025-01"} {
			if !strings.Contains(string(shown), words) {
				t.Errorf("%s does not show %s:\n%s", name, words, shown)
			}
		}
	}
}
