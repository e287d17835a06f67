package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/rogpeppe/go-internal/txtar"
)

// docs is a small corpus with one of everything.
var docs = fstest.MapFS{
	"readme.md": {Data: []byte("# Harbour\n\nStart with the [keys](guide/keys.md#rotate) or [nowhere](gone.md).\n")},
	"guide/keys.md": {Data: []byte(`---
title: API keys
---

# API keys

Keys open doors. See [limits](../limits.md), [below](#rotate), [the web](https://example.com/x?a=1&b=2).

## Rotate

Rotating a key ends the old one after a day.

` + "```go\nfunc Rotate(key string) error { return nil } // done\n```" + `

| plan | keys |
|:-----|-----:|
| free | 2    |

> [!WARNING]
> A lost key is lost.

## Revoke {#end-a-key}

~~Never~~ at once.
`)},
	"limits.md": {Data: []byte("# Limits\n\nA key may ask 100 times a minute.\n\n```python\nprint('limit')\n```\n")},
	"alone.md":  {Data: []byte("# Alone\n\nNobody links here. [[limits]] is a wiki link.\n")},
}

// corpusOf is the corpus of a library.
func corpusOf(name string, lib *docent.Library) Corpus {
	return Corpus{Name: name, Library: func(context.Context) (*docent.Library, error) { return lib, nil }}
}

func library(t testing.TB, fsys fstest.MapFS) *docent.Library {
	t.Helper()
	lib, err := docent.FromFS(t.Context(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() })
	return lib
}

const board = `set  kind n ndcg@10 mrr@10 empty
vue  link 281 0.8506 0.8181 0.0000

ndcg@10 kind n words
vue     link 281 0.8506 -0.0002 [-0.0065, +0.0062]
`

// patient returns pages that wait for what they show, however slow the machine is.
func patient(o Options) http.Handler {
	o.wait = time.Minute
	return New(o)
}

func handler(t testing.TB, fsys fstest.MapFS) http.Handler {
	return patient(Options{
		Corpora: []Corpus{corpusOf("harbour", library(t, fsys))}, Scoreboard: board, Disk: true,
		Note: func(s string) { t.Error(s) },
	})
}

func get(t testing.TB, h http.Handler, url string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
	return w
}

// body is what a page answers with 200.
func body(t testing.TB, h http.Handler, url string) string {
	t.Helper()
	w := get(t, h, url)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", url, w.Code, w.Body)
	}
	return w.Body.String()
}

