package web

import (
	"regexp"
	"strings"
	"testing"
)

// The tree, and what is previous and next, follow the order that writers ask for.
func TestOrderOfPages(t *testing.T) {
	_, o := onDisk(t, map[string]string{
		"index.md": "# Home\n", "a.md": "---\nweight: 3\n---\n# Last\n", "b.md": "---\nnav_order: 1\n---\n# First\n", "c/x.md": "# X\n", "c/_category_.json": `{"position": 2, "label": "<Middle>"}`,
	})
	h := patient(o)
	page := body(t, h, "/read/b.md")
	var got []string
	for _, m := range regexp.MustCompile(`(?s)<li[^>]*>.*?<a href="/(?:read|folder)/([^"]*)"[^>]*>([^<]*)`).FindAllStringSubmatch(page[strings.Index(page, "data-tree-all"):], 4) {
		got = append(got, m[1]+" "+m[2])
	}
	if list := strings.Join(got, ", "); list != "index.md Home, b.md First, c &lt;Middle&gt;, a.md Last" {
		t.Errorf("the tree has %s", list)
	}
	if !strings.Contains(page, `rel="next" href="/read/c/x.md"`) || !strings.Contains(page, `rel="prev" href="/read/index.md"`) {
		t.Error("previous and next are others")
	}
}
