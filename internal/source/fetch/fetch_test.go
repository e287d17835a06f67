package fetch

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		child()
		return
	}
	// Locks lie in the user's cache folder, which tests must not touch.
	dir, err := os.MkdirTemp("", "docent-fetch")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		if err := os.Setenv(name, dir); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// world is a project, and a server to fetch from.
type world struct {
	*testing.T
	server *fetchtest.Server
	root   string
	opt    Options
}

func newWorld(t *testing.T) *world {
	server := fetchtest.New()
	t.Cleanup(server.Close)
	root := t.TempDir()
	return &world{t, server, root, Options{Root: root, Dest: "ref-docs/lib", GitHubURL: server.URL, wait: time.Millisecond}}
}

func (w *world) parse(text string) Source {
	w.Helper()
	s, err := Parse(text, w.server.URL)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

func (w *world) fetch(text string) (Report, error) {
	w.Helper()
	return Fetch(w.Context(), w.parse(text), w.opt)
}

func (w *world) mustFetch(text string) Report {
	w.Helper()
	r, err := w.fetch(text)
	if err != nil {
		w.Fatal(err)
	}
	return r
}

// tree returns all that lies below the project, less the manifests' content.
func (w *world) tree() map[string]string {
	w.Helper()
	return treeOf(w.T, w.root)
}

func treeOf(t *testing.T, root string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if d.Name() == ManifestName {
			got[name] = ""
			return nil
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		got[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (w *world) wantTree(want map[string]string) {
	w.Helper()
	if len(want) > 0 {
		want = maps.Clone(want)
		want["ref-docs/lib/"+ManifestName] = ""
	}
	if d := cmp.Diff(want, w.tree()); d != "" {
		w.Errorf("the tree differs (-want +got):\n%s", d)
	}
}

func (w *world) wantError(err error, parts ...string) {
	w.Helper()
	if err == nil {
		w.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			w.Errorf("error %q does not say %q", err, part)
		}
	}
}

func requested(requests []fetchtest.Request) []string {
	var out []string
	for _, r := range requests {
		out = append(out, r.Server+" "+strings.TrimPrefix(r.Path, "/api/v3"))
	}
	return out
}

func TestAddAndUpdate(t *testing.T) {
	w := newWorld(t)
	repo := w.server.Repo("acme/lib")
	first := repo.Commit("main", map[string]string{
		"README.md": "# Lib", "docs/guide.MDX": "# Guide", "docs/api/a.markdown": "# A", "LICENSE": "MIT", "docs/logo.png": "x",
		"src/main.go": "package main", "node_modules/x/README.md": "no", ".github/PULL_REQUEST_TEMPLATE.md": "no", "docs/LICENSE-APACHE": "Apache",
		"src/license.go": "no", "vendor/y/LICENSE": "no",
	})
	r := w.mustFetch("acme/lib")
	if r.Commit != first || r.Branch != "main" || r.Files != 3 || r.Unchanged || r.ETag == "" {
		t.Errorf("report = %+v", r)
	}
	w.wantTree(map[string]string{
		"ref-docs/lib/README.md": "# Lib", "ref-docs/lib/docs/guide.MDX": "# Guide", "ref-docs/lib/docs/api/a.markdown": "# A",
		"ref-docs/lib/LICENSE": "MIT", "ref-docs/lib/docs/LICENSE-APACHE": "Apache",
	})
	w.server.Requests()

	r = w.mustFetch("acme/lib")
	if !r.Unchanged || r.Commit != first || r.Files != 3 {
		t.Errorf("report of nothing new = %+v", r)
	}
	if got := requested(w.server.Requests()); len(got) != 1 {
		t.Errorf("nothing new cost %q; want one request", got)
	}

	second := repo.Commit("main", map[string]string{"README.md": "# Lib 2", "docs/api/a.markdown": "# A", "new.md": "# New", "LICENSE": "MIT"})
	r = w.mustFetch("acme/lib")
	if r.Commit != second || r.Unchanged {
		t.Errorf("report = %+v", r)
	}
	got := [][]string{r.Added, r.Changed, r.Removed}
	if d := cmp.Diff([][]string{{"new.md"}, {"README.md"}, {"docs/LICENSE-APACHE", "docs/guide.MDX"}}, got); d != "" {
		t.Errorf("added, changed, removed:\n%s", d)
	}
	w.wantTree(map[string]string{
		"ref-docs/lib/README.md": "# Lib 2", "ref-docs/lib/docs/api/a.markdown": "# A", "ref-docs/lib/new.md": "# New", "ref-docs/lib/LICENSE": "MIT",
	})
}

func TestLook(t *testing.T) {
	w := newWorld(t)
	if h, ok := Look(w.root, "ref-docs/lib"); ok {
		t.Errorf("nothing is there, but %+v", h)
	}
	commit := w.server.Repo("acme/lib").Commit("main", map[string]string{"a.md": "a", "b.md": "b"})
	w.mustFetch("acme/lib")
	want := Held{URL: "https://github.com/acme/lib", Branch: "main", Commit: commit, Files: 2, Whole: true}
	if h, ok := Look(w.root, "ref-docs/lib"); !ok || h != want {
		t.Errorf("held = %+v, %v; want %+v", h, ok, want)
	}
	write(t, filepath.Join(w.root, "ref-docs/lib/a.md"), "edited")
	if h, ok := Look(w.root, "ref-docs/lib"); !ok || h.Whole {
		t.Errorf("after an edit: %+v, %v", h, ok)
	}
}

// A commit that touches no docs moves the commit and no file.
func TestCommitWithoutDocs(t *testing.T) {
	w := newWorld(t)
	repo := w.server.Repo("acme/lib")
	repo.Commit("main", map[string]string{"README.md": "# Lib", "a.go": "1"})
	w.mustFetch("acme/lib")
	before, err := os.Stat(filepath.Join(w.root, "ref-docs/lib"))
	if err != nil {
		t.Fatal(err)
	}
	second := repo.Commit("main", map[string]string{"README.md": "# Lib", "a.go": "2"})
	if r := w.mustFetch("acme/lib"); !r.Unchanged || r.Commit != second {
		t.Errorf("report = %+v", r)
	}
	after, err := os.Stat(filepath.Join(w.root, "ref-docs/lib"))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the folder was replaced: %v", err)
	}
	w.server.Requests()
	w.mustFetch("acme/lib")
	if got := requested(w.server.Requests()); len(got) != 1 {
		t.Errorf("after that, nothing new cost %q", got)
	}
}

// Files that did not change keep their time, so that an index need not read them.
func TestUnchangedFilesKeepTheirTime(t *testing.T) {
	w := newWorld(t)
	repo := w.server.Repo("acme/lib")
	repo.Commit("main", map[string]string{"a.md": "a", "b.md": "b"})
	w.mustFetch("acme/lib")
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.Chtimes(filepath.Join(w.root, "ref-docs/lib", name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	repo.Commit("main", map[string]string{"a.md": "a", "b.md": "b2"})
	w.mustFetch("acme/lib")
	for name, kept := range map[string]bool{"a.md": true, "b.md": false} {
		info, err := os.Stat(filepath.Join(w.root, "ref-docs/lib", name))
		if err != nil || info.ModTime().Equal(old) != kept {
			t.Errorf("%s: time %v, %v; kept should be %v", name, info.ModTime(), err, kept)
		}
	}
}

// What the server says of a state is believed only of a folder in that state.
func TestFolderIsMadeWholeAgain(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"a file is missing":       func(dir string) error { return os.Remove(filepath.Join(dir, "a.md")) },
		"a file was edited":       func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.md"), []byte("mine"), 0o644) },
		"the folder is missing":   os.RemoveAll,
		"the manifest is damaged": func(dir string) error { return os.Truncate(filepath.Join(dir, ManifestName), 10) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.server.Repo("acme/lib").Commit("main", map[string]string{"a.md": "a", "b.md": "b"})
			w.mustFetch("acme/lib")
			if err := damage(filepath.Join(w.root, "ref-docs/lib")); err != nil {
				t.Fatal(err)
			}
			w.opt.Force = strings.Contains(name, "manifest")
			w.mustFetch("acme/lib")
			w.wantTree(map[string]string{"ref-docs/lib/a.md": "a", "ref-docs/lib/b.md": "b"})
		})
	}
}

// A folder that holds something of the user's is left alone.
func TestUsersFilesAreKept(t *testing.T) {
	for name, files := range map[string][]string{
		"a folder that docent did not make":     {"notes.md"},
		"a file in a folder that docent made":   {ManifestName, "notes.md"},
		"a repository in place of the folder":   {".git/config"},
		"a file deep in a folder of the source": {ManifestName, "docs/deep/mine.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib", "docs/a.md": "a"})
			if files[0] == ManifestName {
				w.mustFetch("acme/lib")
				files = files[1:]
				w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib 2"})
			}
			for _, f := range files {
				write(t, filepath.Join(w.root, "ref-docs/lib", f), "mine")
			}
			before := w.tree()
			_, err := w.fetch("acme/lib")
			if _, ok := errors.AsType[*StrangerError](err); !ok {
				t.Errorf("error = %v", err)
			}
			if d := cmp.Diff(before, w.tree()); d != "" {
				t.Errorf("something changed:\n%s", d)
			}
			w.opt.Force = true
			w.mustFetch("acme/lib")
			if _, err := os.Stat(filepath.Join(w.root, "ref-docs/lib", files[0])); err == nil {
				t.Error("not replaced by force")
			}
		})
	}
}

