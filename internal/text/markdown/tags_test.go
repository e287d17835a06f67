package markdown

import (
	"slices"
	"testing"
)

func TestInlineTags(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"after a space", "Keys are kept safe. #security", []string{"security"}},
		{"at the beginning of a line, several", "#security #auth/jwt\n", []string{"security", "auth/jwt"}},
		{"in a list and a quote", "- one #a-b\n\n> two #c_d\n", []string{"a-b", "c_d"}},
		{"each once", "#x and #x", []string{"x"}},
		{"letters of all alphabets", "#größe #鍵", []string{"größe", "鍵"}},
		{"before a full stop", "See #keys, and #locks.", []string{"keys", "locks"}},
		{"a number is an issue", "Fixes #123.", nil},
		{"a heading is none", "# Title\n\n## part\n", nil},
		{"code has none", "`#include` and ``a #b``\n\n```c\n#define X\n```\n\n    #indented\n", nil},
		{"links have none", "[a #b](c.md) and [d](e.md#f) and <https://x.org/ #g>", []string{"g"}},
		{"an escaped one is text", `\#no`, nil},
		{"within a word", "C#sharp a#b", nil},
		{"a macro is none", "#define(x) #[derive] #x=1", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("a.md", []byte(c.text))
			if got := InlineTags(&d); !slices.Equal(got, c.want) {
				t.Errorf("tags %q, want %q", got, c.want)
			}
		})
	}
}