func TestPagesShow(t *testing.T) {
	h := handler(t, docs)
	for _, tt := range []struct {
		name, url string
		want      []string
	}{
		{"an empty search says how to begin", "/", []string{`type="search"`, "Type to search", "<title>Search · harbour · docent</title>"}},
		{"a search shows hits with Ref, breadcrumb and marked words", "/?q=rotate+keys", []string{
			`<a href="/read/guide/keys.md#rotate" data-hit>Rotate</a>`, "<code>guide/keys.md#rotate:", "<mark>Rotating</mark>", "API keys",
		}},
		{"a search can be narrowed to a folder", "/?q=key&dir=guide", []string{"guide/keys.md"}},
		{"a search can ask for code", "/?q=rotate&lang=go", []string{"func Rotate", "1 code block", `data-lang="go"`}},
		{"a miss says what is unknown", "/?q=xylophone", []string{"nothing found", "“xylophone” does not occur here"}},
		{"the results alone", "/hits?q=rotate", []string{"data-hit"}},
		{"what an agent is told, with its price", "/?q=rotate&view=agent", []string{"tokens</strong>", "# [1] guide/keys.md#rotate:", "search {&#34;budget&#34;:2000"}},
		{"a document with its anchors", "/read/guide/keys.md", []string{
			`<h2 id="rotate" tabindex="-1">Rotate`, `<h2 id="end-a-key" tabindex="-1">Revoke<a`, `<a href="#rotate">Rotate</a>`,
		}},
		{"code, tables and alerts", "/read/guide/keys.md", []string{
			`<code data-lang="go">func Rotate`, "<th>plan</th>", `<td class="right">2</td>`, `class="alert warning"`, "<del>Never</del>",
		}},
		{"links stay inside, or say that they do not", "/read/guide/keys.md", []string{
			`<a href="/read/limits.md" title="limits.md">limits</a>`, `<a href="#rotate">below</a>`,
			`<a href="https://example.com/x?a=1&amp;b=2" rel="noopener noreferrer nofollow" class="foreign">the web</a>`,
		}},
		{"links that lead nowhere are marked", "/read/readme.md", []string{`<span class="broken" title="gone.md leads nowhere">nowhere</span>`, "Leads nowhere"}},
		{"wiki links are links", "/read/alone.md", []string{`<a href="/read/limits.md" title="limits.md">limits</a>`}},
		{"backlinks stand in the margin", "/read/limits.md", []string{"Linked from", `<a href="/read/guide/keys.md" data-backlink>`}},
		{"a document as an agent reads it", "/read/limits.md?view=agent", []string{"read {&#34;ref&#34;:&#34;limits.md&#34;}", "  1  # Limits"}},
		{"the map", "/map", []string{`class="spot c1`, "4 files", `href="/read/limits.md"`, "1 broken link, 1 orphan"}},
		{"the map of a folder", "/map?dir=guide", []string{"1 file,"}},
		{"health", "/health", []string{"broken-link", "gone.md leads nowhere", "orphan", "0 added"}},
		{"health, only one kind", "/health?kind=orphan", []string{"no other document links here"}},
		{"the index", "/index", []string{"<dt>chunks</dt>", "Tokens in a chunk", "Nothing was skipped", `<a href="/read/alone.md">`}},
		{"quality", "/quality", []string{"ndcg@10", "0.851", "<th scope=\"row\">vue", "[-0.0065, &#43;0.0062]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page := body(t, h, tt.url)
			for _, want := range tt.want {
				if !strings.Contains(page, want) {
					t.Errorf("%s lacks %q:\n%s", tt.url, want, page)
				}
			}
		})
	}
}

// A page allows nothing but what it is served with, and has nothing inline that
// it would not allow.
func TestPagesKeepTheirPolicy(t *testing.T) {
	h := handler(t, docs)
	for _, url := range []string{"/", "/?q=key", "/hits?q=key", "/read/guide/keys.md", "/read/none.md", "/map", "/health", "/index", "/quality", "/none"} {
		w := get(t, h, url)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := w.Header().Get(name); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s is %q", url, name, got)
			}
		}
		if strings.Contains(w.Header().Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: the policy allows what is unsafe", url)
		}
		checkMarkup(t, url, w.Body.String())
	}
}

var (
	tagPattern  = regexp.MustCompile(`<([a-zA-Z][^\s/>]*)([^>]*)>`)
	attrPattern = regexp.MustCompile(`([^\s=/"]+)(?:="([^"]*)")?`)
)

// checkMarkup fails for tags and attributes that could run or fetch something.
// Text is escaped, so that whatever looks like a tag is one.
func checkMarkup(t testing.TB, name, page string) {
	t.Helper()
	forbidden := []string{"iframe", "object", "embed", "img", "video", "audio", "base", "math", "foreignobject", "animate", "template", "textarea", "marquee"}
	for _, m := range tagPattern.FindAllStringSubmatch(page, -1) {
		tag := strings.ToLower(m[1])
		if slices.Contains(forbidden, tag) {
			t.Errorf("%s: %s", name, m[0])
		}
		attrs := map[string]string{}
		for _, a := range attrPattern.FindAllStringSubmatch(m[2], -1) {
			attrs[strings.ToLower(a[1])] = a[2]
		}
		for a, v := range attrs {
			switch {
			case strings.HasPrefix(a, "on"), a == "style", a == "srcdoc", a == "formaction":
				t.Errorf("%s: attribute %s in %s", name, a, m[0])
			case a == "src" && !strings.HasPrefix(v, "/assets/"):
				t.Errorf("%s: source %s", name, v)
			case a == "href" && !regexp.MustCompile(`^(/|#|https?://|mailto:)`).MatchString(v), a == "href" && strings.HasPrefix(v, "//"):
				t.Errorf("%s: address %q", name, v)
			}
		}
		if tag == "script" && attrs["src"] == "" || tag == "style" {
			t.Errorf("%s: %s stands in the page", name, tag)
		}
	}
}

