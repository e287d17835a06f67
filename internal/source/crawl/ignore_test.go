package crawl

import (
	"strings"
	"testing"
)

// Patterns on which trying everything would not end in a lifetime. Git takes
// minutes for the first.
func TestHostilePatternsEnd(t *testing.T) {
	name := strings.Repeat("a", 255)
	deep := strings.Repeat("a/", 2000) + "a"
	for _, pattern := range []string{
		strings.Repeat("*a", 100) + "b",
		strings.Repeat("a*", 100) + "b",
		strings.Repeat("*?", 120) + "b",
		strings.Repeat("*[a]", 100) + "b",
		strings.Repeat("*", 1000) + "b",
		strings.Repeat("**/", 1000) + "b",
		strings.Repeat("**/*/", 500) + "b",
		strings.Repeat("**/a/", 500) + "b",
		strings.Repeat("a/**/", 500) + "b",
		"**/" + strings.Repeat("*a*/", 500) + "b",
		"**/" + strings.Repeat("[a]/", 1000) + "b",
		strings.Repeat(`**\/`, 500) + "b",
		strings.Repeat("*a", 30) + strings.Repeat("/**/*a", 30) + "b",
		strings.Repeat("[", 10000),
		strings.Repeat("[a", 10000),
		strings.Repeat("[[:", 10000),
		strings.Repeat(`\`, 9999),
	} {
		g := ParseIgnore([]byte(pattern + "\n/" + pattern + "\n"))
		for _, path := range []string{name, deep, name + "b", deep + "/c"} {
			if r := g.Match(path, true); r != nil && !strings.HasSuffix(path, "b") {
				t.Errorf("%.40q matched %.20q", pattern, path)
			}
		}
	}
}

// No text is too strange to be an ignore file.
func FuzzParseIgnore(f *testing.F) {
	for _, set := range tricky {
		for _, text := range set {
			f.Add(text, "dir/sub/a.md")
		}
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		g := ParseIgnore([]byte(text))
		for _, isDir := range []bool{false, true} {
			r := g.Match(path, isDir)
			if r != nil && (r.Line < 1 || r.Line > 1+strings.Count(text, "\n") || !strings.Contains(text, r.Text)) {
				t.Errorf("rule %+v is not in %q", r, text)
			}
			if g.Ignored(path, isDir) != (r != nil && !r.Negated) && !strings.Contains(path, "/") {
				t.Errorf("Match and Ignored disagree about %q", path)
			}
		}
	})
}

func TestIgnoredLooksAtFoldersAbove(t *testing.T) {
	g := ParseIgnore([]byte("build/\n!build/keep.md\n*.log\n"))
	for path, want := range map[string]bool{"build/keep.md": true, "x/build/a/b.md": true, "build": false, "a.log": true, "docs/a.md": false} {
		if got := g.Ignored(path, false); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	if !g.Ignored("build", true) || (*Ignore)(nil).Match("a", false) != nil || ParseIgnore(nil).Ignored("a/b", false) {
		t.Error("a folder, or no rules")
	}
}
