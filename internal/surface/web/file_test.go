package web

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Links lead to files that are no documents, which are shown as text or saved; no other
// file of the folder can be had.
func TestLinkedFiles(t *testing.T) {
	dir, o := onDisk(t, map[string]string{
		"guide/a.md":   "# A\n\n[paper](../files/paper%201.pdf) [page](x.html) [data](/files/t.csv) [gone](gone.pdf) [self](a.md) [hidden](../.env) [out](../../../etc/passwd) [left out](../node_modules/p.js) [link](link.txt) [ours](../files/local/keys.txt) [log](../files/a.log)\n",
		"guide/b.md":   "# B\n\nno links\n",
		"guide/x.html": "<script>hit()</script>", "files/paper 1.pdf": "%PDF-1.7\n", "files/t.csv": "a,b\n", "files/secret.txt": "secret", ".env": "secret", ".gitignore": "local/\n", "files/.gitignore": "*.log\n", "files/local/keys.txt": "secret", "files/a.log": "secret", "node_modules/p.js": "secret",
	})
	if err := os.Symlink(filepath.Join(dir, "files", "secret.txt"), filepath.Join(dir, "guide", "link.txt")); err != nil {
		t.Log("no symbolic links here: ", err)
	}
	h := patient(o)
	page := body(t, h, "/read/guide/a.md")
	for _, want := range []string{`href="/file/files/paper%201.pdf?from=guide%2Fa.md"`, `href="/file/guide/x.html?from=guide%2Fa.md"`, `href="/file/files/t.csv?from=guide%2Fa.md"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	if n := strings.Count(page, "/file/"); n != 3 {
		t.Errorf("%d links to files", n)
	}
	for url, kind := range map[string]string{
		"/file/files/paper%201.pdf?from=guide%2Fa.md": "application/octet-stream", "/file/guide/x.html?from=guide%2Fa.md": "text/plain; charset=utf-8", "/file/files/t.csv?from=guide%2Fa.md": "text/plain; charset=utf-8",
	} {
		w := get(t, h, url)
		if got := w.Header(); w.Code != http.StatusOK || got.Get("Content-Type") != kind || !strings.Contains(got.Get("Content-Security-Policy"), "sandbox") || got.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", url, w.Code, got)
		}
		if attached := strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment"); attached != strings.Contains(url, "pdf") {
			t.Errorf("%s: saved: %v", url, attached)
		}
	}
	for _, url := range []string{
		"/file/files/secret.txt?from=guide%2Fa.md", "/file/files/t.csv?from=guide%2Fb.md", "/file/files/t.csv", "/file/guide/b.md?from=guide%2Fa.md", "/file/.env?from=guide%2Fa.md",
		"/file/files/local/keys.txt?from=guide%2Fa.md", "/file/files/a.log?from=guide%2Fa.md",
		"/file/node_modules/p.js?from=guide%2Fa.md", "/file/guide/link.txt?from=guide%2Fa.md", "/file/files/t.csv?from=files%2Fsecret.txt", "/file/guide/a.md?from=guide%2Fa.md",
	} {
		if w := get(t, h, url); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "secret") && !strings.Contains(url, "secret") {
			t.Errorf("%s: %d", url, w.Code)
		}
	}
}
