package docent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/eval"
)

// shared returns a path in the shared folder beside the checkout, or skips.
func shared(t testing.TB, elem ...string) string {
	t.Helper()
	dir := os.Getenv("DOCENT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "shared")
	}
	path := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs %s, which is not part of the project", filepath.Join(elem...))
	}
	return path
}

// patterns are 300 and more, made from the words of the corpus and by hand.
func patterns(t testing.TB, lib *Library) []string {
	out := []string{
		"pod", "the", "kube-proxy", "--feature-gates", "a", ".", "", "x*", "price|cost|billing", `\bnode\b`, `^#+ `, `^$`, `$`,
		`\d{4}-\d{2}-\d{2}`, `[A-Z]\w+Controller`, `kubectl (get|describe) pods?`, `https?://\S+`, `"\w+":`, `v\d+\.\d+`, "é", "→", "Ü",
		`(?-i)Pod`, `node.*pod`, `pod.*node`, `\.md\)`, `\{\{<`, `title:`, `^title: .*pod`, `#[a-z-]+\)`, "`kubelet`", `\$\{`, "zzzz",
		`^\s+- `, `(a|b)c`, `colou?r`, `\bAPI\b.*\bserver\b`, `s[ei]cret`, `\w{20,}`, `[^ -~]`, `…|—`, `TLS|mTLS`, `\t`, `0x[0-9a-f]+`,
	}
	n := 0
	err := lib.search.Terms(func(term []byte, _ int) bool {
		n++
		if n%70 == 0 && len(out) < 320 {
			w := string(term)
			switch n / 70 % 4 {
			case 1:
				w = w[:max(len(w)/2, 1)]
			case 2:
				w = w[len(w)/2:]
			case 3:
				w = `\b` + w + `\b`
			}
			out = append(out, strings.ToValidUTF8(w, "."))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every line of a corpus that ripgrep finds, we find, and no other.
func TestGrepEqualsRipgrep(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("ripgrep is not installed")
	}
	set, err := eval.Load(shared(t, "eval", "k8s"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "k8s")
	if err := set.WriteFiles(dir); err != nil {
		t.Fatal(err)
	}
	lib, err := OpenDir(context.Background(), dir, filepath.Join(t.TempDir(), "index"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	all := patterns(t, lib)
	if len(all) < 300 {
		t.Fatalf("only %d patterns", len(all))
	}
	if testing.Short() {
		all = all[:60]
	}
	for _, p := range all {
		if _, err := lib.GrepAll(context.Background(), p, GrepOptions{Limit: 1}); errors.Is(err, ErrBadRegexp) {
			t.Errorf("%q: %v", p, err)
			continue
		}
		m, err := lib.GrepAll(context.Background(), p, GrepOptions{Limit: -1})
		if err != nil {
			t.Fatalf("%q: %v", p, err)
		}
		if m.Partial != "" {
			continue // out of time: nothing to compare
		}
		got := make([]string, len(m.Matches))
		for i, h := range m.Matches {
			got[i] = fmt.Sprintf("%s:%d:%s", h.Path, h.Line, h.Content)
		}
		if want := ripgrep(t, rg, dir, p); !slices.Equal(got, want) {
			t.Errorf("%q: %d lines, ripgrep has %d; %s", p, len(got), len(want), firstDifference(got, want))
		}
	}
}

func ripgrep(t *testing.T, rg, dir, pattern string) []string {
	cmd := exec.Command(rg, "-i", "-n", "-0", "--no-config", "--no-heading", "--sort", "path", "--glob", "*.md", "-e", pattern, ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != 1 {
		t.Fatalf("rg %q: %v %s", pattern, err, exit.Stderr)
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\x00")
		number, text, _ := strings.Cut(rest, ":")
		if _, err := strconv.Atoi(number); err != nil {
			t.Fatalf("rg printed %q", line)
		}
		lines = append(lines, strings.TrimPrefix(path, "./")+":"+number+":"+text)
	}
	slices.SortStableFunc(lines, func(a, b string) int {
		pa, _, _ := strings.Cut(a, ":")
		pb, _, _ := strings.Cut(b, ":")
		return strings.Compare(pa, pb)
	})
	return lines
}

func firstDifference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		g, w := "(end)", "(end)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			return fmt.Sprintf("first %q, ripgrep %q", g, w)
		}
	}
	return "the same lines"
}

// A line that is so long that it is divided between chunks is found whole.
func TestGrepFindsWhatIsDivided(t *testing.T) {
	dir := t.TempDir()
	line := strings.Repeat("lorem ipsum dolor ", 3000) + "needle in haystack " + strings.Repeat("sit amet ", 3000)
	if err := os.WriteFile(filepath.Join(dir, "long.md"), []byte("# Long\n\n"+line+"\n\nend\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	lib, err := OpenDir(context.Background(), dir, filepath.Join(t.TempDir(), "index"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	for _, p := range []string{"needle in haystack", "lorem.*amet", "^lorem ipsum", "dolor needle"} {
		m, err := lib.Grep(p, GrepOptions{})
		if err != nil || len(m) != 1 || m[0].Line != 3 || m[0].Content != line {
			t.Errorf("%q: %d matches, %v", p, len(m), err)
		}
	}
}

func TestGrepLimitsAndErrors(t *testing.T) {
	g := newGarden(t, 21, 30)
	lib := g.open(filepath.Join(t.TempDir(), "index"))
	defer lib.Close()
	m, err := lib.GrepAll(context.Background(), "key|rotate|secret", GrepOptions{})
	if err != nil || len(m.Matches) != MaxMatches || m.Total <= MaxMatches {
		t.Errorf("%d of %d matches, %v; want %d by default", len(m.Matches), m.Total, err, MaxMatches)
	}
	b := &strings.Builder{}
	if err := m.WriteText(b); err != nil || !strings.Contains(b.String(), fmt.Sprintf("%d more: ", m.Total-MaxMatches)) {
		t.Errorf("the text does not say how many more there are: %v", err)
	}
	if _, err := lib.Grep("[unclosed", GrepOptions{}); !errors.Is(err, ErrBadRegexp) || !strings.HasPrefix(err.Error(), "docent: invalid regex: [unclosed") {
		t.Errorf("an invalid expression: %v", err)
	}
	if _, err := lib.Grep("x", GrepOptions{Glob: "[a"}); err == nil {
		t.Error("an invalid glob was accepted")
	}
}
