package doc

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Ref names one place in a corpus. Its text form is what users type, what
// tools return and what a follow-up call passes back:
//
//	guide/auth.md                      a file
//	guide/auth.md#jwt-tokens           a section
//	guide/auth.md#jwt-tokens:code-1    a code block in it
//	guide/auth.md:15-48                a range of lines
//	guide/auth.md#jwt-tokens:15-48     lines, and the section they stood in
//	guide/auth.md#jwt-tokens:15-48@3f2a91
//	                                   a citation: the same, with a hash of the text
//
// Also read, never printed: the graph's node ids "guide/auth.md::JWT Tokens",
// "...::2" and "...::code-1", and GitHub's "guide/auth.md#L15-L48".
//
// A file may be called "a.md#b.md". What would end its path too early, one of "#:@"
// after a Markdown ending, is printed as in an address, "a.md%23b.md", and so is a
// "%" there: every Ref that is printed reads as itself.
type Ref struct {
	Path    string // relative to the root, with forward slashes
	Anchor  string // of a section
	Heading string // heading text, when the Ref was given as a node id
	Repeat  int    // which of several equal headings, from 2; 0 means the first
	Code    int    // which code block, from 1; 0 means none
	Lines   Lines
	Hash    string // lower-case hexadecimal prefix of the text's hash
}

// ErrBadRef is what ParseRef returns, wrapped, for text that is no Ref.
var ErrBadRef = errors.New("not a reference")

// minHash is the shortest hash a citation may carry.
const minHash = 6

// Extensions are the endings of the files docent reads.
var Extensions = []string{".md", ".markdown", ".mdown", ".mdx"}

// IsMarkdown reports whether a file of that name is one docent reads. Case
// does not matter.
func IsMarkdown(name string) bool {
	return slices.ContainsFunc(Extensions, func(ext string) bool {
		return len(name) > len(ext) && strings.EqualFold(name[len(name)-len(ext):], ext)
	})
}

// ParseRef reads the text form of a Ref. The path ends after the first Markdown
// file ending that is followed by "#", ":", "@" or nothing, so that "C#/intro.md#x"
// means what its writer meant; where there is no such ending, at the first "#".
func ParseRef(s string) (Ref, error) {
	if s == "" {
		return Ref{}, fmt.Errorf("%w: empty", ErrBadRef)
	}
	if strings.ContainsRune(s, 0) {
		return Ref{}, fmt.Errorf("%w: holds a NUL byte", ErrBadRef)
	}
	end := pathEnd(s)
	r := Ref{Path: s[:end]}
	rest := s[end:]
	if r.Path == "" {
		return Ref{}, fmt.Errorf("%w: %q names no file", ErrBadRef, s)
	}
	r.Path = unescapePath(r.Path)
	if rest != "" && !IsMarkdown(s[:end]) && strings.ContainsAny(s[:end], ":@") {
		return Ref{}, fmt.Errorf("%w: %q: cannot tell the folder from the place in it", ErrBadRef, s)
	}
	if heading, ok := strings.CutPrefix(rest, "::"); ok {
		return parseNode(r, heading, s)
	}
	rest, r.Hash = cutHash(rest)
	if lines, ok := githubLines(rest); ok {
		r.Lines = lines
		return r, nil
	}
	anchor, isAnchor := strings.CutPrefix(rest, "#")
	if isAnchor {
		rest = ""
		if i := strings.LastIndexByte(anchor, ':'); i >= 0 && isPlace(anchor[i+1:]) {
			anchor, rest = anchor[:i], anchor[i:]
		}
		if anchor == "" {
			return Ref{}, fmt.Errorf("%w: %q: nothing follows the #", ErrBadRef, s)
		}
		r.Anchor = anchor
	}
	if rest == "" {
		return r, nil
	}
	place := strings.TrimPrefix(rest, ":")
	if n, ok := codeNumber(place); ok {
		r.Code = n
		return r, nil
	}
	lines, ok := parseLines(place)
	if !ok {
		return Ref{}, fmt.Errorf("%w: %q: after the file name come #anchor, :from-to or :code-n", ErrBadRef, s)
	}
	r.Lines = lines
	return r, nil
}

// String gives the text form. Heading and Repeat have none: resolve them to an
// Anchor first.
func (r Ref) String() string {
	b := make([]byte, 0, len(r.Path)+len(r.Anchor)+24)
	b = append(b, escapePath(r.Path)...)
	if r.Anchor != "" {
		b = append(append(b, '#'), r.Anchor...)
	}
	switch {
	case r.Code > 0:
		b = strconv.AppendInt(append(b, ":code-"...), int64(r.Code), 10)
	case r.Lines.Start > 0:
		b = strconv.AppendInt(append(b, ':'), int64(r.Lines.Start), 10)
		b = strconv.AppendInt(append(b, '-'), int64(r.Lines.End), 10)
	}
	if r.Hash != "" {
		b = append(append(b, '@'), r.Hash...)
	}
	return string(b)
}

