package web

import (
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
	"pgregory.net/rapid"
)

func TestLike(t *testing.T) {
	for _, tt := range []struct {
		word, asked string
		want        bool
	}{
		{"keys", "key", true},
		{"Rotating", "rotate", true},
		{"rotate", "rotating", true},
		{"align", "alignment", false}, // longer than a reader would expect
		{"alignment", "align", true},
		{"keyboard", "key", false},
		{"a", "an", false},
		{"listener", "listen", true},
		{"über", "ÜBER", true},
	} {
		if got := like(tt.word, queryWords(tt.asked, nil)); got != tt.want {
			t.Errorf("%s for %s: %v", tt.word, tt.asked, got)
		}
	}
}

func shownAs(ps []piece) string {
	b := &strings.Builder{}
	for _, p := range ps {
		if p.Mark {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("Nothing of note stands here. ", 30)
	for _, tt := range []struct{ name, body, query, want string }{
		{"words are marked", "# Keys\n\nA key opens *doors*.\n", "doors key", "A [key] opens [doors]."},
		{"the place with the words is shown", long + "The key turns. " + long, "key", "… "},
		{"markup is not shown", "See [the docs](x.md) and `code`.\n", "docs", "See the [docs] and code."},
		{"words that weigh little in the ranking are not marked", "Why were their keys here?\n", "why were their keys rotated", "Why were their [keys] here?"},
		{"two words are no question", "What is up here?\n", "look up", "What is [up] here?"},
		{"what a word was read as is marked too", "Rotate it.\n", "rotte", "[Rotate] it."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := shownAs(excerpt(tt.body, queryWords(tt.query, []answer.Correction{{From: "rotte", To: "rotate"}})))
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if tt.name == "the place with the words is shown" && !strings.Contains(got, "[key]") {
				t.Errorf("%q", got)
			}
		})
	}
}

// An excerpt is a short piece of the text, whatever the text.
func TestExcerptOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body, query := rapid.String().Draw(t, "body"), rapid.String().Draw(t, "query")
		got := shownAs(excerpt(body, queryWords(query, nil)))
		if len(got) > 3*excerptSize {
			t.Fatalf("%d bytes", len(got))
		}
	})
}

func TestUnfenced(t *testing.T) {
	for in, want := range map[string]string{
		"```go\na\nb\n```": "a\nb",
		"~~~\na\n~~~\n":    "a",
		"plain":            "plain",
		"```\nopen":        "open",
		"```\n```":         "",
	} {
		if got := unfenced(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestForeign(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.com/a?b=c#d": "https://example.com/a?b=c#d",
		"HTTP://example.com":          "http://example.com",
		"www.example.com":             "http://www.example.com",
		"mailto:a@example.com":        "mailto:a@example.com",
		"javascript:x":                "",
		"java\nscript:x":              "",
		"data:text/html,x":            "",
		"//example.com":               "",
		"https:example.com":           "",
		"https://a@b/":                "",
		"ftp://example.com":           "",
		"":                            "",
	} {
		if got, ok := foreign(in); got != want || ok != (want != "") {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}
