package place

import "testing"

// A search in a folder that does not exist said that its words do not count there.
func TestAPatternThatMatchesNothingNamesTheNearest(t *testing.T) {
	paths := []string{"README.md", "docs/concepts/alias.md", "docs/concepts/models.md", "docs/errors/usage.md"}
	for _, tt := range []struct{ pattern, want string }{
		{"docs/concepts", ""},
		{"*.md", ""},
		{"concepts", `no file matches "concepts"; did you mean docs/concepts?`},
		{"concepts/**", `no file matches "concepts/**"; did you mean docs/concepts?`},
		{"alias.md", ""},
		{"concepts/alias.md", `no file matches "concepts/alias.md"; did you mean docs/concepts/alias.md?`},
		{"docs/concept/*.md", `no file matches "docs/concept/*.md"; did you mean docs/concepts or docs/concepts/alias.md or docs/concepts/models.md?`},
		{"*.rst", `no file matches "*.rst"`},
	} {
		if got := Unmatched(tt.pattern, paths); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.pattern, got, tt.want)
		}
	}
}
