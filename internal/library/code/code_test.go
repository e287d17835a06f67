package code_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/code"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// In an example the markup comes first, and what was asked for is the code after it. On a
// page about style the style was asked for.
func TestSnippetsPreferCodeToMarkup(t *testing.T) {
	const markup, style, script = "```html\n<button>OK</button>\n```\n\n", "```css\nbutton { margin: auto }\n```\n\n", "```js\nnavigator.write(text)\n```\n\n"
	for _, test := range []struct {
		blocks string
		want   []string
	}{
		{markup + style + script + "```\ncopied\n```\n", []string{"javascript", "html", "css", ""}},
		{markup + style, []string{"css", "html"}},
		{markup + "```html\n<b>OK</b>\n```\n\n", []string{"html", "html"}},
	} {
		found := snippetsOf(t, "# Copy to the clipboard\n\n"+test.blocks, "copy to clipboard")
		var got []string
		for _, s := range found.Snippets {
			got = append(got, s.Language)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q, not %q, of\n%s", got, test.want, test.blocks)
		}
	}
}

// One line among longer examples is mostly a signature.
func TestSnippetsPreferExamplesToSignatures(t *testing.T) {
	found := snippetsOf(t, "# Copy to the clipboard\n\n```js\ncopy(text)\n```\n\n```js\nfor (const a of all) {\n  copy(a)\n  clear(a)\n}\n```\n", "copy to clipboard")
	if len(found.Snippets) != 2 || !strings.Contains(found.Snippets[0].Code, "clear") {
		t.Errorf("%+v", found.Snippets)
	}
}

func snippetsOf(t *testing.T, page, question string) *answer.Snippets {
	t.Helper()
	live, err := refresh.FromFS(t.Context(), fstest.MapFS{"copy.md": {Data: []byte(page)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = live.Close() })
	snap, release, err := live.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	v, err := snap.View(t.Context(), snapshot.Want{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := code.Snippets(t.Context(), v, answer.CodeQuery{Text: question})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
