package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
)

// onDisk returns the pages of a folder of files.
func onDisk(t *testing.T, files map[string]string) (dir string, o Options) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := docent.Open(t.Context(), dir, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() })
	return dir, Options{Corpora: []Corpus{corpusOf("x", lib)}}
}

// A page shows the pictures of its corpus, those that come later too, and nothing else
// of the folder can be had.
func TestPicturesOfACorpus(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	dir, o := onDisk(t, map[string]string{
		"guide/a.md":        "# A\n\n![one](img/one.png) ![[two.png|90]] <img src=/guide/img/three.svg> ![four](four.png)\n",
		"guide/img/one.png": png, "pics/two.png": png, "guide/img/three.svg": "<svg onload='hit()'><script>hit()</script></svg>",
		"notes.txt": "secret",
	})
	h := patient(o)
	page := body(t, h, "/read/guide/a.md")
	checkMarkup(t, "page", page)
	for _, want := range []string{
		`src="/picture/guide/img/one.png" alt="one"`, `src="/picture/pics/two.png" alt="two.png" loading="lazy" decoding="async" width="90"`,
		`src="/picture/guide/img/three.svg"`, `<span class="picture" title="four.png">four</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in %s", want, page)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "guide", "four.png"), []byte(png), 0o644); err != nil {
		t.Fatal(err)
	}
	if page := body(t, h, "/read/guide/a.md"); !strings.Contains(page, `src="/picture/guide/four.png"`) {
		t.Error("a picture that came later is not shown")
	}
	if w := get(t, h, "/picture/guide/img/one.png"); w.Code != 200 || w.Body.String() != png || w.Header().Get("Content-Type") != "image/png" {
		t.Errorf("a picture: %d %q", w.Code, w.Header())
	}
	w := get(t, h, "/picture/guide/img/three.svg")
	if policy := w.Header().Get("Content-Security-Policy"); w.Code != 200 || !strings.Contains(policy, "sandbox") || strings.Contains(policy, "script") {
		t.Errorf("a drawing: %d %q", w.Code, w.Header())
	}
	for _, name := range []string{"notes.txt", "guide/a.md", "..%2f..%2fetc%2fpasswd", "guide", "gone.png"} {
		if w := get(t, h, "/picture/"+name); w.Code != 404 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}
