package fetch

import (
	"archive/tar"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
)

const canary = "ghp_canary0123456789"

func TestWhichFilesAndWhichRevision(t *testing.T) {
	sha := ""
	for _, tt := range []struct {
		name, in, branch, sub string
		want                  map[string]string
	}{
		{"a folder", "/tree/main/docs", "main", "docs", map[string]string{"a.md": "main a", "sub/b.md": "main b", "LICENSE": "of the docs", "NOTICE": "of the repository"}},
		{"a folder of a branch with a slash", "/tree/feature/x/docs", "feature/x", "docs", map[string]string{"a.md": "feature a"}},
		{"a branch with a slash", "/tree/feature/x", "feature/x", "", map[string]string{"README.md": "feature", "docs/a.md": "feature a"}},
		{"a file", "/blob/main/docs/a.md", "main", "docs/a.md", map[string]string{"a.md": "main a", "LICENSE": "of the repository", "NOTICE": "of the repository"}},
		{"a tag", "@v1", "v1", "", map[string]string{"README.md": "one"}},
		{"a commit", "@SHA", "", "", map[string]string{"README.md": "one"}},
		{"a folder of a commit", "/tree/SHA/docs", "", "docs", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			repo := w.server.Repo("acme/lib")
			repo.Commit("main", map[string]string{
				"README.md": "main", "docs/a.md": "main a", "docs/sub/b.md": "main b", "docs2/c.md": "c",
				"LICENSE": "of the repository", "docs/LICENSE": "of the docs", "NOTICE": "of the repository", "src/LICENSE": "of the source",
			})
			repo.Commit("feature/x", map[string]string{"README.md": "feature", "docs/a.md": "feature a"})
			sha = repo.Commit("v1", map[string]string{"README.md": "one"})
			r, err := w.fetch("https://github.com/acme/lib" + strings.ReplaceAll(tt.in, "SHA", sha))
			if tt.want == nil {
				w.wantError(err, "no Markdown files there")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Branch != tt.branch || r.Source.Sub != tt.sub {
				t.Errorf("branch %q, folder %q; want %q, %q", r.Branch, r.Source.Sub, tt.branch, tt.sub)
			}
			want := map[string]string{}
			for name, text := range tt.want {
				want["ref-docs/lib/"+name] = text
			}
			w.wantTree(want)

			// An update asks once, or for a commit not at all; also when the
			// source is read back from what was recorded.
			w.server.Requests()
			again, err := w.parse(r.Source.URL).At(cmp.Or(r.Branch, r.Source.Rev))
			if err != nil {
				t.Fatal(err)
			}
			u, err := Fetch(t.Context(), again, w.opt)
			if err != nil || !u.Unchanged || len(w.server.Requests()) > 1 {
				t.Errorf("update: %+v, %v", u, err)
			}
		})
	}
}

func TestDefaultBranchRenamed(t *testing.T) {
	w := newWorld(t)
	repo := w.server.Repo("acme/lib")
	repo.Default("master")
	repo.Commit("master", map[string]string{"README.md": "old"})
	if r := w.mustFetch("acme/lib"); r.Branch != "master" {
		t.Errorf("branch = %q", r.Branch)
	}
	repo.Delete("master")
	repo.Default("trunk")
	repo.Commit("trunk", map[string]string{"README.md": "new"})
	if r := w.mustFetch("acme/lib"); r.Branch != "trunk" {
		t.Errorf("branch = %q", r.Branch)
	}
	w.wantTree(map[string]string{"ref-docs/lib/README.md": "new"})
}

// Another revision of the same repository is not "unchanged".
func TestAnotherRevisionInTheSamePlace(t *testing.T) {
	w := newWorld(t)
	repo := w.server.Repo("acme/lib")
	repo.Commit("v1", map[string]string{"README.md": "one"})
	repo.Commit("main", map[string]string{"README.md": "main"})
	w.mustFetch("acme/lib@v1")
	if r := w.mustFetch("acme/lib"); r.Branch != "main" || r.Unchanged {
		t.Errorf("report = %+v", r)
	}
	w.wantTree(map[string]string{"ref-docs/lib/README.md": "main"})
}

