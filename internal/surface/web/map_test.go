package web

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// The map of a folder with more than a thousand entries weighs no more than other pages:
// its circles become links when their details are loaded. (It had 295 kB.) A small map has
// its links without scripts.
func TestLargeMap(t *testing.T) {
	fsys := fstest.MapFS{"few/a.md": {Data: []byte("# A\n\n[b](b.md)\n")}, "few/b.md": {Data: []byte("# B\n")}}
	for i := range 1150 {
		text := fmt.Appendf(nil, "# Interface %d of the reference\n\n[a](../interface-of-the-reference-%d/index.md) [b](../interface-of-the-reference-%d/index.md)\n", i, (i*7+1)%1150, (i*i+3)%1150)
		fsys[fmt.Sprintf("api/interface-of-the-reference-%d/index.md", i)] = &fstest.MapFile{Data: text}
		fsys[fmt.Sprintf("api/interface-of-the-reference-%d/part/index.md", i)] = &fstest.MapFile{Data: []byte("# Part\n")}
	}
	h := handler(t, fsys)
	page := body(t, h, "/map?dir=api")
	if n := strings.Count(page, `<circle class="spot`); n != 1150 || len(page) > 150_000 {
		t.Errorf("%d circles in %d bytes", n, len(page))
	}
	if details := body(t, h, "/map/details?dir=api"); strings.Count(details, `"url":"/map?dir=api`) != 1150 || strings.Count(details, `"path":"api/`) != 1150 {
		t.Errorf("the details have no links: %.500s", details)
	}
	if small := body(t, h, "/map?dir=few"); !strings.Contains(small, `<a href="/read/few/a.md" tabindex="-1"><circle`) {
		t.Error("the circles of a small map are no links")
	}
}

// A folder with more entries than can be told apart has several maps. (All 3,000 circles were
// on one page.) Any page is found on the one that shows it.
func TestMapOfPages(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 3000 {
		fsys[fmt.Sprintf("notes/n%04d.md", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "# Note %d\n\n[a](n%04d.md)\n", i, (i*7+1)%3000)}
	}
	h := handler(t, fsys)
	for _, tt := range []struct {
		url, pages string
		circles    int
		more       string
	}{
		{"/map?dir=notes", "1–1,200 of 3,000", 1200, "/map?dir=notes&amp;page=2"},
		{"/map?dir=notes&page=3", "2,401–3,000 of 3,000", 600, "/map?dir=notes&amp;page=2"},
		{"/map?dir=notes&page=9", "2,401–3,000 of 3,000", 600, "/map/details?dir=notes&amp;page=3"},
		{"/map?at=notes/n1300.md", "1,201–2,400 of 3,000", 1200, ">Note 1200</a>"},
	} {
		page := body(t, h, tt.url)
		if n := strings.Count(page, `<circle class="spot`); n != tt.circles || len(page) > 150_000 {
			t.Errorf("%s: %d circles in %d bytes", tt.url, n, len(page))
		}
		for _, want := range []string{tt.pages, tt.more} {
			if !strings.Contains(page, want) {
				t.Errorf("%s has no %q", tt.url, want)
			}
		}
	}
	if details := body(t, h, "/map/details?dir=notes&page=2"); !strings.Contains(details, "notes/n1200.md") || strings.Contains(details, "notes/n1199.md") {
		t.Errorf("details of another part: %.300s", details)
	}
}
