package cli

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/killtest"
	"github.com/docent-md/docent/internal/library/project"
	"github.com/docent-md/docent/internal/source/fetch"
	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
	"github.com/google/go-cmp/cmp"
)

// edition is the docs of a library, all pages of which say which edition it is.
func edition(n int) map[string]string {
	files := map[string]string{}
	for i := range 40 {
		if i%7 != n%7 { // each lacks some pages of the others
			files[fmt.Sprintf("docs/%d/page-%d.md", i%5, i)] = fmt.Sprintf("# Page %d\n\nOf edition%d.\n\n%s\n", i, n, strings.Repeat("Some text. ", 200))
		}
	}
	return files
}

// treeOf reads the Markdown below a folder.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// An update that is killed at any moment leaves the old edition or the new one,
// whole, and an index that answers from what is there; the next update works.
func TestKilledUpdate(t *testing.T) {
	docentFile := program(t)
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	server := fetchtest.New()
	t.Cleanup(server.Close)
	t.Setenv("DOCENT_GITHUB_URL", server.URL)
	server.Set(fetchtest.Faults{SlowChunks: 20})
	root := t.TempDir()
	repo := server.Repo("acme/lib")
	start := func(args ...string) *exec.Cmd {
		cmd := exec.Command(docentFile, args...)
		cmd.Dir = root
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	repo.Commit("main", edition(0))
	if err := start("add", "acme/lib").Wait(); err != nil {
		t.Fatal(err)
	}
	kills := 6
	if os.Getenv("DOCENT_TORTURE") != "" {
		kills = 100
	} else if testing.Short() {
		kills = 2
	}
	killtest.Run(t, kills, func(run int) *exec.Cmd {
		repo.Commit("main", edition(run+1))
		return start("update")
	}, func(run int, killed bool) {
		n := run + 1
		if err := fetch.Recover(root, "ref-docs/lib"); err != nil { // as every command does
			t.Fatal(err)
		}
		got, have := treeOf(t, filepath.Join(root, "ref-docs/lib")), n
		if !cmp.Equal(got, edition(n)) {
			if have = n - 1; !killed || !cmp.Equal(got, edition(n-1)) {
				t.Fatalf("run %d: torn: %d files", run, len(got))
			}
		}
		wantAnswers(t, root, have)
		if err := start("update").Wait(); err != nil {
			t.Fatalf("run %d: the next update: %v", run, err)
		}
		if got := treeOf(t, filepath.Join(root, "ref-docs/lib")); !cmp.Equal(got, edition(n)) {
			t.Fatalf("run %d: the next update does not give the new edition", run)
		}
		wantAnswers(t, root, n)
		if left, err := os.ReadDir(filepath.Join(root, "ref-docs")); err != nil || len(left) != 1 {
			t.Fatalf("left behind: %v, %v", left, err)
		}
	})
	cases.Tried(t, "R1", kills)
}

// wantAnswers asks a project about an edition.
func wantAnswers(t *testing.T, root string, n int) {
	t.Helper()
	lib, err := docent.Open(t.Context(), root, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	list, err := lib.Files(t.Context(), "")
	if err != nil || len(list.Files) != len(edition(n)) {
		t.Fatalf("edition %d: %d files indexed, %v", n, len(list.Files), err)
	}
	word := fmt.Sprintf("edition%d", n)
	a, err := lib.Search(t.Context(), docent.Query{Text: word, Limit: 3})
	if err != nil || len(a.Hits) != 3 || !strings.Contains(a.Hits[0].Body, word) {
		t.Fatalf("%s: %d hits, %v", word, len(a.Hits), err)
	}
	sources, err := project.Sources(root, project.SourceOptions{})
	if err != nil || len(sources.Sources) != 1 || sources.Sources[0].State == project.SourceMissing {
		t.Fatalf("sources: %+v, %v", sources, err)
	}
}

// Ctrl-C while something is fetched leaves nothing half-done.
func TestInterruptedAdd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no signal for that")
	}
	docentFile := program(t)
	home := t.TempDir()
	server := fetchtest.New()
	t.Cleanup(server.Close)
	server.Repo("acme/lib").Commit("main", edition(0))
	server.Set(fetchtest.Faults{Truncate: 500, Stall: true})
	root := t.TempDir()
	cmd := exec.Command(docentFile, "add", "acme/lib")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "DOCENT_GITHUB_URL="+server.URL)
	said := &strings.Builder{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for giveUp := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(root, "ref-docs/.lib.docent-new")); err == nil {
			break
		}
		if time.Now().After(giveUp) {
			t.Fatal("the fetching never began")
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != exitFailed || said.String() != "docent: interrupted\n" {
		t.Errorf("ended with %v, saying %q", err, said)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestBarText(t *testing.T) {
	for want, p := range map[string]project.SourceProgress{
		"ref-docs/x [############------------] 1.5 of 3.0 MB, 12 files": {Path: "ref-docs/x", Bytes: 1_500_000, Total: 3_000_000, Files: 12},
		"ref-docs/x [########################] 4.0 of 3.0 MB, 1 file":   {Path: "ref-docs/x", Bytes: 4_000_000, Total: 3_000_000, Files: 1},
		"ref-docs/x 0.2 MB, 0 files":                                    {Path: "ref-docs/x", Bytes: 200_000},
	} {
		if got := barText(p); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
