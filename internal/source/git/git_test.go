package git

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/needs"
)

// repository makes one with two commits, and returns its folder.
func repository(t *testing.T) string {
	t.Helper()
	needs.Tool(t, "git")
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2024-05-01T12:00:00Z", "GIT_COMMITTER_DATE=2024-05-01T12:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q", "-b", "main")
	write("a.md", "# A\n")
	write("docs/b ö.md", "# B\n")
	run("add", ".")
	run("commit", "-q", "-m", "one")
	run("tag", "v1")
	write("a.md", "# A, again\n")
	run("commit", "-q", "-am", "two")
	return dir
}

func TestReadACommit(t *testing.T) {
	dir := repository(t)
	r, err := Open(context.Background(), filepath.Join(dir, "docs"))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := r.Prefix(); err != nil || p != "docs" {
		t.Errorf("prefix %q, %v", p, err)
	}
	commit, err := r.Commit("v1")
	if err != nil {
		t.Fatal(err)
	}
	var paths, ids []string
	err = r.Tree(commit, func(e Entry) error {
		paths, ids = append(paths, e.Path), append(ids, e.ID)
		return nil
	})
	if err != nil || strings.Join(paths, "|") != "a.md|docs/b ö.md" {
		t.Fatalf("files %q, %v", paths, err)
	}
	var texts []string
	err = r.Read(ids, func(_ int, size int64, body io.Reader) error {
		data, err := io.ReadAll(body)
		if int64(len(data)) != size {
			t.Errorf("%d bytes, want %d", len(data), size)
		}
		texts = append(texts, string(data))
		return err
	})
	if err != nil || strings.Join(texts, "|") != "# A\n|# B\n" {
		t.Errorf("texts %q, %v", texts, err)
	}
	if got := ID([]byte("# A\n"), ids[0]); got != ids[0] {
		t.Errorf("ID %s, want %s", got, ids[0])
	}
	if before, err := r.Before(time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC), "HEAD"); err != nil || before == "" {
		t.Errorf("before: %q, %v", before, err)
	}
	if before, err := r.Before(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), "HEAD"); err != nil || before != "" {
		t.Errorf("before all: %q, %v", before, err)
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	dir := repository(t)
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, rev := range []string{"nothing", "--upload-pack=x", "a..b", "", "v1:a.md", "HEAD@{1}"} {
		if c, err := r.Commit(rev); err == nil {
			t.Errorf("Commit(%q) = %s", rev, c)
		}
	}
	if err := r.Read([]string{strings.Repeat("0", 40)}, func(int, int64, io.Reader) error { return nil }); err == nil {
		t.Error("a missing object was read")
	}
	stop := errors.New("enough")
	head, err := r.Commit("HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Tree(head, func(Entry) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped with %v", err)
	}
	if _, err := Open(context.Background(), t.TempDir()); !errors.Is(err, ErrNone) {
		t.Errorf("no repository: %v", err)
	}
}

// A repository's own configuration runs nothing.
func TestHostileConfiguration(t *testing.T) {
	dir := repository(t)
	trap := filepath.Join(t.TempDir(), "trap")
	config := "[core]\n\tfsmonitor = touch " + trap + "\n\tpager = touch " + trap + "\n\tsshCommand = touch " + trap +
		"\n[filter \"x\"]\n\tsmudge = touch " + trap + "\n\tclean = touch " + trap +
		"\n[diff \"x\"]\n\ttextconv = touch " + trap +
		"\n[remote \"o\"]\n\turl = ext::touch " + trap + "\n\tpromisor = true\n\tpartialclonefilter = blob:none\n"
	f, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(config)
	if err := errors.Join(err, f.Close(), os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* filter=x diff=x\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	head, err := r.Commit("HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Tree(head, func(Entry) error { return nil }); err != nil {
		t.Fatal(err)
	}
	_ = r.Read([]string{strings.Repeat("0", 40)}, func(int, int64, io.Reader) error { return nil }) // missing: must not be fetched
	if _, err := os.Stat(trap); err == nil {
		t.Error("a command of the repository's configuration was run")
	}
}

// Variables that lead git elsewhere, and secrets, do not reach it.
func TestWhatGitIsGiven(t *testing.T) {
	t.Setenv("GIT_DIR", "/elsewhere")
	t.Setenv("GITHUB_TOKEN", "one")
	t.Setenv("GH_TOKEN", "two")
	t.Setenv("MINE", "x-three-x")
	t.Setenv("OTHER", "four")
	env := strings.Join(environment([]string{"", "three"}), "\n")
	for _, gone := range []string{"GIT_DIR=", "GITHUB_TOKEN", "GH_TOKEN", "three"} {
		if strings.Contains(env, gone) {
			t.Errorf("git is given %s", gone)
		}
	}
	if !strings.Contains(env, "OTHER=four") {
		t.Error("a harmless variable is kept from it")
	}
}