// pathEnd returns where the path ends and the place in it begins.
func pathEnd(s string) int {
	for i := ending(s, 0); i > 0; i = ending(s, i) {
		if i == len(s) || strings.IndexByte("#:@", s[i]) >= 0 {
			return i
		}
	}
	if i := strings.IndexByte(s, '#'); i >= 0 {
		return i
	}
	if i := strings.Index(s, "::"); i >= 0 {
		return i
	}
	if body, hash := cutHash(s); hash != "" {
		s = body
	}
	if i := strings.LastIndexByte(s, ':'); i >= 0 && isPlace(s[i+1:]) {
		return i
	}
	return len(s)
}

// ending returns the end of the first Markdown ending from a byte on that is followed by
// one of "#:@%" or by nothing; 0 if there is none.
func ending(s string, from int) int {
	for i := max(from, 1); i < len(s); i++ {
		if s[i] != '.' {
			continue
		}
		for _, ext := range Extensions {
			j := i + len(ext)
			if len(s) >= j && strings.EqualFold(s[i:j], ext) && (j == len(s) || strings.IndexByte("#:@%", s[j]) >= 0) {
				return j
			}
		}
	}
	return 0
}

// escapePath writes a path so that ParseRef does not end it too early.
func escapePath(p string) string {
	for i := ending(p, 0); i > 0 && i < len(p); i = ending(p, i) {
		p = p[:i] + fmt.Sprintf("%%%02X", p[i]) + p[i+1:]
	}
	return p
}

// unescapePath undoes escapePath.
func unescapePath(p string) string {
	for i := ending(p, 0); i > 0 && i < len(p); i = ending(p, i) {
		for _, c := range "#:@%" {
			if rest, ok := strings.CutPrefix(p[i:], fmt.Sprintf("%%%02X", c)); ok {
				p = p[:i] + string(c) + rest
				break
			}
		}
	}
	return p
}

// parseNode reads what follows "::" in a graph node id: heading text, then
// optionally "::2" for the second of that name and "::code-1".
func parseNode(r Ref, text, whole string) (Ref, error) {
	if i := strings.LastIndex(text, "::"); i >= 0 {
		if n, ok := codeNumber(text[i+2:]); ok {
			r.Code, text = n, text[:i]
		}
	} else if n, ok := codeNumber(text); ok {
		r.Code = n
		return r, nil
	}
	if i := strings.LastIndex(text, "::"); i >= 0 {
		if n, ok := number(text[i+2:]); ok && n >= 2 {
			r.Repeat, text = n, text[:i]
		}
	}
	if text == "" {
		return Ref{}, fmt.Errorf("%w: %q names no heading", ErrBadRef, whole)
	}
	r.Heading = text
	return r, nil
}

// cutHash takes a trailing "@3f2a91" off s.
func cutHash(s string) (rest, hash string) {
	i := strings.LastIndexByte(s, '@')
	if i < 0 || len(s)-i-1 < minHash || len(s)-i-1 > 64 {
		return s, ""
	}
	for _, c := range []byte(s[i+1:]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return s, ""
		}
	}
	return s[:i], s[i+1:]
}

// githubLines reads "#L15-L48" and "#L15".
func githubLines(s string) (Lines, bool) {
	s, ok := strings.CutPrefix(s, "#L")
	if !ok {
		return Lines{}, false
	}
	return parseLines(strings.Replace(s, "-L", "-", 1))
}

func isPlace(s string) bool {
	if _, ok := codeNumber(s); ok {
		return true
	}
	_, ok := parseLines(s)
	return ok
}

func codeNumber(s string) (int, bool) {
	s, ok := strings.CutPrefix(s, "code-")
	if !ok {
		return 0, false
	}
	return number(s)
}

func parseLines(s string) (Lines, bool) {
	from, to, isRange := strings.Cut(s, "-")
	a, ok := number(from)
	if !ok {
		return Lines{}, false
	}
	if !isRange {
		return Lines{a, a}, true
	}
	b, ok := number(to)
	return Lines{a, b}, ok && a <= b
}

// number reads a positive decimal without sign or leading zeros.
func number(s string) (int, bool) {
	if s == "" || len(s) > 9 || s[0] == '0' {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
