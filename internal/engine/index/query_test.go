package index

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// show writes a query out: stop words in brackets, extras in parentheses, a plus
// before what must be there, "title:" before what must be in the title.
func show(q Query) string {
	var out []string
	for _, w := range q.Words {
		t := w.Text
		if w.Extra {
			t = "(" + t + ")"
		}
		if w.Stop {
			t = "[" + t + "]"
		}
		if w.Title {
			t = "title:" + t
		}
		if w.Must {
			t = "+" + t
		}
		out = append(out, t)
	}
	for _, w := range q.Not {
		out = append(out, "-"+w.Text)
	}
	for _, p := range q.Phrases {
		out = append(out, fmt.Sprintf("%q", p))
	}
	for _, p := range q.Paths {
		out = append(out, "path:"+p)
	}
	if q.Unfinished {
		out = append(out, "...")
	}
	return strings.Join(out, " ")
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words", "rotate keys ", "rotate keys"},
		{"a question", "How do I rotate my keys?", "[how] [do] [i] rotate [my] keys"},
		{"nothing but question words", "how do I?", "how do i"},
		{"the last word may go on", "rotate ke", "rotate ke ..."},
		{"a word is looked for once", "pod Pod PODS pods ", "pod pods"},
		{"identifiers", "addEventListener ", "addeventlistener (add) (event) (listener)"},
		{"a part that is also a word is no extra", "addEventListener event ", "addeventlistener (add) event (listener)"},
		{"joined names", "kube-proxy ", "kube proxy (kube-proxy)"},
		{"a flag is no negation", "--feature-gates ", "feature gates (feature-gates)"},
		{"short flags neither", "docker run -it -p ", "docker run [it] p"},
		{"negation", "proxy -nginx ", "proxy -nginx"},
		{"negation of a joined name", "proxy -kube-proxy ", "proxy -kube-proxy"},
		{"nothing but negation is words", "-nginx -proxy ", "nginx proxy"},
		{"a dash inside is no negation", "a -b c-nginx ", "[a] b c nginx (c-nginx)"},
		{"a number is not negated", "exit -100 ", "exit 100"},
		{"a phrase", `"rotate keys" `, `+rotate +keys "rotate keys"`},
		{"a phrase among words", `how "rotate keys" fast `, `[how] rotate keys fast "rotate keys"`},
		{"a phrase and negation", `"rotate keys" -fast `, `+rotate +keys -fast "rotate keys"`},
		{"a quote that is not closed", `"rotate keys `, `rotate keys`},
		{"a quote inside", `foo"bar baz `, `foo bar baz`},
		{"an empty phrase", `"" "?" x `, `x`},
		{"title", "title:keys rotate ", "+title:keys rotate"},
		{"title with several words", `title:"rotate keys" x `, "+title:rotate +title:keys x"},
		{"title of nothing", "title: keys ", "title keys"},
		{"title in the middle of a word", "subtitle:keys ", "subtitle keys"},
		{"path", "keys path:docs/**/*.md ", "keys path:docs/**/*.md"},
		{"path with spaces", `keys path:"my docs/*" `, "keys path:my docs/*"},
		{"nothing but path", "path:docs/* ", "path:docs/*"},
		{"path of nothing", "path: x ", "path x"},
		{"Chinese", "使用服务", "使用 用服 服务 ..."},
		{"nothing", "", ""},
		{"spaces", " \t\n ", ""},
		{"not UTF-8", "\xff\xfe keys\xff", "keys"},
		{"signs", `?!"'()*&^%$#@ `, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(Parse(c.text)); got != c.want {
				t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestQueriesAreCut(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "w%dé ", i)
	}
	q := Parse(b.String())
	if len(q.Words) != maxQueryWords {
		t.Errorf("%d words", len(q.Words))
	}
	for _, w := range q.Words {
		if !utf8.ValidString(w.Text) {
			t.Errorf("%q was cut inside a character", w.Text)
		}
	}
}

// Any text is a query, and any query has an answer.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "how do I rotate keys", `"a b" -foo title:x path:"`, `title:"path:"-abc`, "--x", "\xff\"", "使用-文",
		strings.Repeat("-foo ", 1000), `""""`, "title:title:x", "path:path:",
	} {
		f.Add(s)
	}
	s := searcherOf(f, "rotate the keys", "foo bar 使用", "title path x")
	f.Fuzz(func(t *testing.T, text string) {
		q := Parse(text)
		if len(q.Words) > maxQueryWords || len(q.Not) > maxQueryWords {
			t.Fatalf("%d words, %d not", len(q.Words), len(q.Not))
		}
		got, err := s.Top(q, 10, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.topExhaustive(q, 10, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Matches) != len(want.Matches) {
			t.Fatalf("%d matches, want %d", len(got.Matches), len(want.Matches))
		}
		for i, m := range got.Matches {
			if m != want.Matches[i] {
				t.Fatalf("match %d is %v, want %v", i, m, want.Matches[i])
			}
		}
	})
}
