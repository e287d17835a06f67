package prose

import (
	"regexp"
	"strings"
)

// A mention is a name in code: a span between backticks, or a word of a code
// block that looks like a path or like one name in another.
type mention struct {
	line int
	text string
}

var (
	span  = regexp.MustCompile("`([^`]+)`")
	path  = regexp.MustCompile(`(^|[\s(,])((?:[\w.-]+/)+[\w.-]*[\w-]|[\w-]+\.go)\b`)
	inner = regexp.MustCompile(`(^|[\s(,])([A-Za-z]\w+(?:\.[A-Za-z]\w+){1,2})\b`)
)

// mentions lists the names in code of a document.
func mentions(text string) []mention {
	var out []mention
	prose := map[int]bool{}
	for n, line := range proseLines(text) {
		if strings.HasPrefix(line, "    ") {
			continue
		}
		prose[n] = true
		for _, m := range span.FindAllStringSubmatch(line, -1) {
			out = append(out, mention{n, m[1]})
		}
	}
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if n++; prose[n] {
			continue
		}
		for _, re := range []*regexp.Regexp{path, inner} {
			for _, m := range re.FindAllStringSubmatch(line, -1) {
				out = append(out, mention{n, m[2]})
			}
		}
	}
	return out
}

// expand writes a path with braces out: a/{b,c} is a/b and a/c.
func expand(path string) []string {
	before, rest, ok := strings.Cut(path, "{")
	list, after, closed := strings.Cut(rest, "}")
	if !ok || !closed {
		return []string{path}
	}
	var out []string
	for one := range strings.SplitSeq(list, ",") {
		out = append(out, before+strings.TrimSpace(one)+after)
	}
	return out
}
