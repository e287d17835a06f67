package markdown

import "testing"

// Pages show all 652 examples of the CommonMark specification as it does.
func TestSpecPages(t *testing.T) {
	cases := specCases(t)
	if len(cases) != 652 {
		t.Fatalf("%d examples, not 652", len(cases))
	}
	for i, c := range cases {
		if got := specHTML([]byte(c.Markdown)); got != c.HTML {
			t.Errorf("example %d, %q:\n%s\nnot:\n%s", i+1, c.Markdown, got, c.HTML)
		}
	}
}
