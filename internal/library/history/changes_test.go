package history

import (
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/text/markdown"
)

func TestCompareVersions(t *testing.T) {
	docs := func(files ...string) []version {
		var out []version
		for i := 0; i < len(files); i += 2 {
			d := markdown.Parse(files[i], []byte(files[i+1]))
			out = append(out, versionOf(&d))
		}
		return out
	}
	for _, tt := range []struct {
		name          string
		before, after []version
		want          string
	}{
		{"nothing", docs("a.md", "# A\n\ntext\n"), docs("a.md", "# A\n\ntext\n"), ""},
		{"spaces and line ends do not count", docs("a.md", "# A\n\ntext here\n"), docs("a.md", "# A\r\n\r\ntext\r\nhere\r\n\r\n"), ""},
		{"a section changed", docs("a.md", "# A\n\n## B\n\none\n"), docs("a.md", "# A\n\n## B\n\ntwo\n"), "changed a.md#b"},
		{"a section added", docs("a.md", "# A\n\n## B\n\none\n"), docs("a.md", "# A\n\n## B\n\none\n\n## C\n\ntwo\n"), "added a.md#c"},
		{"a section removed", docs("a.md", "# A\n\n## B\n\none\n"), docs("a.md", "# A\n"), "removed a.md#b"},
		{"a heading renamed", docs("a.md", "# A\n\n## B\n\none\n"), docs("a.md", "# A\n\n## C\n\none\n"), "moved a.md#c from a.md#b"},
		{"a section moved", docs("a.md", "# A\n\n## B\n\none\n", "b.md", "# X\n"), docs("a.md", "# A\n", "b.md", "# X\n\n## B\n\none\n"), "moved b.md#b from a.md#b"},
		{"a file renamed", docs("a.md", "# A\n\ntext\n\n## B\n\none\n"), docs("z.md", "# A\n\ntext\n\n## B\n\none\n"), "moved z.md#a from a.md#a, moved z.md#b from a.md#b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range compareVersions(tt.before, tt.after) {
				s := c.Status + " " + c.Ref
				if c.Was != "" {
					s += " from " + c.Was
				}
				got = append(got, s)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("%s, want %s", s, tt.want)
			}
		})
	}
}