// A project may come with links: none leads a fetch out of it.
func TestLinksInTheProjectLeadNowhere(t *testing.T) {
	for _, link := range []string{"ref-docs", "ref-docs/lib", "ref-docs/.lib" + newEnding, "ref-docs/.lib" + oldEnding} {
		t.Run(link, func(t *testing.T) {
			w := newWorld(t)
			w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
			outside := t.TempDir()
			write(t, filepath.Join(outside, "lib", "precious.md"), "mine")
			if err := os.MkdirAll(filepath.Dir(filepath.Join(w.root, link)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, filepath.Join(w.root, link)); err != nil {
				t.Skip("this system makes no links:", err)
			}
			_, err := w.fetch("acme/lib")
			t.Log(err)
			if err := Recover(w.root, w.opt.Dest); err != nil {
				t.Log(err)
			}
			if d := cmp.Diff(map[string]string{"lib/precious.md": "mine"}, treeOf(t, outside)); d != "" {
				t.Errorf("outside changed:\n%s", d)
			}
		})
	}
}

func TestDestinationMustLieInTheProject(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
	for _, dest := range []string{"", ".", "..", "../x", "/tmp/x", "a/../..", "a/../../x"} {
		w.opt.Dest = dest
		if _, err := w.fetch("acme/lib"); err == nil {
			t.Errorf("destination %q was taken", dest)
		}
	}
	w.wantTree(map[string]string{})
}

// A failed or cancelled first fetch leaves nothing, not even empty folders.
func TestFailureLeavesNothing(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
	w.server.Set(fetchtest.Faults{Truncate: 50})
	_, err := w.fetch("acme/lib")
	w.wantError(err)
	entries, err := os.ReadDir(w.root)
	if err != nil || len(entries) > 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestCancelKeepsTheOldTree(t *testing.T) {
	w := newWorld(t)
	repo := w.server.Repo("acme/lib")
	repo.Commit("main", map[string]string{"README.md": "# Lib"})
	w.mustFetch("acme/lib")
	repo.Commit("main", map[string]string{"README.md": "# Lib 2"})
	w.server.Set(fetchtest.Faults{Truncate: 60, Stall: true})
	ctx, cancel := context.WithCancel(t.Context())
	w.opt.step = func(name string) {
		if name == "make" {
			cancel()
		}
	}
	_, err := Fetch(ctx, w.parse("acme/lib"), w.opt)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	w.wantTree(map[string]string{"ref-docs/lib/README.md": "# Lib"})
}

func TestTimeout(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", map[string]string{"README.md": "# Lib"})
	w.server.Set(fetchtest.Faults{Truncate: 60, Stall: true})
	w.opt.Timeout = 200 * time.Millisecond
	_, err := w.fetch("acme/lib")
	w.wantError(err, "not done after 200ms")
	w.wantTree(map[string]string{})
}

func TestProgress(t *testing.T) {
	w := newWorld(t)
	files := map[string]string{}
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		files[name] = name
	}
	w.server.Repo("acme/lib").Commit("main", files)
	var seen []Progress
	w.opt.Progress = func(p Progress) { seen = append(seen, p) }
	r := w.mustFetch("acme/lib")
	last := seen[len(seen)-1]
	if last.Files != 3 || last.Bytes != r.Bytes || last.Total != r.Bytes || r.Bytes == 0 {
		t.Errorf("last = %+v, received %d", last, r.Bytes)
	}
	sorted := slices.IsSortedFunc(seen, func(a, b Progress) int { return int(a.Bytes - b.Bytes) })
	if !sorted {
		t.Errorf("goes backwards: %v", seen)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
