package docent_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/needs"
)

// patterns are 300 and more, made from the words of the corpus and by hand.
func patterns(t testing.TB, dir string) []string {
	out := []string{
		"pod", "the", "kube-proxy", "--feature-gates", "a", ".", "", "x*", "price|cost|billing", `\bnode\b`, `^#+ `, `^$`, `$`,
		`\d{4}-\d{2}-\d{2}`, `[A-Z]\w+Controller`, `kubectl (get|describe) pods?`, `https?://\S+`, `"\w+":`, `v\d+\.\d+`, "é", "→", "Ü",
		`(?-i)Pod`, `node.*pod`, `pod.*node`, `\.md\)`, `\{\{<`, `title:`, `^title: .*pod`, `#[a-z-]+\)`, "`kubelet`", `\$\{`, "zzzz",
		`^\s+- `, `(a|b)c`, `colou?r`, `\bAPI\b.*\bserver\b`, `s[ei]cret`, `\w{20,}`, `[^ -~]`, `…|—`, `TLS|mTLS`, `\t`, `0x[0-9a-f]+`,
	}
	for i, w := range wordsOf(t, dir) {
		if i%50 != 0 {
			continue
		}
		if len(out) == 320 {
			break
		}
		switch i / 50 % 4 {
		case 1:
			w = w[:max(len(w)/2, 1)]
		case 2:
			w = w[len(w)/2:]
		case 3:
			w = `\b` + w + `\b`
		}
		out = append(out, strings.ToValidUTF8(w, "."))
	}
	return out
}

// wordsOf are the words of all files below a folder, in order.
func wordsOf(t testing.TB, dir string) []string {
	t.Helper()
	words := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for w := range strings.FieldsFuncSeq(strings.ToLower(string(data)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			words[w] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(words))
}

// Every line of a corpus that ripgrep finds, we find, and no other.
func TestGrepEqualsRipgrep(t *testing.T) {
	rg := needs.Tool(t, "rg")
	set, err := eval.Load(needs.Shared(t, "eval", "k8s"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "k8s")
	if err := set.WriteFiles(dir); err != nil {
		t.Fatal(err)
	}
	lib := openIn(t, dir)
	all := patterns(t, dir)
	if len(all) < 300 {
		t.Fatalf("only %d patterns", len(all))
	}
	every := 5 // so that all four kinds of pattern are among them
	switch {
	case os.Getenv("DOCENT_TORTURE") != "":
		every = 1
	case testing.Short():
		every = 21
	}
	for i, p := range all {
		if i%every != 0 {
			continue
		}
		if _, err := lib.Grep(t.Context(), p, answer.GrepOptions{Limit: 1}); errors.Is(err, answer.ErrBadRegexp) {
			t.Errorf("%q: %v", p, err)
			continue
		}
		m, err := lib.Grep(t.Context(), p, answer.GrepOptions{Limit: -1})
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
	writeFile(t, filepath.Join(dir, "long.md"), "# Long\n\n"+line+"\n\nend\n")
	lib := openIn(t, dir)
	for _, p := range []string{"needle in haystack", "lorem.*amet", "^lorem ipsum", "dolor needle"} {
		m, err := lib.Grep(t.Context(), p, answer.GrepOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Matches) != 1 || m.Matches[0].Line != 3 || m.Matches[0].Content != line {
			t.Errorf("%q: %d matches", p, len(m.Matches))
		}
	}
}

func TestGrepLimitsAndErrors(t *testing.T) {
	const usual = 100
	lib := openIn(t, newGarden(t, 21, 30).dir)
	m, err := lib.Grep(t.Context(), "key|rotate|secret", answer.GrepOptions{})
	if err != nil || len(m.Matches) != usual || m.Total <= usual {
		t.Errorf("%d of %d matches, %v; want %d by default", len(m.Matches), m.Total, err, usual)
	}
	b := &strings.Builder{}
	if err := m.WriteText(b); err != nil || !strings.Contains(b.String(), fmt.Sprintf("%d more: ", m.Total-usual)) {
		t.Errorf("the text does not say how many more there are: %v", err)
	}
	if _, err := lib.Grep(t.Context(), "[unclosed", answer.GrepOptions{}); !errors.Is(err, answer.ErrBadRegexp) || !strings.HasPrefix(err.Error(), "invalid regex: [unclosed") {
		t.Errorf("an invalid expression: %v", err)
	}
	if _, err := lib.Grep(t.Context(), "x", answer.GrepOptions{Glob: "[a"}); err == nil {
		t.Error("an invalid glob was accepted")
	}
}

// A count once built every match and dropped it: a third of the time of common patterns.
func TestCountsReturnNoLines(t *testing.T) {
	lib := docsOf(t, map[string]string{"a.md": "# A\n\ngate one\ngate two\n", "b.md": "# B\n\ngate three\n"})
	m, err := lib.Grep(t.Context(), "gate", answer.GrepOptions{CountOnly: true, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if m.Total != 3 || len(m.Matches) != 0 || len(m.Files) != 2 || m.Partial != "" {
		t.Errorf("total %d, %d lines, files %v, %q", m.Total, len(m.Matches), m.Files, m.Partial)
	}
}