func TestWhatGoesWrong(t *testing.T) {
	reset := time.Now().Add(10 * time.Minute)
	for _, tt := range []struct {
		name   string
		in     string
		token  string
		faults fetchtest.Faults
		want   []string
	}{
		{"no such repository", "acme/nope", "", fetchtest.Faults{}, []string{"fetch github.com/acme/nope", "not found, or private: set GITHUB_TOKEN"}},
		{"no such repository, with a token", "acme/nope", canary, fetchtest.Faults{}, []string{"not found, or not for the token in GITHUB_TOKEN to read"}},
		{"no such branch", "acme/lib@nope", "", fetchtest.Faults{}, []string{`no branch, tag or commit "nope" there`}},
		{"no such branch and folder", "https://github.com/acme/lib/tree/nope/docs", "", fetchtest.Faults{}, []string{`no branch, tag or commit "nope" there`}},
		{"an empty repository", "acme/empty@main", "", fetchtest.Faults{}, []string{"the repository is empty"}},
		{"a private one, without a token", "acme/private", "", fetchtest.Faults{}, []string{"set GITHUB_TOKEN"}},
		{"a private one, with a wrong token", "acme/private", "wrong", fetchtest.Faults{}, []string{"does not accept the token"}},
		{"a rate limit", "acme/lib", "", fetchtest.Faults{RateLimit: reset}, []string{"rate limit", "until", "(in ", "set GITHUB_TOKEN"}},
		{"a tarball that breaks off", "acme/lib", "", fetchtest.Faults{Truncate: 100}, []string{"unexpected EOF"}},
		{"a tarball that breaks off, of no known length", "acme/lib", "", fetchtest.Faults{Truncate: 100, NoLength: true}, []string{"unexpected EOF"}},
		{"a tarball of another commit", "acme/lib", "", fetchtest.Faults{WrongHash: true}, []string{"the server sent commit 000000000000, not"}},
		{"a page in place of a tarball", "acme/lib", "", fetchtest.Faults{NotGzip: true}, []string{"not a .tar.gz"}},
		{"failing for good", "acme/lib", "", fetchtest.Faults{Fail: 99}, []string{"503 Service Unavailable"}},
		{"a redirect to nowhere", "acme/lib", "", fetchtest.Faults{Redirect: "::"}, []string{"a redirect that leads nowhere"}},
		{"a redirect to a file", "acme/lib", "", fetchtest.Faults{Redirect: "file:///etc/passwd"}, []string{"a redirect"}},
		{"a redirect to http", "acme/lib", "", fetchtest.Faults{Redirect: "http://192.0.2.1/x"}, []string{"a redirect to http://192.0.2.1: must be https"}},
		{"an archive that leads out", "acme/lib", "", fetchtest.Faults{Tarball: func(string, string) []byte {
			return fetchtest.Tar(fetchtest.Header{Header: tar.Header{Typeflag: tar.TypeReg, Name: "x/../../../evil.md"}, Body: "x"})
		}}, []string{`entry "x/../../../evil.md": leads out of the folder`}},
		{"a message of the server's", "acme/lib", canary, fetchtest.Faults{Handle: func(_ string, w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(http.StatusUnavailableForLegalReasons)
			fmt.Fprintf(w, `{"message": "blocked for %s"}`, r.Header.Get("Authorization"))
			return true
		}}, []string{"451", "blocked for Bearer [token]"}},
		{"a commit that is none", "acme/lib", "", fetchtest.Faults{Handle: func(_ string, w http.ResponseWriter, r *http.Request) bool {
			if strings.Contains(r.URL.Path, "/commits/") {
				_, _ = w.Write([]byte("../../evil"))
				return true
			}
			return false
		}}, []string{"something else than a commit"}},
		{"a default branch that is none", "acme/lib", "", fetchtest.Faults{Handle: func(_ string, w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(`{"default_branch": "../../../user"}`))
			return true
		}}, []string{"named no default branch"}},
		{"an endless redirect", "acme/lib", "", fetchtest.Faults{Handle: func(_ string, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}}, []string{"more than 5 redirects"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
			w.server.Repo("acme/empty")
			private := w.server.Repo("acme/private")
			private.Private(canary)
			private.Commit("main", map[string]string{"README.md": "# Secret"})
			w.mustFetch("acme/lib")
			w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib 2", "b.md": random(2000)})
			w.server.Set(tt.faults)
			w.opt.Token = tt.token
			if strings.Contains(tt.name, "default branch") {
				w.opt.Dest = "ref-docs/other"
			}
			_, err := w.fetch(tt.in)
			w.wantError(err, tt.want...)
			if tt.token != "" && strings.Contains(err.Error(), tt.token) {
				t.Errorf("the error shows the token: %v", err)
			}
			w.wantTree(map[string]string{"ref-docs/lib/README.md": "# Lib"})
		})
	}
}

