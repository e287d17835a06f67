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
		{"the start page says what this is", "/", []string{
			`type="search"`, "<title>Harbour · harbour · docent</title>", "<h1 data-heading>Harbour</h1>", "4 pages, ", "data-tree",
			"docent mcp-config", `<a href="/read/limits.md">Limits</a> <span class="dim">2 links</span>`,
		}},
		{"the lists of the start page alone", "/lists", []string{"Most linked", `<a href="/read/guide/keys.md">API keys</a> <span class="dim">1 link</span>`}},
		{"the box over a page", "/read/limits.md", []string{`<dialog class="palette" aria-label="Search" data-palette>`}},
		{"its results", "/hits?q=rotate&brief=1", []string{`<a href="/read/guide/keys.md?q=rotate#rotate" data-hit><b>Rotate</b>`}},
		{"a page opened from a search knows the words", "/read/guide/keys.md?q=how+do+I+rotate+keys", []string{`data-mark="rotate keys"`, `<a href="/read/guide/keys.md">clear</a>`}},
		{"a miss says what to do", "/?q=xylophone&dir=guide", []string{"Try fewer or other words", `<a href="/?q=xylophone">search everything</a>`}},
		{"a search shows hits with Ref, breadcrumb and marked words", "/?q=rotate+keys", []string{
			`<a href="/read/guide/keys.md?q=rotate&#43;keys#rotate" data-hit>Rotate</a>`, "<code>guide/keys.md#rotate:", "<mark>Rotating</mark>", "API keys",
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
			`<code data-lang="go">func Rotate`, "<th>plan</th>", `<td class="right">2</td>`, `class="callout is-warning"`, "<del>Never</del>",
		}},
		{"links stay inside, or say that they do not", "/read/guide/keys.md", []string{
			`<a href="/read/limits.md" title="limits.md">limits</a>`, `<a href="#rotate">below</a>`,
			`<a href="https://example.com/x?a=1&amp;b=2" rel="noopener noreferrer nofollow" class="foreign">the web</a>`,
		}},
		{"links that lead nowhere are marked", "/read/readme.md", []string{`<span class="broken" title="gone.md leads nowhere">nowhere</span>`, "Leads nowhere"}},
		{"wiki links are links", "/read/alone.md", []string{`<a href="/read/limits.md" title="limits.md">limits</a>`}},
		{"backlinks stand in the margin", "/read/limits.md", []string{"Linked from", `<a href="/read/guide/keys.md" data-backlink title="guide/keys.md">`}},
		{"the tree has the folders above a page open, and the page marked", "/read/guide/keys.md", []string{
			`aria-expanded="true" aria-label="guide: 1 page"`, `<a href="/read/guide/keys.md" aria-current="page" title="guide/keys.md">API keys</a>`,
			`<a href="/read/readme.md" title="readme.md">Harbour</a>`, `<a href="/read/limits.md" title="limits.md">Limits</a>`,
		}},
		{"breadcrumb, previous and next", "/read/guide/keys.md", []string{
			`<li><a href="/folder/guide">guide</a></li>`, `<a rel="prev" href="/read/alone.md">`, `<a rel="next" href="/read/limits.md">`,
		}},
		{"its Markdown, to be copied", "/read/limits.md", []string{`<a href="/raw/limits.md" data-copy-from="/raw/limits.md">`, `data-copy="limits.md"`}},
		{"a folder", "/folder/guide", []string{"<h1>guide</h1>", "1 page in <code>guide/</code>", `<a href="/read/guide/keys.md">API keys</a>`}},
		{"what is in a folder of the tree", "/tree?dir=guide", []string{`<a href="/read/guide/keys.md" title="guide/keys.md">API keys</a>`}},
		{"the tree filtered", "/tree?q=API+guide", []string{"1 page", `<a href="/read/guide/keys.md">API keys<span class="dim path">guide/keys.md</span>`}},
		{"a filter that finds nothing says so", "/tree?q=xylophone", []string{"No page has these words"}},
		{"a document as an agent reads it", "/read/limits.md?view=agent", []string{"read {&#34;ref&#34;:&#34;limits.md&#34;}", "  1  # Limits"}},
		{"the map", "/map", []string{`class="spot c1`, "4 files", `href="/read/limits.md"`, "1 broken link, 1 orphan"}},
		{"the map has a list beside it", "/map", []string{`<a href="/map?dir=guide" data-path="guide" data-folder>guide <span class="dim">1 page</span></a>`, `<a href="/read/limits.md" data-path="limits.md">Limits</a>`}},
		{"the map finds a page by its words", "/map?q=api", []string{`<a href="/map?at=guide%2Fkeys.md" data-at="guide/keys.md">API keys`}},
		{"the map goes to a page", "/map?at=guide%2Fkeys.md", []string{`data-at="guide/keys.md"`, `data-path="guide/keys.md"`}},
		{"what is told of the circles", "/map/details", []string{`{"title":"Limits","in":2}`}},
		{"the map of a folder", "/map?dir=guide", []string{"1 file,"}},
		{"health", "/health", []string{"broken-link", "gone.md leads nowhere", "orphan", "0 added"}},
		{"health is grouped by target", "/health", []string{`<span class="what">gone.md leads nowhere <span class="dim">in <a href="/read/readme.md`}},
		{"health, one group place by place", "/health?kind=broken-link&of=gone.md+leads+nowhere", []string{`<h2 id="docent-group">gone.md leads nowhere</h2>`, "1 place.", "readme.md:3"}},
		{"health, filtered", "/health?q=alone", []string{"1 group", "alone.md:1"}},
		{"health, filtered by what is nowhere", "/health?q=xylophone", []string{"No problem has these words"}},
		{"the index, filtered", "/index?q=api+guide", []string{"1 file</span>", `<a href="/read/guide/keys.md">`}},
		{"the index, filtered by what is nowhere", "/index?q=xylophone", []string{"No file has these words"}},
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
	for _, url := range []string{"/", "/?q=key", "/hits?q=key", "/read/guide/keys.md", "/folder/guide", "/tree?q=key", "/raw/guide/keys.md", "/read/none.md", "/map", "/health", "/index", "/quality", "/none"} {
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
	forbidden := []string{"iframe", "object", "embed", "video", "audio", "base", "foreignobject", "animate", "template", "textarea", "marquee"}
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
			case a == "src" && !strings.HasPrefix(v, "/assets/") && !(tag == "img" && strings.HasPrefix(v, "/picture/")):
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
		{"a folder that is not there", "GET", "/folder/none", nil, 404},
		{"a part of the tree that is not there", "GET", "/tree?dir=none", nil, 404},
		{"a place on the map that is not there", "GET", "/map?at=none.md", nil, 404},
		{"the source of a document that is not there", "GET", "/raw/none.md", nil, 404},
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
	page := get(t, h, "/read/guide/kees.md").Body.String()
	for _, want := range []string{"<h1>This page is not there</h1>", `href="/read/guide/keys.md"`, `<a href="/?q=kees">Search for its words</a>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}

// The Markdown of a document is served as text, byte for byte.
func TestRaw(t *testing.T) {
	w := get(t, handler(t, docs), "/raw/guide/keys.md")
	if kind := w.Header().Get("Content-Type"); kind != "text/plain; charset=utf-8" {
		t.Errorf("served as %s", kind)
	}
	if got, want := w.Body.String(), string(docs["guide/keys.md"].Data); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A page of a corpus with many thousands of pages has a window of the tree around it, and
// the rest can be loaded.
func TestLargeTree(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 3000 {
		fsys[fmt.Sprintf("api/n%d/index.md", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "# Number %d\n", i)}
	}
	h := handler(t, fsys)
	page := body(t, h, "/read/api/n1500/index.md")
	if len(page) > 60<<10 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, want := range []string{">Number 1499</a>", ">Number 1501</a>", "1,488 more", "/tree?dir=api&amp;from=0&amp;to=1488"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	rest := body(t, h, "/tree?dir=api&from=0&to=1475")
	if !strings.Contains(rest, ">Number 0</a>") || !strings.Contains(rest, ">Number 199</a>") || strings.Contains(rest, ">Number 200</a>") || !strings.Contains(rest, "/tree?dir=api&amp;from=200&amp;to=1475") {
		t.Errorf("the rest is %s", rest)
	}
	if list := body(t, h, "/folder/api?page=2"); !strings.Contains(list, "201–400 of 3,000") || !strings.Contains(list, ">Number 200</a>") {
		t.Errorf("the second page of the folder: %s", list)
	}
}

// What changed last is listed only where that says something.
func TestSameDay(t *testing.T) {
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	if !sameDay(map[string]time.Time{"a": noon, "b": noon.Add(time.Hour)}) || sameDay(map[string]time.Time{"a": noon, "b": noon.AddDate(0, 0, 1)}) {
		t.Error("days are told apart wrongly")
	}
}

// A search goes on past the first page, as far as there is something.
func TestMoreHits(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 50 {
		fsys[fmt.Sprintf("n%d.md", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "# Number %d\n\nA lighthouse stands at place %d.\n", i, i)}
	}
	h := handler(t, fsys)
	url, want := "/?q=lighthouse", []int{20, 40, 50}
	for i, n := range want {
		page := body(t, h, url)
		if got := strings.Count(page, "data-hit"); got != n {
			t.Fatalf("%s has %d hits, want %d", url, got, n)
		}
		more := regexp.MustCompile(`<a href="([^"]+)" data-more>`).FindStringSubmatch(page)
		if (more != nil) != (i < len(want)-1) {
			t.Fatalf("%s leads on: %q", url, more)
		}
		if more != nil {
			url = strings.ReplaceAll(more[1], "&amp;", "&")
		}
	}
}