func hostile(t testing.TB) fstest.MapFS {
	a, err := txtar.ParseFile("testdata/hostile.txtar")
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return fsys
}

// No document gets anything into a page that runs, fetches, or leads to what is
// not an address. The browser tests show that indeed nothing runs.
func TestHostileDocuments(t *testing.T) {
	fsys := hostile(t)
	if len(fsys) < 50 {
		t.Fatalf("%d documents, want 50 at least", len(fsys))
	}
	h := handler(t, fsys)
	for name := range fsys {
		for _, view := range []string{"", "?view=agent"} {
			url := "/read/" + strings.ReplaceAll(name, " ", "%20") + view
			page := body(t, h, url)
			checkMarkup(t, name, page)
			if strings.ContainsAny(page, "\u202e\u2066\u200b") {
				t.Errorf("%s: words in another direction are in the page", name)
			}
		}
	}
	for _, url := range []string{
		"/?q=script+hit", "/?q=%3Cscript%3Ehit()%3C/script%3E", "/?q=x&lang=%22%3E%3Cscript%3E", "/?q=x&dir=%22onload=hit()",
		"/map", "/health", "/index", "/index?dir=%3Cscript%3E", "/map?dir=%22%3E%3Cimg%20src=x%3E", "/health?since=%3Cscript%3E&kind=%3Cscript%3E", "/read/%3Cscript%3E", "/?in=%3Cscript%3E",
	} {
		checkMarkup(t, url, get(t, h, url).Body.String())
	}
	b := &strings.Builder{}
	if err := Report(context.Background(), "<script>hit()</script>", library(t, fsys), b); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "<script") != 1 || strings.Count(b.String(), "<style") != 1 {
		t.Error("the report has scripts or styles that are not its own")
	}
	cases.Tried(t, "S5", 2*len(fsys)+12)
}

func TestWhatIsRefused(t *testing.T) {
	h := patient(Options{Corpora: []Corpus{corpusOf("harbour", library(t, docs))}})
	for _, tt := range []struct {
		name, method, url string
		header            map[string]string
		want              int
	}{
		{"a page that is not there", "GET", "/nothing", nil, 404},
		{"a document that is not there", "GET", "/read/guide/kees.md", nil, 404},
		{"a file outside", "GET", "/read/..%2f..%2fetc%2fpasswd", nil, 404},
		{"a file outside, by its full path", "GET", "/read//etc/passwd", nil, 307},
		{"an asset that is not there", "GET", "/assets/..%2fweb.go", nil, 404},
		{"an index that is not there", "GET", "/?in=other", nil, 404},
		{"quality without a scoreboard", "GET", "/quality", nil, 404},
		{"writing", "POST", "/", nil, 405},
		{"deleting", "DELETE", "/read/limits.md", nil, 405},
		{"a very long address", "GET", "/?q=" + strings.Repeat("x", 5000), nil, 414},
		{"what another site asks for", "GET", "/hits?q=key", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"a link from another site is followed", "GET", "/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"the head of a page", "HEAD", "/read/limits.md", nil, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "http://x"+tt.url, nil)
			for k, v := range tt.header {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("%d, want %d: %s", w.Code, tt.want, w.Body)
			}
			if tt.method == "HEAD" && w.Body.Len() > 0 {
				t.Error("a head has no body")
			}
		})
	}
	if page := get(t, h, "/read/guide/kees.md").Body.String(); !strings.Contains(page, `href="/read/guide/keys.md"`) {
		t.Errorf("no suggestion in %s", page)
	}
}