func TestRateLimitError(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
	reset := time.Now().Add(time.Hour)
	w.server.Set(fetchtest.Faults{RateLimit: reset})
	_, err := w.fetch("acme/lib")
	limit, ok := errors.AsType[*RateLimitError](err)
	if !ok || limit.Reset.Unix() != reset.Unix() || limit.Token {
		t.Errorf("error = %#v", err)
	}
}

// A server that is in trouble for a moment is asked again.
func TestPassingTrouble(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
	w.server.Set(fetchtest.Faults{Fail: 2})
	w.mustFetch("acme/lib")
}

// A server without ETags still costs no second download.
func TestNoETag(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
	w.server.Set(fetchtest.Faults{NoETag: true})
	w.mustFetch("acme/lib")
	w.server.Requests()
	if r := w.mustFetch("acme/lib"); !r.Unchanged {
		t.Errorf("report = %+v", r)
	}
	if got := requested(w.server.Requests()); len(got) != 1 {
		t.Errorf("asked %q", got)
	}
}

func TestPrivateRepository(t *testing.T) {
	w := newWorld(t)
	repo := w.server.Repo("acme/private")
	repo.Private(canary)
	repo.Commit("main", map[string]string{"README.md": "# Secret"})
	w.opt.Token = canary
	w.mustFetch("acme/private")
	w.wantTree(map[string]string{"ref-docs/lib/README.md": "# Secret"})
	requests := w.server.Requests()
	if got := fetchtest.Seen(requests, canary); fmt.Sprint(got) != "[api]" {
		t.Errorf("the token went to %v", got)
	}
	key := requests[len(requests)-1].Query
	if !strings.HasPrefix(key, "token=") {
		t.Fatalf("the tarball's address has the query %q", key)
	}
	// The address of a private tarball holds a key: an error must not show it.
	repo.Commit("main", map[string]string{"README.md": "# Secret 2"})
	w.server.Set(fetchtest.Faults{Handle: func(server string, w http.ResponseWriter, _ *http.Request) bool {
		if server == "codeload" {
			w.WriteHeader(http.StatusTeapot)
		}
		return server == "codeload"
	}})
	_, err := w.fetch("acme/private")
	w.wantError(err, "418")
	if strings.Contains(err.Error(), strings.TrimPrefix(key, "token=")) {
		t.Errorf("the error shows the key: %v", err)
	}
	for name, text := range w.tree() {
		if strings.Contains(text, canary) {
			t.Errorf("%s holds the token", name)
		}
	}
}

