package markdown

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docent-md/docent/doc"
)

func TestFrontMatter(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       doc.Document // the fields that front matter fills
		lines      int          // of the front matter block; 0 means none
	}{
		{
			"YAML", "---\ntitle: My  title\ndescription: 'It''s'\nslug: a/b\ntags: [x, \"y z\"]\naliases:\n  - /old\n  - /older\nweight: 3\ndraft: false\nnested:\n  k: [1, 2]\n---\n",
			doc.Document{
				Title: "My title", Description: "It's", Slug: "a/b", Tags: []string{"x", "y z"}, Aliases: []string{"/old", "/older"},
				Meta: map[string]any{
					"title": "My  title", "description": "It's", "slug": "a/b", "tags": []any{"x", "y z"}, "aliases": []any{"/old", "/older"},
					"weight": 3, "draft": false, "nested": map[string]any{"k": []any{1, 2}},
				},
			},
			13,
		},
		{
			"TOML", "+++\ntitle = \"T\"\ntags = [\"a\"]\n[params]\nx = 1\n+++\ntext\n",
			doc.Document{
				Title: "T", Tags: []string{"a"},
				Meta: map[string]any{"title": "T", "tags": []any{"a"}, "params": map[string]any{"x": int64(1)}},
			},
			6,
		},
		{"ended by dots", "---\ntitle: T\n...\n", doc.Document{Title: "T", Meta: map[string]any{"title": "T"}}, 3},
		{"empty", "---\n---\n", doc.Document{Title: "a", Meta: map[string]any{}}, 2},
		{"with carriage returns and a byte order mark", "\ufeff---\r\ntitle: T\r\n---\r\n", doc.Document{Title: "T", Meta: map[string]any{"title": "T"}}, 3},
		{"folded and literal text", "---\ntitle: >-\n  a\n  b\ndescription: |\n  c\n  d\n---\n", doc.Document{Title: "a b", Description: "c d", Meta: map[string]any{"title": "a b", "description": "c\nd\n"}}, 8},
		{"tags in one line", "---\ntags: a, b c\n---\n", doc.Document{Title: "a", Tags: []string{"a", "b c"}, Meta: map[string]any{"tags": "a, b c"}}, 3},
		{"a title that is a number", "---\ntitle: 404\n---\n", doc.Document{Title: "404", Meta: map[string]any{"title": 404}}, 3},
		{"keys that are no text", "---\n1: a\ntrue: b\n---\n", doc.Document{Title: "a", Meta: map[string]any{"1": "a", "true": "b"}}, 4},
		{"numbers JSON does not know", "---\nx: .nan\n---\n", doc.Document{Title: "a", Meta: map[string]any{"x": "NaN"}}, 3},
		{
			"broken YAML keeps its title", "---\ntitle: {#if ...}\n---\n# A\n",
			doc.Document{Title: "{#if ...}", MetaError: "front matter: yaml: line 1: did not find expected node content"},
			3,
		},
		{"YAML that is no map", "---\n[a]\n---\n", doc.Document{Title: "a", MetaError: "front matter: not a map of keys to values"}, 3},
		{"a rule and text are no front matter", "---\nSome text\n---\n", doc.Document{Title: "a"}, 0},
		{"nor when it never ends", "---\ntitle: T\n", doc.Document{Title: "a"}, 0},
		{"nor further down", "\n---\ntitle: T\n---\n", doc.Document{Title: "a"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("a.md", []byte(c.text))
			if err := check(&d); err != nil {
				t.Fatal(err)
			}
			got := doc.Document{
				Title: d.Title, Description: d.Description, Slug: d.Slug, Tags: d.Tags, Aliases: d.Aliases,
				Meta: d.Meta, MetaError: d.MetaError,
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			n := 0
			if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
				n = d.Blocks[0].Lines.Count()
			}
			if n != c.lines {
				t.Errorf("%d lines of front matter, not %d", n, c.lines)
			}
			if _, err := json.Marshal(d.Meta); err != nil {
				t.Error(err)
			}
		})
	}
}

// A large front matter is read when it is plain, and refused when it is not.
func TestFrontMatterOfAnySize(t *testing.T) {
	keys := strings.Repeat("- a keyword\n", 10_000)
	d := Parse("a.md", []byte("---\ntitle: T\nkeys:\n"+keys+"---\n"))
	if d.MetaError != "" || len(d.Meta["keys"].([]any)) != 10_000 {
		t.Errorf("plain: %q", d.MetaError)
	}
	d = Parse("a.md", []byte("---\ntitle: T\nkeys:\n"+keys+"- {a: b}\n---\n"))
	if d.MetaError != "front matter: over 64 KiB" || d.Title != "T" {
		t.Errorf("not plain: %q, title %q", d.MetaError, d.Title)
	}
}

// Whatever the plain reader accepts, it reads as the full reader does.
func FuzzPlainYAML(f *testing.F) {
	for _, s := range []string{
		"a: b\n", "a: 'b'\nc: \"d\"\n", "a:\n- b\n- c: d\n  e: f\n", "a:\n  b:\n    c: 1\n", "a: [b, 'c, d', 1]\n", "a: >-\n  b\n  c\n",
		"a: |\n  b\n   c\n", "a: 2020-01-02\n", "a: 1.5\nb: 0x1\nc: 1e3\nd: 012\n", "a: b # c\n# d\ne: f#g\n", "a: b:c\n", "a b: c\n", "a: ~\nb: null\nc: True\n",
		"a: -b\nc: :d\ne: .f\n", "a:\n\n  - b\n\nc:\n", "a: é“”\n", "a:  b  \r\nc: d\r\n", "a: <b>\n", "a.b: c\nd:e: f\n", "a: 8/19/2026\nb: 1_000\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := plainYAML(text)
		if !ok {
			return
		}
		want, err := fullYAML(text)
		if err != nil || !reflect.DeepEqual(any(got), want) {
			t.Errorf("%q:\nplain %#v\nfull  %#v %v", text, got, want, err)
		}
	})
}