// Two libraries: a search asks both in turn, or one; addresses say which.
func TestSeveralCorpora(t *testing.T) {
	other := fstest.MapFS{"keys.md": {Data: []byte("# Piano keys\n\nBlack keys and white keys.\n")}}
	h := patient(Options{Corpora: []Corpus{corpusOf("harbour", library(t, docs)), corpusOf("piano", library(t, other))}})
	both := body(t, h, "/?q=keys")
	if !strings.Contains(both, "/read/keys.md?in=piano&amp;q=keys") || !strings.Contains(both, "/read/guide/keys.md?in=harbour&amp;q=keys") {
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

// A folder without documents, and a file that is no text: pages that say what to do.
func TestNothingToShow(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	lib, err := docent.Open(t.Context(), dir, docent.Options{Background: &docent.Background{}})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	h := patient(Options{Corpora: []Corpus{corpusOf("x", lib)}, Note: func(s string) { t.Error(s) }})
	if w := get(t, h, "/"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "No documents here yet") || strings.Contains(w.Body.String(), dir) {
		t.Errorf("an empty folder: %d %s", w.Code, w.Body)
	}
	for name, data := range map[string]string{"good.md": "# Good\n", "broken.md": "# B\x00\xff\xfe\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again, err := docent.Open(t.Context(), dir, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	h = patient(Options{Corpora: []Corpus{corpusOf("x", again)}, Note: func(s string) { t.Error(s) }})
	if w := get(t, h, "/read/broken.md"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "This file is not shown") {
		t.Errorf("a broken file: %d %s", w.Code, w.Body)
	}
	if err := os.Remove(filepath.Join(dir, "good.md")); err != nil {
		t.Fatal(err)
	}
	if w := get(t, h, "/read/good.md"); w.Code != http.StatusNotFound {
		t.Errorf("a page that vanished: %d %s", w.Code, w.Body)
	}
}

// Documents with questions of their own have a page about them, others have none.
func TestOwnScoreboard(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "# A\n")
	lib, err := docent.Open(t.Context(), dir, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	h := patient(Options{Corpora: []Corpus{corpusOf("x", lib)}})
	if page := body(t, h, "/read/a.md"); strings.Contains(page, "/quality") || get(t, h, "/quality").Code != http.StatusNotFound {
		t.Error("there is a page about quality without questions")
	}
	write("eval/scoreboard.txt", board)
	if page := body(t, h, "/read/a.md"); !strings.Contains(page, "/quality") || !strings.Contains(body(t, h, "/quality"), "0.851") {
		t.Error("the documents' own scoreboard is not shown")
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
