package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
)

func TestLLMs(t *testing.T) {
	w := newWorld(t)
	md := func(path, text string) { w.server.File(path, "text/markdown; charset=utf-8", []byte(text)) }
	md("/llms.txt", `# Acme

> Docs of Acme.

- [Start](/docs/start.md): begin here
- [Again](/docs/start.md#section)
- [Relative](docs/api/calls.md)
- [Full address](`+w.server.Files+`/docs/full.md)
- [Versions](/v.md?v=1), [two](/v.md?v=2)
- [Another site](https://example.com/x.md)
- [The API](`+w.server.URL+`/secret.md)
- [A web page](/page.md)
- [Missing](/missing.md)
- [Not Markdown](/logo.png)
- [Out](/../../../etc/passwd.md)
- [Odd](/a%2f..%2f..%2fevil.md)
- [Device](/CON.md)
- [Hidden](/.claude/x.md)
- [Other scheme](file:///etc/x.md) [script](javascript:alert(1).md)
`)
	for path, text := range map[string]string{
		"/docs/start.md": "# Start", "/docs/api/calls.md": "# Calls", "/docs/full.md": "# Full", "/v.md": "# V", "/etc/passwd.md": "# P",
		"/a/../../evil.md": "# E", "/CON.md": "# C", "/.claude/x.md": "# X",
	} {
		md(path, text)
	}
	w.server.File("/page.md", "text/html", []byte("<html>"))
	r := w.mustFetch(w.server.Files + "/llms.txt")
	got := w.tree()
	for name := range got {
		if !strings.HasPrefix(name, "ref-docs/lib/") {
			t.Errorf("%s lies outside", name)
		}
	}
	for name, want := range map[string]string{
		"docs/start.md": "# Start", "docs/api/calls.md": "# Calls", "docs/full.md": "# Full", "etc/passwd.md": "# P", "_CON.md": "# C", "claude/x.md": "# X",
	} {
		if got["ref-docs/lib/"+name] != want {
			t.Errorf("%s = %q, want %q", name, got["ref-docs/lib/"+name], want)
		}
	}
	if !strings.HasPrefix(got["ref-docs/lib/llms.md"], "# Acme") {
		t.Error("llms.txt itself is missing")
	}
	said := fmt.Sprint(r.Skipped)
	for _, want := range []string{"/page.md: a web page, not Markdown", "/missing.md: not found"} {
		if !strings.Contains(said, want) {
			t.Errorf("skipped %s; want %q", said, want)
		}
	}
	for _, req := range w.server.Requests() {
		if req.Server != "files" || strings.Contains(req.Path, "logo") {
			t.Errorf("asked %s for %s", req.Server, req.Path)
		}
	}
	if u := w.mustFetch(w.server.Files + "/llms.txt"); !u.Unchanged || r.Files != u.Files {
		t.Errorf("an update without news: %+v", u)
	}
	md("/docs/full.md", "# Full 2")
	if u := w.mustFetch(w.server.Files + "/llms.txt"); fmt.Sprint(u.Added, u.Changed, u.Removed) != "[] [docs/full.md] []" {
		t.Errorf("an update: %+v", u)
	}
	// A site in trouble does not take pages away.
	before := w.tree()
	w.server.Set(fetchtest.Faults{Handle: func(_ string, rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/llms.txt" {
			return false
		}
		rw.WriteHeader(http.StatusInternalServerError)
		return true
	}})
	_, err := w.fetch(w.server.Files + "/llms.txt")
	w.wantError(err, "pages could not be had", "500")
	if len(before) != len(w.tree()) {
		t.Error("pages are gone")
	}
}

func TestSinglePage(t *testing.T) {
	w := newWorld(t)
	w.server.File("/docs/guide.md", "text/plain", []byte("# Guide\n[next](/next.md)"))
	w.mustFetch(w.server.Files + "/docs/guide.md")
	w.wantTree(map[string]string{"ref-docs/lib/guide.md": "# Guide\n[next](/next.md)"})
}

func TestWebPageInPlaceOfList(t *testing.T) {
	w := newWorld(t)
	w.server.File("/llms.txt", "text/plain", []byte("  <!DOCTYPE HTML><p>"))
	_, err := w.fetch(w.server.Files + "/llms.txt")
	w.wantError(err, "a web page, not Markdown")
}

func TestArchiveIsAskedForOnce(t *testing.T) {
	w := newWorld(t)
	for _, ending := range []string{".tar.gz", ".zip"} {
		w.opt.Dest = "ref-docs/x" + ending
		files := map[string]string{"docs-1.0/README.md": "# One", "docs-1.0/sub/a.md": "a"}
		body := fetchtest.Zip(files)
		if ending == ".tar.gz" {
			body = fetchtest.Tarball("docs-1.0", "", map[string]string{"README.md": "# One", "sub/a.md": "a"})
		}
		w.server.File("/docs"+ending, "application/gzip", body)
		r := w.mustFetch(w.server.Files + "/docs" + ending)
		if r.Files != 2 || r.ETag == "" {
			t.Errorf("%s: %+v", ending, r)
		}
		if w.tree()["ref-docs/x"+ending+"/sub/a.md"] != "a" {
			t.Errorf("%s: %v", ending, w.tree())
		}
		w.server.Requests()
		if r := w.mustFetch(w.server.Files + "/docs" + ending); !r.Unchanged || r.Bytes != 0 {
			t.Errorf("%s, again: %+v", ending, r)
		}
	}
}
