package diagram

import (
	"compress/gzip"
	"io"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// The frame may run its two scripts and nothing else, and reaches nothing.
func TestServe(t *testing.T) {
	for _, zipped := range []bool{false, true} {
		r := httptest.NewRequest("GET", "/diagram", nil)
		if zipped {
			r.Header.Set("Accept-Encoding", "br, gzip")
		}
		w := httptest.NewRecorder()
		Serve(w, r)
		var body io.Reader = w.Body
		if zipped {
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		}
		page, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(page), "<script"); n != 2 || !strings.Contains(string(page), "mermaid.render(") {
			t.Errorf("%d scripts", n)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if len(regexp.MustCompile(`'sha256-[^']+'`).FindAllString(policy, -1)) != 2 {
			t.Errorf("policy %s", policy)
		}
		for _, want := range []string{"default-src 'none'", "sandbox allow-scripts;", "frame-ancestors 'self'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("the policy lacks %s: %s", want, policy)
			}
		}
		for _, bad := range []string{"unsafe-eval", "script-src 'unsafe", "allow-same-origin", "connect-src"} {
			if strings.Contains(policy, bad) {
				t.Errorf("the policy has %s: %s", bad, policy)
			}
		}
	}
}

// The library and its licence add less than 2 MB to the program.
func TestSize(t *testing.T) {
	if len(mermaid) > 2_000_000 {
		t.Errorf("%d bytes", len(mermaid))
	}
}
