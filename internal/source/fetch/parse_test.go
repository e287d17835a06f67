package fetch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"docs", "here/too"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sha := strings.Repeat("0123456789abcdef", 3)[:40]
	repo := "https://github.com/acme/lib"
	for _, tt := range []struct {
		in             string
		kind           Kind
		url, rev, sub  string
		tail, destName string
	}{
		{"acme/lib", GitHub, repo, "", "", "", "lib"},
		{" acme/lib\n", GitHub, repo, "", "", "", "lib"},
		{"acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"acme/lib@v1.2", GitHub, repo, "v1.2", "", "", "lib@v1.2"},
		{"acme/lib@feature/x", GitHub, repo, "feature/x", "", "", "lib@feature-x"},
		{"acme/lib#v1.2", GitHub, repo, "v1.2", "", "", "lib@v1.2"},
		{"acme/lib@" + sha, GitHub, repo, sha, "", "", "lib@" + sha},
		{"acme/.github", GitHub, "https://github.com/acme/.github", "", "", "", "github"},
		{"github.com/acme/lib", GitHub, repo, "", "", "", "lib"},
		{"www.github.com/acme/lib", GitHub, repo, "", "", "", "lib"},
		{"https://github.com/acme/lib", GitHub, repo, "", "", "", "lib"},
		{"https://github.com/acme/lib/", GitHub, repo, "", "", "", "lib"},
		{"http://github.com/acme/lib", GitHub, repo, "", "", "", "lib"},
		{"HTTPS://GitHub.com/acme/lib", GitHub, repo, "", "", "", "lib"},
		{"https://github.com/acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"https://github.com/acme/lib@v2", GitHub, repo, "v2", "", "", "lib@v2"},
		{"https://github.com/acme/lib?tab=readme-ov-file#readme", GitHub, repo, "", "", "", "lib"},
		{"https://user:secret@github.com/acme/lib", GitHub, repo, "", "", "", "lib"},
		{"git+https://github.com/acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"git://github.com/acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"git@github.com:acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"git@github.com:/acme/lib", GitHub, repo, "", "", "", "lib"},
		{"ssh://git@github.com/acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"ssh://git@github.com:22/acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"git+ssh://git@github.com/acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"https://github.com/acme/lib/tree/main", GitHub, repo, "main", "", "", "lib"},
		{"https://github.com/acme/lib/tree/v2", GitHub, repo, "v2", "", "", "lib@v2"},
		{"https://github.com/acme/lib/tree/main/docs", GitHub, repo + "/tree/main/docs", "", "", "main/docs", "lib"},
		{"https://github.com/acme/lib/tree/feature/x/docs/api", GitHub, repo + "/tree/feature/x/docs/api", "", "", "feature/x/docs/api", "lib"},
		{"https://github.com/acme/lib/tree/main/my%20docs", GitHub, repo + "/tree/main/my%20docs", "", "", "main/my docs", "lib"},
		{"https://github.com/acme/lib/tree/" + sha + "/docs", GitHub, repo + "/tree/" + sha + "/docs", sha, "docs", "", "lib@" + sha},
		{"https://github.com/acme/lib/tree/refs/heads/dev/docs", GitHub, repo + "/tree/dev/docs", "", "", "dev/docs", "lib"},
		{"https://github.com/acme/lib/blob/main/docs/a.md#L10", GitHub, repo + "/tree/main/docs/a.md", "", "", "main/docs/a.md", "lib"},
		{"https://raw.githubusercontent.com/acme/lib/main/docs/a.md", GitHub, repo + "/tree/main/docs/a.md", "", "", "main/docs/a.md", "lib"},
		{"https://github.com/acme/lib/commit/" + sha, GitHub, repo, sha, "", "", "lib@" + sha},
		{"https://github.com/acme/lib/releases/tag/v1.0", GitHub, repo, "v1.0", "", "", "lib@v1.0"},
		{"https://github.com/acme/lib/releases", GitHub, repo, "", "", "", "lib"},
		{"https://github.com/acme/lib/archive/refs/tags/v1.0.tar.gz", GitHub, repo, "v1.0", "", "", "lib@v1.0"},
		{"https://github.com/acme/lib/archive/main.zip", GitHub, repo, "main", "", "", "lib"},
		{"https://example.com/llms.txt", LLMs, "https://example.com/llms.txt", "", "", "", "example.com"},
		{"https://www.example.com/docs/llms-full.txt#x", LLMs, "https://www.example.com/docs/llms-full.txt", "", "", "", "example.com"},
		{"https://example.com/guide.md", LLMs, "https://example.com/guide.md", "", "", "", "example.com"},
		{"https://example.com/a/docs-1.2.tar.gz?x=1", Archive, "https://example.com/a/docs-1.2.tar.gz?x=1", "", "", "", "docs-1.2"},
		{"https://example.com/DOCS.TGZ", Archive, "https://example.com/DOCS.TGZ", "", "", "", "DOCS"},
		{"https://example.com/docs.zip", Archive, "https://example.com/docs.zip", "", "", "", "docs"},
		{"http://127.0.0.1:8000/docs.zip", Archive, "http://127.0.0.1:8000/docs.zip", "", "", "", "docs"},
		{"https://ghe.example.com/acme/lib/tree/main/docs", GitHub, repo + "/tree/main/docs", "", "", "main/docs", "lib"},
		{"git@ghe.example.com:acme/lib.git", GitHub, repo, "", "", "", "lib"},
		{"docs", Folder, "docs", "", "", "", "docs"},
		{"./docs/", Folder, "docs", "", "", "", "docs"},
		{"here/too", Folder, filepath.FromSlash("here/too"), "", "", "", "too"},
	} {
		s, err := Parse(tt.in, "https://ghe.example.com")
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.in, err)
			continue
		}
		if s.Kind != tt.kind || s.URL != tt.url || s.Rev != tt.rev || s.Sub != tt.sub || s.tail != tt.tail {
			t.Errorf("Parse(%q) = %s %q at %q in %q tail %q; want %s %q at %q in %q tail %q", tt.in, s.Kind, s.URL, s.Rev, s.Sub, s.tail,
				tt.kind, tt.url, tt.rev, tt.sub, tt.tail)
		}
		if s.Name() != tt.destName {
			t.Errorf("Parse(%q).Name() = %q, want %q", tt.in, s.Name(), tt.destName)
		}
		if strings.Contains(s.String(), "secret") || strings.Contains(s.URL, "secret") {
			t.Errorf("Parse(%q) keeps the password", tt.in)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for in, want := range map[string]string{
		"":                                    "empty",
		"   ":                                 "empty",
		"react":                               "not a source",
		"a/b/c":                               "not a source",
		"./missing":                           "no such file or folder",
		"../missing":                          "no such file or folder",
		"/missing/docs":                       "no such file or folder",
		"~/docs":                              "no such file or folder",
		"acme/lib@":                           "names no revision",
		"acme/lib@-x":                         "cannot be a branch",
		"acme/lib@a..b":                       "cannot be a branch",
		"acme/lib@a b":                        "cannot be a branch",
		"-acme/lib":                           "begins like an option",
		"--upload-pack=x":                     "begins like an option",
		"acme/..":                             "cannot be a repository",
		"acme/lib\x00":                        "control character",
		"ac me/lib":                           "cannot be an owner",
		"https://github.com/acme":             "names no repository",
		"https://github.com/":                 "names no repository",
		"https://github.com/acme/lib/issues":  "use https://github.com/acme/lib/tree/branch/folder",
		"https://github.com/acme/lib/wiki":    "clone the wiki",
		"https://github.com/a/b/tree/x/../..": "is no folder",
		"https://github.com/a/b/tree/-x/docs": "cannot be a branch",
		"https://gist.github.com/acme/123":    "not a source",
		"https://gitlab.com/acme/lib":         "not a source",
		"https://example.com/":                "not a source",
		"https:///llms.txt":                   "names no server",
		"https://u:p@example.com/llms.txt":    "user name or password",
		"http://example.com/llms.txt":         "use https",
		"ftp://example.com/docs.zip":          "cannot fetch ftp",
		"file:///etc/docs.zip":                "names no server",
		"javascript://example.com/llms.txt":   "cannot fetch javascript",
		"ext::sh -c evil":                     "not a source",
		"https://example.com/%zz/llms.txt":    "not a valid address",
		strings.Repeat("a", 3000):             "longer than",
	} {
		s, err := Parse(in, "")
		if err == nil {
			t.Errorf("Parse(%q) = %+v", in, s)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v; want %q", in, err, want)
		} else if strings.Contains(err.Error(), "u:p@") && !strings.Contains(in, "u:p@") {
			t.Errorf("Parse(%q) shows a password: %v", in, err)
		}
	}
}

// A revision tells where the branch ends and the folder begins.
func TestAt(t *testing.T) {
	for _, tt := range []struct{ in, rev, wantSub string }{
		{"acme/lib", "v1", ""},
		{"https://github.com/acme/lib/tree/feature/x/docs", "feature/x", "docs"},
		{"https://github.com/acme/lib/tree/feature/x/docs", "feature", "x/docs"},
		{"https://github.com/acme/lib/tree/feature/x", "feature/x", ""},
		{"https://github.com/acme/lib/tree/main/docs/api", "dev", "docs/api"},
	} {
		s, err := Parse(tt.in, "")
		if err != nil {
			t.Fatal(err)
		}
		if s, err = s.At(tt.rev); err != nil || s.Rev != tt.rev || s.Sub != tt.wantSub || s.tail != "" {
			t.Errorf("%s at %s: %+v, %v; want folder %q", tt.in, tt.rev, s, err, tt.wantSub)
		}
	}
	s, err := Parse("https://example.com/llms.txt", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.At("v1"); err == nil {
		t.Error("llms.txt has a revision")
	}
	s = Source{Kind: Folder, URL: "x"}
	if s, err = s.At("v1.2"); err != nil || s.Kind != Git {
		t.Errorf("a folder at a revision: %+v, %v", s, err)
	}
}

// A project's config may send docent to GitHub and to the project, no further.
func TestForeign(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("docs", 0o755); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]bool{
		"acme/lib": false, "git@github.com:acme/lib.git": false, "docs": false, "./docs": false,
		"..": true, "../../": true, "https://example.com/llms.txt": true, "https://evil.example/x.zip": true, "http://127.0.0.1:1/x.zip": true,
	} {
		s, err := Parse(in, "")
		if err != nil || s.Foreign() != want {
			t.Errorf("%s: foreign = %v, %v; want %v", in, s.Foreign(), err, want)
		}
	}
	if abs := (Source{Kind: Git, URL: t.TempDir()}); !abs.Foreign() {
		t.Error("an absolute path is not foreign")
	}
}

// Whatever is accepted has one form, that parses to itself, and a name that is
// one usable folder.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"acme/lib", "acme/lib@v1", "https://github.com/a/b/tree/x/y", "git@github.com:a/b.git", "https://x.io/llms.txt", "https://x.io/a.zip",
		"ssh://git@github.com:22/a/b", "https://github.com/a/b/blob/x/%2e%2e/y.md", "github.com/a/b/archive/CON.zip",
	} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		t.Chdir(dir)
		s, err := Parse(text, "")
		if err != nil {
			return
		}
		if s.Kind == Folder {
			return
		}
		if !strings.HasPrefix(s.URL, "https://") && !strings.HasPrefix(s.URL, "http://") {
			t.Fatalf("URL %q", s.URL)
		}
		again, err := Parse(s.URL, "")
		if err != nil || again.URL != s.URL || again.Kind != s.Kind || again.tail != s.tail {
			t.Fatalf("%q gives %+v, and that %+v, %v", text, s, again, err)
		}
		name := s.Name()
		if reason := unusable(name, limits{}.orDefault()); reason != "" || strings.HasPrefix(name, ".") || !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
			t.Fatalf("%q has the name %q: %s", text, name, reason)
		}
		for _, split := range s.splits() {
			if strings.Contains("/"+split[1]+"/", "/../") {
				t.Fatalf("%q leads to the folder %q", text, split[1])
			}
		}
	})
}
