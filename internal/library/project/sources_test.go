package project_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/library/project"
	"github.com/docent-md/docent/internal/needs"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/fetch"
	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
)

// A sourceWorld is a project, a GitHub, and a user without approvals.
type sourceWorld struct {
	*testing.T
	dir    string
	server *fetchtest.Server
	opt    project.SourceOptions
}

func newSourceWorld(t *testing.T, files map[string]string) *sourceWorld {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	server := fetchtest.New()
	t.Cleanup(server.Close)
	return &sourceWorld{t, dir, server, project.SourceOptions{GitHubURL: server.URL, Approvals: filepath.Join(t.TempDir(), "approved")}}
}

func (w *sourceWorld) config() *config.Config {
	w.Helper()
	c, err := config.Load(filepath.Join(w.dir, config.Name))
	if err != nil {
		w.Fatal(err)
	}
	return c
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What is recorded is what an update follows: a branch moves on, a revision does
// not.
func TestWhatIsRecorded(t *testing.T) {
	for _, tt := range []struct {
		name, text  string
		opt         project.SourceOptions
		branch, rev string
	}{
		{"the default branch", "acme/lib", project.SourceOptions{}, "main", ""},
		{"a branch that was named", "acme/lib", project.SourceOptions{Branch: "next"}, "next", ""},
		{"a branch of the address", "https://github.com/acme/lib/tree/next", project.SourceOptions{}, "next", ""},
		{"a branch and folder of the address", "https://github.com/acme/lib/tree/next/docs", project.SourceOptions{}, "next", ""},
		{"a revision that was named", "acme/lib", project.SourceOptions{Rev: "v1"}, "", "v1"},
		{"a revision of the address", "acme/lib@v1", project.SourceOptions{}, "", "v1"},
		{"a release", "https://github.com/acme/lib/releases/tag/v1", project.SourceOptions{}, "", "v1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newSourceWorld(t, nil)
			for _, ref := range []string{"main", "next", "v1"} {
				w.server.Repo("acme/lib").Commit(ref, map[string]string{"docs/a.md": "# " + ref})
			}
			o := w.opt
			o.Branch, o.Rev, o.Path = tt.opt.Branch, tt.opt.Rev, filepath.Join(w.dir, "lib")
			added, err := project.AddSource(t.Context(), w.dir, tt.text, o)
			if err != nil {
				t.Fatal(err)
			}
			if s := w.config().Sources[0]; s.Branch != tt.branch || s.Rev != tt.rev || s.Commit != added.Commit || s.Commit == "" {
				t.Errorf("recorded %+v", s)
			}
			for _, ref := range []string{"main", "next"} {
				w.server.Repo("acme/lib").Commit(ref, map[string]string{"docs/a.md": "# " + ref + " again"})
			}
			before := w.config().Sources[0]
			reports, err := project.UpdateSources(t.Context(), w.dir, nil, w.opt)
			if err != nil || len(reports) != 1 || reports[0].Err != nil {
				t.Fatalf("update: %+v, %v", reports, err)
			}
			if moved := !reports[0].Unchanged; moved != (tt.branch != "") {
				t.Errorf("moved on: %v", moved)
			}
			after := w.config().Sources[0]
			if after.Branch != before.Branch || after.Rev != before.Rev || after.URL != before.URL {
				t.Errorf("the update changed what is followed: %+v", after)
			}
		})
	}
}

// A config's addresses count from the project, wherever one stands.
func TestSourcesCountFromTheProject(t *testing.T) {
	w := newSourceWorld(t, map[string]string{".docent.json": `{"sources": [{"path": "ref/lib", "url": "acme/lib"}]}`, "sub/acme/lib/x.md": "# Not this"})
	w.server.Repo("acme/lib").Commit("main", map[string]string{"a.md": "# A"})
	t.Chdir(filepath.Join(w.dir, "sub"))
	reports, err := project.UpdateSources(t.Context(), "", nil, w.opt)
	if err != nil || len(reports) != 1 || reports[0].Err != nil || reports[0].Kind != "github" {
		t.Fatalf("%+v, %v", reports, err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "ref/lib/a.md")); err != nil {
		t.Error(err)
	}
}

// A repository inside the project is the project's own; one that a link leads to
// is not.
func TestRepositoriesOutsideNeedApproval(t *testing.T) {
	git := needs.Tool(t, "git")
	w := newSourceWorld(t, map[string]string{
		".docent.json": `{"sources": [{"path": "a", "url": "inside", "rev": "main"}, {"path": "b", "url": "link", "rev": "main"}, {"path": "c", "url": "link", "rev": "main"}]}`,
		"inside/x.md":  "# Inside",
	})
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "secret.md"), "# Secret")
	for _, dir := range []string{filepath.Join(w.dir, "inside"), outside} {
		for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"}} {
			cmd := exec.Command(git, args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	if err := os.Symlink(outside, filepath.Join(w.dir, "link")); err != nil {
		needs.Missing(t, "symbolic links", err.Error())
	}
	reports, err := project.UpdateSources(t.Context(), w.dir, nil, w.opt)
	if err != nil || len(reports) != 3 {
		t.Fatalf("%+v, %v", reports, err)
	}
	if reports[0].Err != nil {
		t.Errorf("inside: %v", reports[0].Err)
	}
	var unapproved *project.UnapprovedError
	if !errors.As(reports[1].Err, &unapproved) {
		t.Errorf("through a link: %v", reports[1].Err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "b")); err == nil {
		t.Error("it was fetched nonetheless")
	}
	o := w.opt
	o.Approve = true
	if reports, err = project.UpdateSources(t.Context(), w.dir, []string{"b"}, o); err != nil || reports[0].Err != nil {
		t.Errorf("approved: %+v, %v", reports, err)
	}
	// An approval is of a place, by whatever source it is reached.
	if reports, err = project.UpdateSources(t.Context(), w.dir, []string{"c"}, w.opt); err != nil || reports[0].Err != nil {
		t.Errorf("the same place: %+v, %v", reports, err)
	}
}

// What an update that died left between two renames comes back with the next
// question.
func TestHalfReplacedFoldersComeBack(t *testing.T) {
	w := newSourceWorld(t, map[string]string{"own.md": "# Own"})
	w.server.Repo("acme/lib").Commit("main", map[string]string{"a.md": "# A"})
	if _, err := project.AddSource(t.Context(), w.dir, "acme/lib", project.SourceOptions{GitHubURL: w.server.URL, Path: filepath.Join(w.dir, "lib")}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(w.dir, "lib"), filepath.Join(w.dir, ".lib.docent-old")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(w.dir, ".lib.docent-new/tree/half.md"), "# Half")
	lib, err := docent.Open(t.Context(), w.dir, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	list, err := lib.Files(t.Context(), "lib/")
	if err != nil || len(list.Files) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "lib", fetch.ManifestName)); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(w.dir, ".lib*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", strings.Join(left, ", "))
	}
}