// Two libraries: a search asks both in turn, or one; addresses say which.
func TestSeveralCorpora(t *testing.T) {
	other := fstest.MapFS{"keys.md": {Data: []byte("# Piano keys\n\nBlack keys and white keys.\n")}}
	h := patient(Options{Corpora: []Corpus{corpusOf("harbour", library(t, docs)), corpusOf("piano", library(t, other))}})
	both := body(t, h, "/?q=keys")
	if !strings.Contains(both, "/read/keys.md?in=piano") || !strings.Contains(both, "/read/guide/keys.md?in=harbour") {
		t.Errorf("not both in %s", both)
	}
	one := body(t, h, "/?q=keys&in=piano")
	if strings.Contains(one, "/read/guide/keys.md") || !strings.Contains(one, "/read/keys.md?in=piano") {
		t.Errorf("not only one in %s", one)
	}
	body(t, h, "/read/keys.md?in=piano")
	if w := get(t, h, "/read/keys.md?in=harbour"); w.Code != 302 && w.Code != 404 {
		t.Errorf("a document of the other corpus: %d", w.Code)
	}
}

// A named index beside the documents is searched when it is chosen; its Refs and
// what is asked as an agent begin with its name.
func TestNamedIndex(t *testing.T) {
	other := corpusOf("piano", library(t, fstest.MapFS{"keys.md": {Data: []byte("# Piano keys\n\nBlack keys and white keys.\n")}}))
	other.Index = "piano"
	var asked []string
	h := patient(Options{
		Corpora: []Corpus{corpusOf("harbour", library(t, docs)), other},
		Agent: func(_ context.Context, _, tool string, params []byte) (string, error) {
			asked = append(asked, tool+" "+string(params))
			return "", nil
		},
	})
	if page := body(t, h, "/?q=keys"); strings.Contains(page, "/read/keys.md") || !strings.Contains(page, `<option value="">harbour</option><option>piano</option>`) {
		t.Errorf("asked although not chosen, or not offered: %s", page)
	}
	if page := body(t, h, "/?q=keys&in=piano"); !strings.Contains(page, "/read/keys.md?in=piano") || !strings.Contains(page, "<code>piano:keys.md#piano-keys:1-3</code>") {
		t.Errorf("chosen: %s", page)
	}
	body(t, h, "/?q=keys&in=piano&view=agent")
	body(t, h, "/read/keys.md?in=piano&view=agent")
	want := []string{`search {"budget":2000,"index":"piano","limit":5,"query":"keys"}`, `read {"ref":"piano:keys.md"}`}
	if !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}

