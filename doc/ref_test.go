package doc

import (
	"errors"
	"strings"
	"testing"
)

func TestParseRef(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     Ref
	}{
		{"a file", "guide/auth.md", Ref{Path: "guide/auth.md"}},
		{"a section", "guide/auth.md#jwt-tokens", Ref{Path: "guide/auth.md", Anchor: "jwt-tokens"}},
		{"a code block in it", "a.md#x:code-2", Ref{Path: "a.md", Anchor: "x", Code: 2}},
		{"a code block of the file", "a.md:code-2", Ref{Path: "a.md", Code: 2}},
		{"a range of lines", "a.md:15-48", Ref{Path: "a.md", Lines: Lines{15, 48}}},
		{"one line", "a.md:15", Ref{Path: "a.md", Lines: Lines{15, 15}}},
		{"lines of a section", "a.md#x:15-48", Ref{Path: "a.md", Anchor: "x", Lines: Lines{15, 48}}},
		{"a citation", "a.md#x:15-48@3f2a91", Ref{Path: "a.md", Anchor: "x", Lines: Lines{15, 48}, Hash: "3f2a91"}},
		{"GitHub's line form", "a.md#L15-L48", Ref{Path: "a.md", Lines: Lines{15, 48}}},
		{"a folder", "guide", Ref{Path: "guide"}},
		{"a hash sign in a folder name", "C#/intro.md#x", Ref{Path: "C#/intro.md", Anchor: "x"}},
		{"a colon in an explicit id", "a.md#ns:name", Ref{Path: "a.md", Anchor: "ns:name"}},
		{"an at sign in an anchor", "a.md#user@home", Ref{Path: "a.md", Anchor: "user@home"}},
		{"a node id", "docs/auth.md::JWT Tokens", Ref{Path: "docs/auth.md", Heading: "JWT Tokens"}},
		{"the second of that name", "docs/auth.md::Notes::2", Ref{Path: "docs/auth.md", Heading: "Notes", Repeat: 2}},
		{"a code node", "docs/auth.md::JWT Tokens::code-1", Ref{Path: "docs/auth.md", Heading: "JWT Tokens", Code: 1}},
		{"a code node of the file", "docs/auth.md::code-1", Ref{Path: "docs/auth.md", Code: 1}},
		{"an escaped hash sign after an ending", "a.md%23b.md#x", Ref{Path: "a.md#b.md", Anchor: "x"}},
		{"an escaped percent sign after an ending", "a.md%2523b.md", Ref{Path: "a.md%23b.md"}},
		{"percent signs elsewhere", "a%23b.md", Ref{Path: "a%23b.md"}},
		{"a backslash in a name", `a\b.md#x`, Ref{Path: `a\b.md`, Anchor: "x"}},
		{"an upper-case ending", "README.MD#x", Ref{Path: "README.MD", Anchor: "x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseRef(tt.in)
			if err != nil || got != tt.want {
				t.Errorf("ParseRef(%q) = %+v, %v; want %+v", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestParseRefRefuses(t *testing.T) {
	for _, in := range []string{"", "#x", ":3-4", "a.md:48-15", "a.md:0", "a.md:x", "a\x00.md", "a.md::"} {
		if got, err := ParseRef(in); !errors.Is(err, ErrBadRef) {
			t.Errorf("ParseRef(%q) = %+v, %v; want ErrBadRef", in, got, err)
		}
	}
}

// Whatever ParseRef accepts, printing and parsing again must not change it.
func FuzzParseRef(f *testing.F) {
	for _, s := range []string{"a.md", "a.md#x:1-2@abcdef", "a.md#L1-L2", "C#/a.md:code-3", "a:1-2", "a.md@abcdef", "x@abcdef:3", "0:1#", ":#L1", "a.md%23b.mdx%3A3.md#x", "a.md%25"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRef(s)
		if err != nil || r.Heading != "" {
			return
		}
		again, err := ParseRef(r.String())
		if err != nil || again != r {
			t.Fatalf("%q parses to %+v, prints as %q, which parses to %+v, %v", s, r, r.String(), again, err)
		}
	})
}

// Every file has a Ref, whatever its name: a document called "a.md#b.md" could be
// found and not be read, because its Ref was taken for a section of a.md.
func FuzzRefOfFile(f *testing.F) {
	for _, s := range []string{"a.md", `a\b.md`, "a.md#b.md", "a.md:3.md", "a.md@abcdef12.md", "a.mdx%23.md", "C#/a.md", "a.md#.md:.mdx@.md", "a.md%.md"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, path string, line int) {
		if strings.ContainsRune(path, 0) || !IsMarkdown(path) {
			return
		}
		for _, r := range []Ref{
			{Path: path},
			{Path: path, Code: max(1, line%1000)},
			{Path: path, Lines: Lines{1, max(1, line%1000)}},
			{Path: path, Anchor: "x"},
			{Path: path, Anchor: "x", Lines: Lines{1, 2}, Hash: "abcdef12"},
		} {
			if got, err := ParseRef(r.String()); err != nil || got != r {
				t.Fatalf("%+v prints as %q, which parses to %+v, %v", r, r.String(), got, err)
			}
		}
	})
}
