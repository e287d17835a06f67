package pictures

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	svg = "<?xml version='1.0'?>\n<!-- drawn -->\n<svg xmlns='http://www.w3.org/2000/svg'><script>hit()</script></svg>"
)

// folder has one of everything, and a picture beside it that is not part of it.
func folder(t *testing.T) *Folder {
	t.Helper()
	top := t.TempDir()
	for name, data := range map[string]string{
		"outside.png": png, "in/top.png": png, "in/guide/near.png": png, "in/guide/with space.png": png, "in/static/img/site.png": png,
		"in/deep/down/Far.png": png, "in/drawing.svg": svg, "in/page.png": "<!doctype html><script>hit()</script>", "in/empty.png": "",
		"in/.hidden/secret.png": png, "in/node_modules/x/y.png": png, "in/.dot.png": png, "in/words.txt": "just words",
	} {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"in/out.png": "../outside.png", "in/link.png": "top.png", "in/away": ".."} {
		if err := os.Symlink(to, filepath.Join(top, from)); err != nil {
			t.Log("no symbolic links here:", err)
		}
	}
	return &Folder{Dir: filepath.Join(top, "in")}
}

func TestFind(t *testing.T) {
	f := folder(t)
	for _, tt := range []struct {
		name, dest string
		wiki       bool
		want       string
	}{
		{"beside the document", "near.png", false, "guide/near.png"},
		{"above it", "../top.png", false, "top.png"},
		{"from the root", "/top.png", false, "top.png"},
		{"from the root of the site", "/img/site.png", false, "static/img/site.png"},
		{"as Docusaurus has it", "@site/static/img/site.png", false, "static/img/site.png"},
		{"with a space, escaped", "with%20space.png", false, "guide/with space.png"},
		{"with a query and a fragment", "near.png?raw=true#dark", false, "guide/near.png"},
		{"by its name alone", "far.png", true, "deep/down/Far.png"},
		{"by the end of its path", "down/Far.png", true, "deep/down/Far.png"},
		{"not by its name in Markdown", "Far.png", false, ""},
		{"outside", "../../outside.png", false, ""},
		{"outside, from the root", "/../outside.png", false, ""},
		{"outside, escaped", "..%2f..%2foutside.png", false, ""},
		{"outside, by a link", "/out.png", false, ""},
		{"outside, by a linked folder", "/away/outside.png", false, ""},
		{"a link within", "/link.png", false, ""},
		{"in a hidden folder", "/.hidden/secret.png", false, ""},
		{"a hidden file", "/.dot.png", false, ""},
		{"in node_modules", "/node_modules/x/y.png", false, ""},
		{"by its name, hidden", "secret.png", true, ""},
		{"an empty file", "/empty.png", false, ""},
		{"a folder", "/guide", false, ""},
		{"elsewhere", "https://example.com/x.png", false, ""},
		{"elsewhere, by any scheme", "//example.com/x.png", false, ""},
		{"a device", "/dev/null", false, ""},
		{"nothing", "", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := f.Find("guide/a.md", tt.dest, tt.wiki); !strings.EqualFold(got, tt.want) {
				t.Errorf("%s is %q, want %q", tt.dest, got, tt.want)
			}
		})
	}
}

func TestServe(t *testing.T) {
	f := folder(t)
	for name, want := range map[string]string{
		"top.png": "image/png", "drawing.svg": "image/svg+xml",
		"page.png": "", "words.txt": "", "empty.png": "", "out.png": "", "link.png": "", "away/outside.png": "",
		".hidden/secret.png": "", "../outside.png": "", "": "", ".": "", "guide": "", "gone.png": "", "a\\b.png": "", "/etc/passwd": "",
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			err := f.Serve(w, httptest.NewRequest(http.MethodGet, "/", nil), name)
			if (err == nil) != (want != "") || w.Header().Get("Content-Type") != want {
				t.Fatalf("%v, %q", err, w.Header().Get("Content-Type"))
			}
			if want == "" {
				if w.Body.Len() > 0 {
					t.Error("something was written")
				}
				return
			}
			if p := w.Header().Get("Content-Security-Policy"); !strings.Contains(p, "sandbox") || !strings.HasPrefix(p, "default-src 'none'") {
				t.Errorf("policy %q", p)
			}
			if w.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Error("a browser may guess the type")
			}
		})
	}
}

// A picture that is too large is not shown.
func TestLargePictures(t *testing.T) {
	f := folder(t)
	if err := os.Truncate(filepath.Join(f.Dir, "top.png"), MaxSize+1); err != nil {
		t.Fatal(err)
	}
	if got := f.Find("a.md", "top.png", false); got != "" {
		t.Errorf("found %s", got)
	}
	if err := f.Serve(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), "top.png"); err == nil {
		t.Error("served")
	}
}

func TestTypes(t *testing.T) {
	for head, want := range map[string]string{
		png: "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "GIF89a": "image/gif", "RIFF\x00\x00\x00\x00WEBPVP8 ": "image/webp",
		"\x00\x00\x00 ftypavif\x00\x00": "image/avif", "\xef\xbb\xbf <svg>": "image/svg+xml", "<svgx>": "", "<html><svg>": "", "<!DOCTYPE svg [<!ENTITY a 'b'>]": "",
		"%PDF-1.4": "", "": "", "<?xml": "",
	} {
		if got := Type([]byte(head)); got != want {
			t.Errorf("%q is %q, want %q", head, got, want)
		}
	}
}