// A document that changes on disk is never shown as it was, however much of it
// is kept.
func TestChangedDocuments(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	file := filepath.Join(dir, "a.md")
	write := func(s string) {
		if err := os.WriteFile(file, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# One\n\nfirst\n")
	lib, err := docent.Open(t.Context(), dir, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	h := patient(Options{Corpora: []Corpus{corpusOf("x", lib)}})
	for i := range 5 {
		want := fmt.Sprintf("text number %d of this", i)
		write("# One\n\n" + want + "\n")
		for range 2 {
			if page := body(t, h, "/read/a.md"); !strings.Contains(page, want) {
				t.Fatalf("%q is not in %s", want, page)
			}
		}
		if page := body(t, h, "/?q=number"); !strings.Contains(page, want[5:]) && !strings.Contains(page, fmt.Sprint(i)) {
			t.Fatalf("%q is not in %s", want, page)
		}
	}
}

// A named index may be made again, of another folder, and removed while it is shown.
func TestNamedIndexMadeAgain(t *testing.T) {
	ctx := t.Context()
	set := docent.UserIndexes(t.TempDir(), docent.IndexSetOptions{})
	defer set.Close()
	h := patient(Options{Corpora: []Corpus{{Name: "x", Index: "x", Library: func(ctx context.Context) (*docent.Library, error) {
		return set.Library("x")
	}}}})
	for _, name := range []string{"one", "two"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name+".md"), []byte("# The page "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := set.Make(ctx, "x", "pages", dir, docent.MakeOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, url := range []string{"/?q=page", "/read/" + name + ".md", "/map", "/index"} {
			if page := body(t, h, url); !strings.Contains(page, "page "+name) && !strings.Contains(page, name+".md") {
				t.Errorf("%s: %q is not in %s", url, name, page)
			}
		}
	}
	if err := set.Remove(ctx, "x"); err != nil {
		t.Fatal(err)
	}
	if w := get(t, h, "/index"); w.Code != http.StatusNotFound {
		t.Errorf("removed: %d", w.Code)
	}
}

// A failure of the library is a page, and is told to whoever runs the server.
func TestFailures(t *testing.T) {
	var told []string
	h := patient(Options{
		Corpora: []Corpus{{Name: "x", Library: func(context.Context) (*docent.Library, error) {
			return nil, errors.New("the disk is <gone>")
		}}},
		Note: func(s string) { told = append(told, s) },
	})
	for _, url := range []string{"/?q=x", "/read/a.md", "/map", "/health", "/index"} {
		w := get(t, h, url)
		if w.Code != 500 || !strings.Contains(w.Body.String(), "the disk is &lt;gone&gt;") {
			t.Errorf("%s: %d %s", url, w.Code, w.Body)
		}
	}
	if len(told) != 5 {
		t.Errorf("told %q", told)
	}
	h = patient(Options{Corpora: []Corpus{{Name: "x", Library: func(context.Context) (*docent.Library, error) { panic("no") }}}, Note: func(string) {}})
	if w := get(t, h, "/?q=x"); w.Code != 500 {
		t.Errorf("a panic: %d", w.Code)
	}
}

// A page comes back by itself while the documents are still being indexed.
func TestNoIndexYet(t *testing.T) {
	h := patient(Options{
		Corpora: []Corpus{{Name: "x", Library: func(context.Context) (*docent.Library, error) {
			return nil, fmt.Errorf("%w: 3 files so far", docent.ErrNoIndexYet)
		}}},
		Note: func(s string) { t.Error(s) },
	})
	for _, url := range []string{"/?q=x", "/read/a.md", "/map", "/health", "/index"} {
		w := get(t, h, url)
		if w.Code != 200 || w.Header().Get("Refresh") == "" || !strings.Contains(w.Body.String(), "still being indexed: 3 files so far") {
			t.Errorf("%s: %d %s", url, w.Code, w.Body)
		}
	}
}

// The words of an agent's answer are the caller's, if it has any.
func TestAgentHook(t *testing.T) {
	var called string
	h := patient(Options{
		Corpora: []Corpus{corpusOf("harbour", library(t, docs))},
		Agent: func(_ context.Context, corpus, tool string, params []byte) (string, error) {
			called = corpus + " " + tool + " " + string(params)
			return "word for word", nil
		},
	})
	if page := body(t, h, "/?q=key&view=agent"); !strings.Contains(page, "word for word") || !strings.Contains(page, "3 tokens") {
		t.Error(page)
	}
	if want := `harbour search {"budget":2000,"limit":5,"query":"key"}`; called != want {
		t.Errorf("called %s, want %s", called, want)
	}
}

// Many readers at once, of everything.
func TestManyReaders(t *testing.T) {
	h := handler(t, docs)
	urls := []string{"/", "/?q=rotate", "/hits?q=key", "/read/guide/keys.md", "/read/limits.md", "/map", "/health", "/index", "/quality"}
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			for k := range 3 {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, urls[(i+k)%len(urls)], nil))
				if w.Code != 200 {
					t.Errorf("%s: %d", urls[(i+k)%len(urls)], w.Code)
				}
				_, _ = io.Copy(io.Discard, w.Body)
			}
		})
	}
	wg.Wait()
	cases.Tried(t, "M4", 600)
}
