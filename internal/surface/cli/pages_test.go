package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/surface/mcp"
)

// pagesAt serves the example docs as "docent serve --http" does, and returns the
// address.
func pagesAt(t *testing.T, token string) string {
	t.Helper()
	lib, err := docent.Open(t.Context(), "../../../examples/harbour", docent.Options{Background: &docent.Background{}})
	if err != nil {
		t.Fatal(err)
	}
	return serveAt(t, mcp.Options{Name: "harbour", Token: token, Library: lib})
}

func serveAt(t *testing.T, o mcp.Options) string {
	t.Helper()
	s, err := mcp.New(o)
	if err != nil {
		t.Fatal(err)
	}
	mountPages(s, o, "127.0.0.1:0", true, false)
	ctx, cancel := context.WithCancel(context.Background())
	at, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- s.ListenAndServe(ctx, "127.0.0.1:0", func(url string) { at <- url }) }()
	t.Cleanup(func() {
		cancel()
		<-done
		s.Close()
	})
	return strings.TrimSuffix(<-at, mcp.Path)
}

func TestPagesAreGuarded(t *testing.T) {
	open, closed := pagesAt(t, ""), pagesAt(t, "secret")
	for _, tt := range []struct {
		name, method, url string
		change            func(*http.Request)
		want              int
	}{
		{"a page", "GET", open + "/", nil, 200},
		{"a document", "GET", open + "/read/guide/keys.md", nil, 200},
		{"hits", "GET", open + "/hits?q=rotate", nil, 200},
		{"no page", "GET", open + "/nothing", nil, 404},
		{"no document", "GET", open + "/read/", nil, 404},
		{"out of the documents", "GET", open + "/read/../../go.mod", nil, 404},
		{"nothing is written", "POST", open + "/", nil, 405},
		{"a foreign host", "GET", open + "/", func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"a foreign page", "GET", open + "/hits?q=x", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		{"without the token", "GET", closed + "/", nil, 401},
		{"with it as a password", "GET", closed + "/", func(r *http.Request) { r.SetBasicAuth("me", "secret") }, 200},
		{"with another", "GET", closed + "/", func(r *http.Request) { r.SetBasicAuth("me", "wrong") }, 401},
		{"as a bearer", "GET", closed + "/", func(r *http.Request) { r.Header.Set("Authorization", "Bearer secret") }, 200},
		{"a password does not do for agents", "POST", closed + "/mcp", func(r *http.Request) { r.SetBasicAuth("me", "secret") }, 401},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := http.NewRequest(tt.method, tt.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.change != nil {
				tt.change(r)
			}
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tt.want {
				t.Errorf("status %d, want %d", res.StatusCode, tt.want)
			}
			if policy := res.Header.Get("Content-Security-Policy"); tt.want == 200 && !strings.HasPrefix(policy, "default-src 'none'") {
				t.Errorf("policy %q", policy)
			}
		})
	}
}

// "As the agent sees it" is what the agent sees, to the letter.
func TestAgentView(t *testing.T) {
	res, err := http.Get(pagesAt(t, "") + "/hits?q=rotate+a+key&view=agent")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(body), "index fresh") {
		t.Errorf("%v: %.300s", err, body)
	}
}

// Code is found by a tool that is not served unless all are.
func TestAgentViewOfCode(t *testing.T) {
	res, err := http.Get(pagesAt(t, "") + "/hits?q=rotate&lang=bash&view=agent")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(body), "harbour key rotate") {
		t.Errorf("%v: %.300s", err, body)
	}
}

// The named indexes of a project are shown beside its documents.
func TestPagesOfNamedIndexes(t *testing.T) {
	for _, v := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(v, t.TempDir())
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"docs/a.md": "# A\n\nA zebra.\n", "api/b.md": "# B\n\nA token.\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := docent.Options{Background: &docent.Background{}}
	indexes, err := docent.ProjectIndexes(dir, docent.IndexSetOptions{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := indexes.Make(t.Context(), "api", "", filepath.Join(dir, "api"), docent.MakeOptions{}); err != nil {
		t.Fatal(err)
	}
	lib, err := docent.Open(t.Context(), filepath.Join(dir, "docs"), o)
	if err != nil {
		t.Fatal(err)
	}
	at := serveAt(t, mcp.Options{Name: "api", Library: lib, Indexes: indexes})
	for page, want := range map[string]string{
		"/hits?q=zebra":                                "a.md#a:1-3",
		"/hits?q=token":                                "nothing found",
		"/hits?q=token&in=api+(index)":                 "api:b.md#b:1-3",
		"/hits?q=token&in=api+(index)&view=agent":      "# [1] api:b.md#b:1-3@",
		"/hits?q=token&in=api+(index)&lang=&view=page": "1 section",
		"/read/b.md?in=api+(index)":                    "A token.",
		"/hits?q=token&in=nope":                        "no index has that name",
	} {
		res, err := http.Get(at + page)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %v, no %q in %s", page, err, want, body)
		}
	}
}
