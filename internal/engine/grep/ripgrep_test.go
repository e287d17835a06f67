package grep

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// ripgrep runs rg with one pattern over a folder and returns its "path:number"
// lines, sorted by path and then as printed. refused says that rg does not take
// the pattern.
func ripgrep(t *testing.T, dir, pattern string, o Options) (lines []string, refused bool) {
	t.Helper()
	args := []string{
		"--no-config", "--no-heading", "--line-number", "--with-filename", "--null",
		"--text", "--no-ignore", "--hidden", "--color=never", "--replace=", "--threads=1", "--no-mmap",
	}
	args = append(args, map[bool]string{true: "--case-sensitive", false: "--ignore-case"}[o.CaseSensitive])
	if o.Word {
		args = append(args, "--word-regexp")
	}
	if o.Fixed {
		args = append(args, "--fixed-strings")
	}
	cmd := exec.Command("rg", append(args, "--regexp="+forRipgrep(pattern, o), ".")...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 2 {
		return nil, true
	} else if err != nil && exit == nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(line, "\x00")
		number, _, _ := strings.Cut(rest, ":")
		lines = append(lines, strings.TrimPrefix(path, "./")+":"+number)
	}
	slices.SortStableFunc(lines, comparePaths)
	return lines, false
}

// forRipgrep returns a pattern whose $ means to ripgrep what it means here.
func forRipgrep(pattern string, o Options) string {
	if o.Fixed {
		return pattern
	}
	var b strings.Builder
	class := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
		case c == '[':
			class++
		case c == ']' && class > 0:
			class--
		case c == '$' && class == 0:
			b.WriteString(`(?:\r?$)`)
			continue
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

func comparePaths(a, b string) int {
	pa, _, _ := strings.Cut(a, ":")
	pb, _, _ := strings.Cut(b, ":")
	return strings.Compare(pa, pb)
}

// ours is ripgrep, done by this package.
func ours(t *testing.T, p *Pattern, files map[string]string) []string {
	t.Helper()
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := p.Lines(context.Background(), []byte(files[path]), func(l Line) bool {
			lines = append(lines, fmt.Sprintf("%s:%d", path, l.Number))
			return true
		}); err != nil {
			t.Fatal(err)
		}
	}
	return lines
}

func compareWithRipgrep(t *testing.T, files map[string]string, tests []patternTest) {
	t.Helper()
	needs.Tool(t, "rg")
	dir := t.TempDir()
	for path, text := range files {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	matched, bad := 0, 0
	for _, test := range tests {
		want, refused := ripgrep(t, dir, test.pattern, test.options)
		p, err := Compile(test.pattern, test.options)
		if errors.Is(err, ErrTooBig) || errors.Is(err, ErrTooLong) {
			continue
		}
		if (err != nil) != refused {
			t.Errorf("%s: ripgrep refuses: %v, we: %v", patternName(test.pattern, test.options), refused, err)
			continue
		}
		if err != nil {
			continue
		}
		got := ours(t, p, files)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d lines, ripgrep has %d; %s", patternName(test.pattern, test.options), len(got), len(want), firstDifference(got, want))
			if bad++; bad > 20 {
				t.FailNow()
			}
		}
		if len(want) > 0 {
			matched++
		}
	}
	t.Logf("%d patterns agree, %d of them match something", len(tests)-bad, matched)
}

func firstDifference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			at := func(list []string) string {
				if i < len(list) {
					return list[i]
				}
				return "none"
			}
			return fmt.Sprintf("first difference: ours %s, ripgrep's %s", at(got), at(want))
		}
	}
	return ""
}

type patternTest struct {
	pattern string
	options Options
}

// made is how many patterns are made up; more can be asked for by hand.
var made = flag.Int("made", 200, "patterns to make up for the comparison with ripgrep")

// everyWay returns patterns under ways to search for them: the default, and one
// other.
func everyWay(patterns []string) []patternTest {
	var out []patternTest
	ways := []Options{{CaseSensitive: true}, {Word: true}, {Fixed: true}, {Word: true, CaseSensitive: true}, {Fixed: true, Word: true}}
	for i, p := range patterns {
		out = append(out, patternTest{p, Options{}}, patternTest{p, ways[i%len(ways)]})
	}
	return out
}

func TestLinesEqualRipgreps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, uint64(*made)))
	files := map[string]string{
		"empty.md":    "",
		"newline.md":  "\n",
		"newlines.md": "\n\n\nfoo\n\n",
		"bom.md":      "\ufeff# foo\nbar",
		"made.md":     madeText(rng, 500),
		"words.md":    strings.Join(words, "\n"),
	}
	tests := everyWay(handPatterns)
	if testing.Short() {
		tests = tests[:100]
	}
	for i := range *made {
		tests = append(tests, patternTest{
			strings.ReplaceAll(madePattern(rng, 1+i%4), "\x00", ""),
			Options{CaseSensitive: rng.IntN(3) == 0, Word: rng.IntN(4) == 0},
		})
	}
	compareWithRipgrep(t, files, tests)
}

// On real text, the patterns that an index will have to answer.
func TestLinesEqualRipgrepsOnKubernetes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second or more")
	}
	files := k8sFiles(t)
	var tests []patternTest
	for i, p := range append(derivedPatterns(files, 200), realPatterns...) {
		tests = append(tests, patternTest{p, Options{CaseSensitive: i%3 == 1, Word: i%7 == 2}})
	}
	if !*everyFile {
		files = byFolder(files, 5)
	}
	compareWithRipgrep(t, files, tests)
}

var everyFile = flag.Bool("everyfile", false, "compare with ripgrep file by file, not folder by folder")

// byFolder takes one of every so many files and joins those of a folder, which
// spares ripgrep the opening of a thousand files for each of hundreds of patterns.
func byFolder(files map[string]string, every int) map[string]string {
	out := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if i%every != 0 {
			continue
		}
		text := files[name]
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		out[path.Dir(name)+".md"] += text
	}
	return out
}
