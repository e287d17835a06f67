package markdown

import "testing"

// Leads and maps showed "??? api" and "::: pydantic.aliases" in the place of words.
func TestCaptionsAreWords(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a paragraph after its heading", "# Keys\n\nKeys let *programs* in.\nAnd out.\n\nMore.\n", "Keys let programs in. And out."},
		{"front matter and a badge are passed over", "---\ntitle: A\n---\n\n[![CI](x.svg)](y)\n\nWords.\n", "Words."},
		{"mkdocstrings", "::: pydantic.config\n    options:\n      members:\n        - A\n\nThe text.\n", "The text."},
		{"nothing but mkdocstrings", "::: pydantic.aliases\n", ""},
		{"a box is not its mark", "??? api \"API Documentation\"\n    `pydantic.types.Strict`<br>\n\nStrict mode is strict.\n", "Strict mode is strict."},
		{"a box that is all there is", "!!! note\n    Words in a box.\n", "Words in a box."},
		{"references that another program resolves", "Use [`Field()`][pydantic.fields.Field] or [bool][] here.\n", "Use Field() or bool here."},
		{"attribute lists and anchors", "[](){#extra-fields}\n\nText.{: .lead } { .annotate }\n", "Text."},
		{"icons", ":simple-slack: Join us :rocket: now, at 10:30:15.\n", "Join us now, at 10:30:15."},
		{"footnotes", "Said before.[^1]\n\n[^1]: There.\n", "Said before."},
		{"a list", "## Steps\n\n- First, do it.\n- Then rest.\n", "First, do it."},
		{"nothing but code", "## Run\n\n```sh\nmake all\n```\n", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Caption([]byte(tt.in)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A lead shows code where there is nothing else.
func TestPreviewsMayBeCode(t *testing.T) {
	for in, want := range map[string]string{"## Run\n\n```sh\nmake all\n```\n": "make all", "```\nx\n```\n\nWords.\n": "Words."} {
		if got := Preview([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestTidyKeepsWords(t *testing.T) {
	for _, s := range []string{"std::vector", "a: b: c", "What? Why!", "{name} is kept", "16:9"} {
		if got := Tidy(s); got != s {
			t.Errorf("Tidy(%q) = %q", s, got)
		}
	}
}

// A lead for "strict mode" showed "[](){#strict-mode-with-configdict}" and the targets of links.
func TestLinesAreWords(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"words", "  Strict mode is strict. ", "Strict mode is strict."},
		{"an anchor", "[](){#strict-mode-with-configdict}", ""},
		{"the definition of a link", "[strict mode]: strict_mode.md", ""},
		{"a link", "Pydantic has [strict mode](strict_mode.md), too.", "Pydantic has strict mode, too."},
		{"a reference that another program resolves", "[`Field()`][pydantic.fields.Field] is *it*.", "Field() is it."},
		{"an item of a list", "* Validation would have succeeded", "Validation would have succeeded"},
		{"an item with a number and a box", "1. [ ] `a_b` first", "a_b first"},
		{"what a term means", "  - : The `fetch()` was aborted.", "The fetch() was aborted."},
		{"a quote", "> [!NOTE] Said **before**.", "Said before."},
		{"the title of a box", "??? api \"API Documentation\"", "API Documentation"},
		{"an object's documentation", "::: pydantic.aliases", ""},
		{"a row of a table", "| `strict` | [bool](b.md) | `False` |", "strict | bool | False"},
		{"attributes and icons", ":simple-slack: Join us{: .lead }", "Join us"},
		{"no more than a sentence", "(see [strict", "(see [strict"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := LineWords(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
