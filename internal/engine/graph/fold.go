package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns the form in which names are compared. Site generators write
// "My Page.md" as "/my-page/" or "/my_page/", file systems differ about case, and
// macOS takes accents apart.
func fold(s string) string {
	changed := false
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return strings.Map(foldRune, norm.NFC.String(s))
		}
		changed = changed || 'A' <= c && c <= 'Z' || c == ' ' || c == '_'
	}
	if !changed {
		return s
	}
	b := make([]byte, 0, 96) // on the stack, mostly
	for i := range len(s) {
		b = append(b, byte(foldRune(rune(s[i]))))
	}
	return string(b)
}

func foldRune(r rune) rune {
	switch {
	case r == ' ' || r == '_':
		return '-'
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			return r | 0x20
		}
		return r
	}
	return unicode.ToLower(r)
}

// foldText is fold for words: white space around them does not count, and a run of
// it counts once.
func foldText(s string) string {
	return fold(strings.Join(strings.Fields(cutText(s, maxText)), " "))
}

// cutText returns the first n bytes of s at most, whole characters only.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// A space keeps names of different kinds apart.
type space byte

const (
	wholePath space = 'f' // a path from the root
	pathEnd   space = 'p' // its last components
	words     space = 't' // a title or an alias
	number    space = 'n' // of a heading
	ruleID    space = 'i'
)

// hashKey returns the hash under which a folded name is filed: FNV-1a.
func hashKey(s space, key string) uint32 {
	h := (2166136261 ^ uint32(s)) * 16777619
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return h
}

// maxTail is how many components of a path are looked up when its beginning is
// unknown. Three tell all but a handful of files of real corpora apart.
const maxTail = 3

// tail returns the last n components of a path.
func tail(path string, n int) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			if n--; n == 0 {
				return path[i+1:]
			}
		}
	}
	return path
}

// hasTail reports whether path is end, or ends with it after a slash.
func hasTail(path, end string) bool {
	n := len(path) - len(end)
	return n == 0 && path == end || n > 0 && end != "" && path[n-1] == '/' && path[n:] == end
}
