package web

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// A page shows the section that it embeds, and embedding ends: in a circle, in depth and
// in number.
func TestEmbeddedSections(t *testing.T) {
	h := handler(t, fstest.MapFS{
		"a.md":      {Data: []byte("# A\n\nBefore ![[b#Two]] after.\n\n![[gone]]\n")},
		"b.md":      {Data: []byte("# B\n\nnot this\n\n## Two\n\n*these* [words](c.md) and [here](#one)\n\n### Three\n\nand these\n\n## One\n\nnor this\n")},
		"c.md":      {Data: []byte("# C\n\n![[c]]\n\n![[d]]\n")},
		"d.md":      {Data: []byte("# D\n\ntext of d\n\n![[c]]\n")},
		"bomb.md":   {Data: []byte("# Bomb\n\n" + strings.Repeat("![[bomb2]]\n\n", 100))},
		"bomb2.md":  {Data: []byte("# Bomb two\n\n" + strings.Repeat("![[bomb3]]\n\n", 100))},
		"bomb3.md":  {Data: []byte("# Bomb three\n\nboom\n")},
		"inline.md": {Data: []byte("# Inline\n\n| a |\n|---|\n| ![[bomb3]] |\n\n**![[bomb3]]**\n\n- ![[bomb3]]\n")},
	})
	page := body(t, h, "/read/a.md")
	checkMarkup(t, "a.md", page)
	want := `<p>Before </p>
<div class="embed"><p class="embed-title"><a href="/read/b.md#two">Two</a></p>
<p class="embed-heading">Two</p>
<p><em>these</em> <a href="/read/c.md" title="c.md">words</a> and <a href="/read/b.md#one" title="b.md#one">here</a></p>
<p class="embed-heading">Three</p>
<p>and these</p>
</div>
<p> after.</p>`
	if !strings.Contains(page, want) || strings.Contains(page, "not this") || strings.Contains(page, "nor this") {
		t.Errorf("no\n%s\nin\n%s", want, page)
	}
	if page := body(t, h, "/read/c.md"); strings.Count(page, `class="embed"`) != 1 || !strings.Contains(page, "text of d") {
		t.Errorf("a circle: %s", page)
	}
	if n := strings.Count(body(t, h, "/read/bomb.md"), `class="embed"`); n > maxEmbedded || n == 0 {
		t.Errorf("%d parts", n)
	}
	if page := body(t, h, "/read/inline.md"); strings.Count(page, `class="embed"`) != 1 {
		t.Errorf("in text: %s", page)
	}
}

// A page that embeds others is rendered once, and anew when one of them has changed, though
// it has not. (It used to be rendered for every reader.)
func TestEmbeddingIsCached(t *testing.T) {
	dir, o := onDisk(t, map[string]string{"a.md": "# A\n\n![[b#two]]\n", "b.md": "# B\n\n## Two\n\ntext 0\n"})
	s := &site{}
	h := newSite(o, s)
	cached := func() (n int) {
		c := s.corpora[0]
		c.mu.Lock()
		defer c.mu.Unlock()
		for key, j := range c.current.jobs {
			if strings.HasPrefix(key, "read a.md ") && len(j.value.(*document).parts) == 1 {
				n++
			}
		}
		return n
	}
	for i := range 4 {
		want := fmt.Sprintf("text %d", i)
		if err := os.WriteFile(filepath.Join(dir, "b.md"), []byte("# B\n\n## Two\n\n"+want+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if page := body(t, h, "/read/a.md"); !strings.Contains(page, want) {
				t.Fatalf("%q is not in %s", want, page)
			}
		}
		if cached() != 1 {
			t.Errorf("the page is cached %d times", cached())
		}
	}
}
