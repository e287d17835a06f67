package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// shown is a row's command and what it prints: `docent ...` → `text`.
var shown = regexp.MustCompile("^`(.+)` → `(.+)`$")

// tried is a row's test: test `path`.
var tried = regexp.MustCompile("^test `(.+)`$")

// Two reviews went through the specifications sentence by sentence and found what did not
// work. The table in docs/specifications.md has every requirement; its commands are run
// here, each in a copy of the example documents, and must print what the table says.
func TestSpecifications(t *testing.T) {
	needs.Time(t)
	shell := needs.Tool(t, "bash")
	root := filepath.Join("..", "..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "specifications.md"))
	if err != nil {
		t.Fatal(err)
	}
	bin := programFolder(t)
	section, rows := "", 0
	for line := range strings.Lines(string(page)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(title)
		}
		cells := tableCells(line)
		if len(cells) != 4 || cells[0] == "requirement" || cells[0] == "feature" || strings.HasPrefix(cells[0], "---") {
			continue
		}
		rows++
		for _, m := range regexp.MustCompile("`((?:internal|tool|answer|cmd|[a-z]+\\.go)[^` ]*)`").FindAllStringSubmatch(cells[1], -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s, %s: %v", section, cells[0], err)
			}
		}
		see := cells[2]
		if m := tried.FindStringSubmatch(see); m != nil {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s, %s: %v", section, cells[0], err)
			}
			continue
		}
		m := shown.FindStringSubmatch(see)
		if m == nil {
			t.Errorf("%s, %s: neither a command and what it prints, nor a test: %s", section, cells[0], see)
			continue
		}
		t.Run(section+", "+strings.ReplaceAll(cells[0], "/", " "), func(t *testing.T) {
			t.Parallel()
			if out := runShell(t, shell, bin, filepath.Join(root, "examples", "harbour"), m[1]); !strings.Contains(out, m[2]) {
				t.Errorf("%s\nprints no %q:\n%.1500s", m[1], m[2], out)
			}
		})
	}
	if rows < 100 {
		t.Errorf("only %d rows", rows)
	}
}

// programFolder returns a folder with docent in it: this program under that name, which
// must not be a symbolic link, since "docent bench" runs itself by its real name.
func programFolder(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(bin, "docent")
	if os.Link(self, name) == nil {
		return bin
	}
	raw, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, raw, 0o755); err != nil {
		t.Fatal(err)
	}
	return bin
}

// tableCells returns the cells of a line of a table, with "\|" read as "|".
func tableCells(line string) []string {
	line, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
	if !ok {
		return nil
	}
	const bar = "\x00"
	var out []string
	for cell := range strings.SplitSeq(strings.TrimSuffix(strings.ReplaceAll(line, `\|`, bar), "|"), "|") {
		out = append(out, strings.TrimSpace(strings.ReplaceAll(cell, bar, "|")))
	}
	return out
}

// runShell runs a command line in a copy of a folder, and returns what it prints.
func runShell(t *testing.T, shell, bin, docs, line string) string {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "harbour")
	if err := os.CopyFS(dir, os.DirFS(docs)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), shell, "-c", line)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home, "NO_COLOR=1"}
	out, _ := cmd.CombinedOutput() // some show an error
	return string(out)
}
