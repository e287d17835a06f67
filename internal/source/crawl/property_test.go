package crawl

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent/doc"
	"pgregory.net/rapid"
)

// slowList decides about each path on its own, from the rules in the package
// comment.
func slowList(m fstest.MapFS, config []string) []string {
	mine, preset := ParseIgnore([]byte(strings.Join(config, "\n"))), ParseIgnore([]byte(DefaultIgnore))
	verdict := func(path string, isDir bool) bool {
		if r := mine.Match(path, isDir); r != nil {
			return !r.Negated
		}
		if r := preset.Match(path, isDir); r != nil {
			return !r.Negated
		}
		for i := len(path); ; {
			i = strings.LastIndexByte(path[:i], '/')
			if f := m[path[:i+1]+".gitignore"]; f != nil {
				if r := ParseIgnore(f.Data).Match(path[i+1:], isDir); r != nil {
					return !r.Negated
				}
			}
			if i < 0 {
				return false
			}
		}
	}
	var out []string
files:
	for path := range m {
		if !doc.IsMarkdown(path) {
			continue
		}
		for i := range len(path) {
			if path[i] == '/' && verdict(path[:i], true) {
				continue files
			}
		}
		if !verdict(path, false) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

func TestListFindsWhatTheRulesSay(t *testing.T) {
	name := rapid.SampledFrom([]string{"a", "b", "docs", "dist", ".x", "_build", "a-b"})
	rule := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "", "!", "/", "!/"}).Draw(t, "before") +
			rapid.SampledFrom([]string{"a", "b", "a.md", "*.md", "docs", "dist", "*", "a/b", "**/b", "a/**", ".x", "a-*"}).Draw(t, "what") +
			rapid.SampledFrom([]string{"", "", "/"}).Draw(t, "after")
	})
	rapid.Check(t, func(t *rapid.T) {
		m := fstest.MapFS{}
		for range rapid.IntRange(1, 20).Draw(t, "files") {
			folder := strings.Join(rapid.SliceOfN(name, 0, 4).Draw(t, "folder"), "/")
			base := rapid.SampledFrom([]string{"a.md", "b.md", "a-b.md", "c.txt", ".gitignore"}).Draw(t, "base")
			text := "text"
			if base == ".gitignore" {
				text = strings.Join(rapid.SliceOfN(rule, 1, 4).Draw(t, "rules"), "\n")
			}
			m[strings.TrimPrefix(folder+"/"+base, "/")] = &fstest.MapFile{Data: []byte(text), Mode: 0o666}
		}
		config := rapid.SliceOfN(rule, 0, 3).Draw(t, "config")
		found, err := FromFS(m).List(context.Background(), Options{Ignore: config, Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := paths(found), slowList(m, config); !slices.Equal(got, want) {
			t.Fatalf("config %q\n got %q\nwant %q", config, got, want)
		}
	})
}