// The token goes to the API's origin and nowhere else, however a server asks for
// it.
func TestTokenStaysHome(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
	secure := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.Contains(fmt.Sprint(r.Header, r.URL), canary) {
			t.Errorf("the token went to %s%s", r.Host, r.URL)
		}
		_, _ = rw.Write(fetchtest.Tarball("x", "", map[string]string{"README.md": "# Lib"}))
	}))
	defer secure.Close()
	transport := secure.Client().Transport
	local := strings.Replace(w.server.URL, "127.0.0.1", "localhost", 1)
	for _, tt := range []struct {
		name, to string
		leaves   bool
	}{
		{"another port", w.server.Codeload + "/acme/lib/legacy.tar.gz/x", true},
		{"another host, the same port", local + "/api/v3/x", true},
		{"another scheme", secure.URL + "/x", true},
		{"with a user name", strings.Replace(w.server.Codeload, "://", "://127.0.0.1@", 1) + "/x", true},
		{"the API's name as user", strings.Replace(w.server.Codeload, "://", "://"+strings.TrimPrefix(w.server.URL, "http://")+"@", 1) + "/x", true},
		{"without a scheme", "//" + strings.TrimPrefix(w.server.Codeload, "http://") + "/x", true},
		{"backslashes", `/\` + strings.TrimPrefix(w.server.Codeload, "http://") + "/x", false},
		{"upper case", strings.ToUpper(w.server.Codeload) + "/x", true},
		{"a path on the API", "/api/v3/elsewhere", false},
		{"away and back", w.server.Files + "/back", true},
		{"a query that names the API", w.server.Codeload + "/x?" + w.server.URL, true},
		{"a fragment that names the API", w.server.Codeload + "/x#" + w.server.URL, true},
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprint(tt.name, " ", status), func(t *testing.T) {
				came := ""
				w.server.Requests()
				w.server.Set(fetchtest.Faults{Handle: func(server string, rw http.ResponseWriter, r *http.Request) bool {
					switch {
					case server == "api" && strings.Contains(r.URL.Path, "/tarball/"):
						rw.Header().Set("Location", tt.to)
						rw.WriteHeader(status)
						return true
					case server == "files" && r.URL.Path == "/back":
						rw.Header().Set("Location", w.server.URL+"/api/v3/user/keys")
						rw.WriteHeader(status)
						return true
					}
					if server == "api" && strings.Contains(r.URL.Path, "user/keys") {
						came = r.Header.Get("Authorization")
					}
					return false
				}})
				o := w.opt
				o.Dest, o.Token, o.Transport = "ref-docs/x", canary, transport
				s := w.parse("acme/lib")
				_, err := Fetch(t.Context(), s, o)
				if err != nil && strings.Contains(err.Error(), canary) {
					t.Errorf("the error shows the token: %v", err)
				}
				for _, r := range w.server.Requests() {
					sent := strings.Contains(fmt.Sprint(r.Header, r.Query), canary)
					if sent && r.Server != "api" {
						t.Errorf("the token went to %s%s", r.Server, r.Path)
					}
					if sent && strings.Contains(r.Path, "/api/v3/x") {
						t.Errorf("the token went to another name of the server")
					}
				}
				if came != "" {
					t.Error("the token was sent where another server led us")
				}
			})
		}
	}
}

func TestTokenNeedsHTTPS(t *testing.T) {
	for url, want := range map[string]string{
		"":                                   "https://api.github.com",
		"https://github.com":                 "https://api.github.com",
		"https://ghe.example.com/":           "https://ghe.example.com/api/v3",
		"https://ghe.example.com/api/v3":     "https://ghe.example.com/api/v3",
		"https://octo.ghe.com":               "https://api.octo.ghe.com",
		"http://127.0.0.1:8080":              "http://127.0.0.1:8080/api/v3",
		"http://ghe.example.com":             "",
		"http://127.0.0.1.evil.example":      "",
		"ftp://ghe.example.com":              "",
		"ghe.example.com":                    "",
		"https://user:pass@ghe.example.com/": "",
		"://":                                "",
	} {
		got, err := apiOf(url)
		if err != nil && want != "" || err == nil && got.String() != want {
			t.Errorf("%q: %v, %v; want %q", url, got, err, want)
		}
	}
	if _, err := newClient(Options{Token: "a\nb"}); err == nil || strings.Contains(err.Error(), "a\nb") {
		t.Errorf("a token of two lines: %v", err)
	}
}
