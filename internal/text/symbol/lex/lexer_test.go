package lex

import (
	"slices"
	"strings"
	"testing"
)

// spell lists the tokens of code, each string as "".
func spell(code string, g *Grammar) []string {
	var l Lexer
	var c Code
	l.Lex(&c, code, g)
	var out []string
	for i, t := range c.Toks {
		if t.Kind == Text {
			out = append(out, `""`)
		} else {
			out = append(out, c.Text(i))
		}
	}
	return out
}

func TestReaders(t *testing.T) {
	for _, tt := range []struct {
		name    string
		grammar Grammar
		code    string
		want    string
	}{
		{"without readers all punctuation is marks", Grammar{}, "a/b+1.5e-3", "a / b + 1.5e-3"},
		{"a dot may end a number", Grammar{}, "a = 8. \n1..2 3.d e.4.\nf 5.6.\n7.", "a = 8. 1 . . 2 3 . d e . 4 . f 5.6 . 7."},
		{"comments", Grammar{Readers: Readers{'/': SlashComment}}, "a // b\n/* c\n*/ d / e", "a d / e"},
		{"a comment without an end is its line", Grammar{Readers: Readers{'/': SlashComment}}, "a /* b\nc", "a c"},
		{"comments in comments", Grammar{Readers: Readers{'/': NestedComment}}, "a /* /* b */ c */ d", "a d"},
		{"a slash behind a value divides", Grammar{Readers: Readers{'/': SlashOrRegex}}, "a / b; x = /[/]'/g", `a / b ; x = ""`},
		{"a string ends with its line", Grammar{Readers: Readers{'"': String}}, "a \"b\nc", `a "" c`},
		{"code in a string", Grammar{Habits: DollarBraces, Readers: Readers{'"': String}}, `"a ${b + "c"} d" e`, `"" { b + "" } e`},
		{"a quoted identifier", Grammar{Readers: Readers{'`': QuotedWord}}, "`a` `b c`", "a \"\""},
		{"a lifetime is passed over", Grammar{Readers: Readers{'\'': CharOrLifetime}}, "'x' &'a b", `"" & b`},
		{"a prefix belongs to the string", Grammar{Readers: Readers{'"': String}, Prefixed: PythonPrefixed}, `rb"x" f"y" g "z"`, `"" "" g ""`},
		{"a heredoc begins on the next line", Grammar{Readers: Readers{'<': HereDoc}}, "a(<<~E, b)\n  c\nE\nd", `a ( "" , b ) d`},
		{"the text of elements is no code", Grammar{Readers: Readers{'<': Element}}, "x = <a b>it's {c}</a>", `x = a b { c } a ""`},
		{"output of a session is left out", Grammar{Sessions: []Session{PythonSession()}}, ">>> a\nb\n... c", "a c"},
		{"a directive", Grammar{Readers: Readers{'#': Directive}}, "#define A \\\n b\n#if X\nc # d", "A #if c # d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, want := spell(tt.code, &tt.grammar), strings.Fields(tt.want); !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q", tt.code, got, want)
			}
		})
	}
}

// Brackets that do not match end where the indent says.
func TestGroups(t *testing.T) {
	top := func(c *Code, i int) bool { return c.Word(i) == "func" }
	for _, tt := range []struct {
		name, code string
		want       string // the token behind the group that begins first
	}{
		{"a group", "f(a, [b]) c", "c"},
		{"a bracket left open ends with its block", "{ f(a; } c", "c"},
		{"a brace in the column of the line that opened it", "f {\n  g {\n}\nc", "c"},
		{"what only stands at the top ends all", "f {\n  a\nfunc g", "func"},
		{"never closed", "f { a", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l Lexer
			var c Code
			l.Lex(&c, tt.code, &Grammar{Boundary: top})
			i := slices.IndexFunc(c.Toks, func(t Token) bool { return CloserOf(t.Mark) != 0 })
			if got := c.Text(c.Past(i)); got != tt.want {
				t.Errorf("%q: got %q, want %q", tt.code, got, tt.want)
			}
		})
	}
}
