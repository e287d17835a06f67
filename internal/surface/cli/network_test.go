package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
	"github.com/docent-md/docent/internal/needs"
)

// Nothing is said to anybody unless it is asked for: no command opens a socket,
// even with keys for every service lying about.
func TestNoConnections(t *testing.T) {
	strace := needs.Tool(t, "strace")
	docent := filepath.Join(t.TempDir(), "docent")
	if out, err := exec.Command("go", "build", "-o", docent, "../../../cmd/docent").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	server := llmtest.New(t)
	home := t.TempDir()
	docs := filepath.Join(home, "docs")
	if err := os.CopyFS(docs, os.DirFS(filepath.Join("..", "..", "..", "examples", "harbour"))); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home,
		"ANTHROPIC_API_KEY="+llmtest.Key, "DOCENT_CLAUDE_URL="+server.URL, "OPENAI_API_KEY=k", "GITHUB_TOKEN=g", "DOCENT_EMBED_URL="+server.URL)
	socket := regexp.MustCompile(`(?m)^.*\b(socket|connect|sendto)\(.*AF_(INET|INET6|UNIX).*$`)
	run := func(args ...string) string {
		t.Helper()
		log := filepath.Join(t.TempDir(), "trace")
		cmd := exec.Command(strace, append([]string{"-f", "-qq", "-e", "trace=%network", "-o", log, docent}, args...)...)
		cmd.Dir, cmd.Env = docs, env
		out, err := cmd.CombinedOutput()
		trace, readErr := os.ReadFile(log)
		if readErr != nil {
			needs.Missing(t, "strace", fmt.Sprintf("%v %s", err, out))
		}
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			t.Fatal(err)
		}
		return string(socket.Find(trace))
	}
	// The trace sees what it looks for.
	if run("search", "rotate", "--rerank", "claude") == "" {
		needs.Missing(t, "strace", "it shows no connections here, not even those that are asked for")
	}
	tried := 0
	for _, args := range [][]string{
		{"search", "rotate a key"},
		{"search", "rotate a key", "--json", "--expand", "1"},
		{"index", "--full"},
		{"section", "guide/keys.md#rotate-a-key"},
		{"read", "guide/keys.md"},
		{"grep", "key"},
		{"check"},
		{"changes"},
		{"links", "guide/keys.md"},
		{"examples", "harbour"},
		{"status"},
		{"cost"},
		{"pack", "-o", filepath.Join(home, "x.docent")},
		{"chunks", "."},
		{"toc"},
		{"tools"},
		{"sources"},
		{"add", "guide"},
		{"update"},
		{"remove", "guide"},
	} {
		tried++
		if line := run(args...); line != "" {
			t.Errorf("docent %v: %s", args, line)
		}
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("the server was asked %d times, want once", n)
	}
	cases.Tried(t, "B2", tried)
}
