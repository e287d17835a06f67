package fetch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// run runs git as a person would, with their name and nothing of this machine's.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func newRepo(t *testing.T) string {
	t.Helper()
	needs.Tool(t, "git")
	dir := t.TempDir()
	run(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "README.md"), "# One")
	write(t, filepath.Join(dir, "docs/guide.md"), "# Guide one")
	write(t, filepath.Join(dir, "docs/ärger mit namen.md"), "# Names")
	write(t, filepath.Join(dir, "LICENSE"), "MIT")
	write(t, filepath.Join(dir, "main.go"), "package main")
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.md")); err != nil {
		t.Log("no links here:", err)
	}
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-q", "-m", "one")
	run(t, dir, "tag", "v1")
	write(t, filepath.Join(dir, "README.md"), "# Two")
	run(t, dir, "rm", "-q", "-r", "docs")
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-q", "-m", "two")
	return dir
}

func fetchGit(w *world, dir, rev string) (Report, error) {
	w.Helper()
	s, err := w.parse(dir).At(rev)
	if err != nil {
		w.Fatal(err)
	}
	return Fetch(w.Context(), s, w.opt)
}

func TestGitAtARevision(t *testing.T) {
	w := newWorld(t)
	dir := newRepo(t)
	// What is not committed is not there, and a dirty tree does not matter.
	write(t, filepath.Join(dir, "README.md"), "# Uncommitted")
	r, err := fetchGit(w, dir, "v1")
	if err != nil {
		t.Fatal(err)
	}
	w.wantTree(map[string]string{
		"ref-docs/lib/README.md": "# One", "ref-docs/lib/docs/guide.md": "# Guide one", "ref-docs/lib/docs/ärger mit namen.md": "# Names", "ref-docs/lib/LICENSE": "MIT",
	})
	if r.Commit != run(t, dir, "rev-parse", "v1") {
		t.Errorf("commit = %s", r.Commit)
	}
	if r, err := fetchGit(w, dir, "v1"); err != nil || !r.Unchanged {
		t.Errorf("again: %+v, %v", r, err)
	}
	if r, err := fetchGit(w, dir, "main"); err != nil || len(r.Removed) != 2 || len(r.Changed) != 1 {
		t.Errorf("main: %+v, %v", r, err)
	}
	w.wantTree(map[string]string{"ref-docs/lib/README.md": "# Two", "ref-docs/lib/LICENSE": "MIT"})
	if got, err := os.ReadFile(filepath.Join(dir, "README.md")); err != nil || string(got) != "# Uncommitted" {
		t.Errorf("the working tree changed: %q, %v", got, err)
	}
}

// A folder in a repository stands for itself.
func TestGitFolder(t *testing.T) {
	w := newWorld(t)
	dir := newRepo(t)
	write(t, filepath.Join(dir, "docs/x.md"), "the folder is there again")
	if _, err := fetchGit(w, filepath.Join(dir, "docs"), "v1"); err != nil {
		t.Fatal(err)
	}
	w.wantTree(map[string]string{"ref-docs/lib/guide.md": "# Guide one", "ref-docs/lib/ärger mit namen.md": "# Names", "ref-docs/lib/LICENSE": "MIT"})
}

func TestGitBare(t *testing.T) {
	w := newWorld(t)
	bare := filepath.Join(t.TempDir(), "lib.git")
	run(t, ".", "clone", "-q", "--bare", newRepo(t), bare)
	if _, err := fetchGit(w, bare, "v1"); err != nil {
		t.Fatal(err)
	}
	if w.tree()["ref-docs/lib/README.md"] != "# One" {
		t.Error("README.md is missing")
	}
}

func TestGitErrors(t *testing.T) {
	w := newWorld(t)
	dir := newRepo(t)
	_, err := fetchGit(w, dir, "v9")
	w.wantError(err, `no branch, tag or commit "v9"`)
	_, err = fetchGit(w, t.TempDir(), "v1")
	w.wantError(err, "not in a git repository")
	for _, rev := range []string{"--output=/tmp/x", "-x", "a b", "v1:README.md", "v1..main", "@{1}", "a\nb", ""} {
		if _, err := (Source{Kind: Folder, URL: dir}).At(rev); err == nil && rev != "" {
			t.Errorf("revision %q was taken", rev)
		}
	}
	if _, err := Fetch(t.Context(), Source{Kind: Folder, URL: dir}, w.opt); !errors.Is(err, ErrLocal) {
		t.Errorf("a folder: %v", err)
	}
	w.wantTree(map[string]string{})
}

// A repository's configuration, attributes and hooks may name commands: none is
// run. Each of these is what git would run in some command or other.
func TestGitRunsNoCommands(t *testing.T) {
	w := newWorld(t)
	dir := newRepo(t)
	mark := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "evil.sh")
	write(t, script, "#!/bin/sh\necho \"$0 $*\" >>'"+mark+"'\nexit 1\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".gitattributes"), "*.md filter=evil diff=evil merge=evil export-subst ident\n")
	run(t, dir, "-c", "core.safecrlf=false", "add", ".gitattributes")
	run(t, dir, "commit", "-q", "-m", "attributes")
	config := fmt.Sprintf(`
[filter "evil"]
	smudge = %[1]s smudge
	clean = %[1]s clean
	process = %[1]s process
	required = true
[diff "evil"]
	textconv = %[1]s textconv
	command = %[1]s diff
[diff]
	external = %[1]s external
[core]
	fsmonitor = %[1]s
	pager = %[1]s
	editor = %[1]s
	sshCommand = %[1]s
	gitProxy = %[1]s
	askPass = %[1]s
	alternateRefsCommand = %[1]s
[pager]
	rev-parse = %[1]s
	ls-tree = true
	cat-file = true
[alias]
	cat-file = !%[1]s
	ls-tree = !%[1]s
	rev-parse = !%[1]s
[tar "tar"]
	command = %[1]s
[gpg]
	program = %[1]s
[log]
	showSignature = true
[credential]
	helper = !%[1]s
[remote "origin"]
	url = ext::%[1]s
	promisor = true
	partialclonefilter = blob:none
	uploadpack = %[1]s
[extensions]
	partialClone = origin
[protocol]
	allow = always
[protocol "ext"]
	allow = always
`, script)
	f, err := os.OpenFile(filepath.Join(dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(config)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-checkout", "pre-auto-gc", "reference-transaction", "post-index-change", "fsmonitor-watchman"} {
		write(t, filepath.Join(dir, ".git/hooks", hook), "#!/bin/sh\necho hook >>'"+mark+"'\n")
		if err := os.Chmod(filepath.Join(dir, ".git/hooks", hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// Variables that would lead git elsewhere do not reach it.
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "elsewhere"))
	t.Setenv("GIT_EXTERNAL_DIFF", script)
	t.Setenv("GITHUB_TOKEN", canary)
	w.opt.Token = canary

	if _, err := fetchGit(w, dir, "main"); err != nil {
		t.Fatal(err)
	}
	if w.tree()["ref-docs/lib/README.md"] != "# Two" {
		t.Error("README.md is missing")
	}

	// An object that is missing from a partial clone is not fetched.
	_ = os.Unsetenv("GIT_DIR")
	blob := run(t, dir, "-c", "alias.rev-parse=", "rev-parse", "v1:README.md")
	if err := os.Remove(filepath.Join(dir, ".git/objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	_, err = fetchGit(w, dir, "v1")
	w.wantError(err, "README.md", "missing in the repository")
	if ran, err := os.ReadFile(mark); err == nil {
		t.Errorf("a command was run:\n%s", ran)
	}
}
