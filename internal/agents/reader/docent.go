package reader

import (
	"regexp"
	"slices"
	"strings"
)

var (
	hitLine  = regexp.MustCompile(`(?m)^# (?:\[\d+\] )?(\S+\.md\S*) \(\d+ tokens?[^)]*\)$`)
	leadLine = regexp.MustCompile(`(?m)^([^\s#]\S*\.md\S*:\d+-\d+)  .*\(\d+ tokens?([^)]*)\)`)
)

// withDocent searches, and reads what the search names.
func withDocent(words []string, question string, done []step) (string, *call) {
	if len(done) == 0 {
		return "", &call{"search", map[string]any{"query": question}}
	}
	found := done[0].text
	weak, reads := strings.HasPrefix(found, "weak match"), maxReads
	if weak {
		reads = 1
	}
	read := hits(found)
	for _, s := range done[1:] {
		read = append(read, hits(s.text)...)
	}
	for _, p := range read {
		if score(words, p.text) >= plenty {
			return decide(words, read), nil
		}
	}
	for _, m := range leadLine.FindAllStringSubmatch(found, -1) {
		asked := slices.ContainsFunc(done, func(s step) bool { return strings.Contains(s.args, m[1]) })
		if !asked && len(done) <= reads && (weak || !strings.Contains(m[2], "weak")) {
			return "", &call{"get_section", map[string]any{"ref": m[1]}}
		}
	}
	if weak {
		return refusal, nil
	}
	return decide(words, read), nil
}

// hits are the texts of an answer.
func hits(text string) []passage {
	var out []passage
	heads := hitLine.FindAllStringSubmatchIndex(text, -1)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		body, _, _ := strings.Cut(text[h[1]:end], "\n---\n")
		out = append(out, passage{text[h[2]:h[3]], body})
	}
	return out
}
