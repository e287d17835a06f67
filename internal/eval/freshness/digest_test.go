package main

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const before = `// Package rank puts matches in order.
package rank

import "strings"

// boost is what a title weighs.
const boost = 2.0

func score(s string) float64 {
	return boost * float64(strings.Count(s, "x")) // of x
}
`

func TestDigest(t *testing.T) {
	sums := func(files map[string]string) map[string]string {
		t.Helper()
		fsys := fstest.MapFS{}
		for name, text := range files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		out, err := digests(fsys, []string{"rank", "later"})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	old := sums(map[string]string{"rank/rank.go": before, "rank/table.bin": "abc"})
	if len(old) != 1 || old["rank"] == "" {
		t.Fatalf("got %v", old)
	}
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"nothing", map[string]string{}, nil},
		{"a comment", map[string]string{"rank/rank.go": strings.Replace(before, "// of x", "// of the letter x", 1)}, nil},
		{"a blank line and a semicolon", map[string]string{"rank/rank.go": strings.Replace(before, "2.0\n", "2.0;\n\n", 1)}, nil},
		{"an import", map[string]string{"rank/rank.go": strings.Replace(before, `import "strings"`, "import (\n\t\"example.com/strings\"\n)", 1)}, nil},
		{"a test", map[string]string{"rank/rank_test.go": "package rank"}, nil},
		{"another package", map[string]string{"other/other.go": "package other"}, nil},
		{"a number", map[string]string{"rank/rank.go": strings.Replace(before, "2.0", "2.1", 1)}, []string{"rank"}},
		{"an operator", map[string]string{"rank/rank.go": strings.Replace(before, "boost *", "boost +", 1)}, []string{"rank"}},
		{"a file", map[string]string{"rank/more.go": "package rank"}, []string{"rank"}},
		{"an embedded table", map[string]string{"rank/table.bin": "abd"}, []string{"rank"}},
		{"a package that is new", map[string]string{"later/later.go": "package later"}, []string{"later"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"rank/rank.go": before, "rank/table.bin": "abc"}
			for name, text := range tt.files {
				files[name] = text
			}
			got := sums(files)
			if d := differ(parse(format(old)), parse(format(got))); !slices.Equal(d, tt.want) {
				t.Errorf("changed: %q, want %q", d, tt.want)
			}
		})
	}
}

// What is committed can be read, and the list names folders that are there.
func TestSumOfThisCheckout(t *testing.T) {
	if err := run("../../..", false); err != nil {
		t.Error(err)
	}
}
