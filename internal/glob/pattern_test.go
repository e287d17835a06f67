package glob

import (
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name, pattern string
		yes, no       string // paths, separated by spaces
	}{
		{"a star stays in its folder", "*.md", "a.md .md", "a/b.md a.md/b"},
		{"a question mark is one character", "?.md", "a.md é.md", "ab.md .md /.md"},
		{"a class", "[a-cx].md", "b.md x.md", "d.md -.md"},
		{"a negated class", "[!a-b].md", "c.md é.md", "a.md .md"},
		{"negated with a caret", "[^a-b].md", "c.md é.md", "a.md .md"},
		{"a class never has a slash", "a[!b]c", "axc aéc", "a/c abc"},
		{"an escaped member of a class", `[\]a-\c]`, "] b", `\ d`},
		{"two stars and a slash are folders", "**/a.md", "a.md x/a.md x/y/a.md", "xa.md x/a.md/y"},
		{"in the middle too", "docs/**/a.md", "docs/a.md docs/x/y/a.md", "docsa.md a.md"},
		{"at the end they are the folder and all in it", "docs/**", "docs docs/a.md docs/x/y", "docsx docsx/a"},
		{"however often they are written", "docs/**/**", "docs docs/a.md docs/x/y", "docsx"},
		{"elsewhere they are one star", "a**/b", "a/b ax/b", "a/x/b"},
		{"three stars are one", "a***", "a ab", "a/b"},
		{"braces are alternatives", "{a,b/c}.md", "a.md b/c.md", "c.md a,b/c.md"},
		{"which may be empty", "a{,.md}", "a a.md", "a."},
		{"and hold others", "{a,b{c,d}}x", "ax bcx bdx", "bx"},
		{"and make wildcards with what is around them", "{docs/,}**/{a,b}", "docs/a docs/x/b x/a b", "docs/c"},
		{"a comma in a class is a member", "{[,]a,b}", ",a b", "a ["},
		{"a backslash takes away a meaning", `\*\{a,b\}`, "*{a,b}", "xa *a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for path := range strings.FieldsSeq(tt.yes) {
				if !Match(tt.pattern, path) {
					t.Errorf("%s does not match %s", tt.pattern, path)
				}
			}
			for path := range strings.FieldsSeq(tt.no) {
				if Match(tt.pattern, path) {
					t.Errorf("%s matches %s", tt.pattern, path)
				}
			}
		})
	}
}

func TestInvalidPatternsMatchNothing(t *testing.T) {
	for _, p := range []string{"[", "[]", "[!]", "[a", `[a\]`, `a\`, "{a", "a}", "{a,{b}", "{[}", strings.Repeat("{a,b}", 20)} {
		if Valid(p) || Match(p, "a") || Match(p, p) {
			t.Errorf("%s is valid", p)
		}
	}
}

// Whatever the pattern is, compiling and matching it end soon.
func TestHostilePatterns(t *testing.T) {
	path := strings.Repeat("a/", 2000) + strings.Repeat("a", 255)
	start := time.Now()
	for _, p := range []string{
		strings.Repeat("{a,b}", 1000),
		strings.Repeat("{", 10000) + strings.Repeat("}", 10000),
		strings.Repeat("{a,b}", 9) + strings.Repeat("{}", 5000),
		"{" + strings.Repeat(",", 1<<20) + "}",
		strings.Repeat("**/*a", 500) + "b",
		strings.Repeat("*a", 500) + "b",
		strings.Repeat("{*,?}a", 8) + "b",
		strings.Repeat("[a-z]*", 500) + "b",
	} {
		if Match(p, path) {
			t.Errorf("%.20s matches", p)
		}
	}
	if d := time.Since(start); d > 5*time.Minute { // on any machine; one that is tried in all ways takes years
		t.Errorf("it took %v", d)
	}
}

// Our rules are doublestar's. See oracle for where it does not keep to them.
func TestMatchAgreesWithDoublestar(t *testing.T) {
	matched := 0
	rapid.Check(t, func(t *rapid.T) {
		pattern := drawPattern(t)
		if got, want := Valid(pattern), doublestar.ValidatePattern(pattern); got != want {
			t.Fatalf("%q is valid: %v, doublestar says %v", pattern, got, want)
		}
		for range 5 {
			path := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "é", "ab", "/", "a/", "/b", "-", "]"}), 0, 8).Draw(t, "path"), "")
			got, want := Match(pattern, path), oracle(pattern, path)
			if got != want {
				t.Fatalf("%q on %q: %v, doublestar says %v", pattern, path, got, want)
			}
			if got {
				matched++
			}
		}
	})
	if matched == 0 {
		t.Error("nothing matched")
	}
}

// drawPattern returns a pattern of whole path elements: doublestar reads "**"
// in other ways where braces end in the middle of it.
func drawPattern(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{"a", "b", "é", "?", "*", "[ab]", "[!a/]", "[a-c-é]", `[\]-]`, `\a`, "{a,b}", "{a,}", "{ab,*b}", "{a/b,[,]}", "{a,{b,c}}", "{**/a,b}", "a**"})
	element := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			return "**"
		}
		return strings.Join(rapid.SliceOfN(piece, 0, 3).Draw(t, "pieces"), "")
	})
	return strings.Join(rapid.SliceOfN(element, 1, 4).Draw(t, "elements"), "/")
}

// oracle asks doublestar about what a pattern is short for, and keeps it from
// seeing that a path is at its end: there it denies that "a*{,b}", "a***" and
// "a*/**" match "a", though "a*" does, and says that "a/**/" does.
func oracle(pattern, path string) bool {
	if open := strings.IndexByte(pattern, '{'); open >= 0 {
		ends := alternatives(pattern, open+1)
		from := open + 1
		for _, to := range ends {
			if oracle(pattern[:open]+pattern[from:to]+pattern[ends[len(ends)-1]+1:], path) {
				return true
			}
			from = to + 1
		}
		return false
	}
	if pattern == "**" {
		return true
	}
	if folder, ok := strings.CutSuffix(pattern, "/**"); ok {
		return oracle(folder, path) || doublestar.MatchUnvalidated(pattern, path)
	}
	return doublestar.MatchUnvalidated(pattern+".", path+".")
}

func FuzzMatch(f *testing.F) {
	for _, p := range []string{"**/*.md", "{a,b}/[!c]?", `\*[a-\]]`, "a/**/", "{**,a}/b"} {
		f.Add(p, "a/b.md")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 1000 || len(path) > 1000 {
			return
		}
		if !Valid(pattern) && Match(pattern, path) {
			t.Errorf("%q is not valid and matches %q", pattern, path)
		}
		if !strings.ContainsAny(pattern, `*?[]{}\`) && Match(pattern, path) != (pattern == path) {
			t.Errorf("%q is plain text", pattern)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	const pattern, path = "**/{guide,reference}/*.md", "content/en/docs/reference/access-authn-authz/rbac.md"
	b.Run("compiled", func(b *testing.B) {
		p, _ := Compile(pattern)
		for b.Loop() {
			p.Match(path)
		}
	})
	b.Run("text", func(b *testing.B) {
		for b.Loop() {
			Match(pattern, path)
		}
	})
	b.Run("doublestar", func(b *testing.B) {
		for b.Loop() {
			doublestar.MatchUnvalidated(pattern, path)
		}
	})
}
