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

// Who asks for code asks for what it does. The page says that in its opening; its example
// has none of the words, and stands in a section of its own. Another page has the words next
// to code that does something else.
func TestSnippetsHeedTheirPage(t *testing.T) {
	long := strings.Repeat("It takes any iterable, and keeps the order of what it was given whatever settles first. ", 60)
	all := "# Promise.all()\n\nPromise.all() waits for several promises at once: use it to wait for all of them.\n\n" +
		"## Description\n\n" + long + "\n\n## Examples\n\n```js\nconst both = await Promise.all([first(), second()]);\nconsole.log(both);\nshow(both);\n```\n"
	others := "# Recording\n\n" + long + "\n\n## Utilities\n\nWe wait a while.\n\n```js\nfunction wait(delay) {\n  start(delay);\n  return setTimeout(stop, delay);\n}\n```\n"
	found := snippetsIn(t, fstest.MapFS{"all.md": {Data: []byte(all)}, "recording.md": {Data: []byte(others)}}, "wait for several promises")
	if len(found.Snippets) != 2 || found.Snippets[0].File != "all.md" {
		t.Errorf("%+v", found.Snippets)
	}
}

// A page with many examples does not push away the next page, which may have what was meant.
func TestSnippetsSpreadPages(t *testing.T) {
	many := "# Copy to the clipboard\n"
	for _, name := range []string{"one", "two", "three", "four"} {
		many += "\nCopy text to the clipboard.\n\n```js\nread(" + name + ")\ncopy(" + name + ")\nclear(" + name + ")\n```\n"
	}
	other := "# Clipboard buttons\n\nA button that copies to the clipboard.\n\n```js\nbutton.onclick = () => {\n  copy(text)\n  hide()\n}\n```\n"
	found := snippetsIn(t, fstest.MapFS{"many.md": {Data: []byte(many)}, "other.md": {Data: []byte(other)}}, "copy to clipboard")
	if len(found.Snippets) != 5 || !slices.ContainsFunc(found.Snippets[:3], func(s answer.Snippet) bool { return s.File == "other.md" }) {
		t.Errorf("%+v", found.Snippets)
	}
}

func snippetsOf(t *testing.T, page, question string) *answer.Snippets {
	t.Helper()
	return snippetsIn(t, fstest.MapFS{"copy.md": {Data: []byte(page)}}, question)
}

func snippetsIn(t *testing.T, files fstest.MapFS, question string) *answer.Snippets {
	t.Helper()
	live, err := refresh.FromFS(t.Context(), files)
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
