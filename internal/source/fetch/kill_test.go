package fetch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/killtest"
	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
	"github.com/google/go-cmp/cmp"
)

// childEnv makes the test binary one run of a fetch. Its value is the root, the
// server, the step to die at (empty for none), and whether to do without an
// exchange, on a line each.
const childEnv = "DOCENT_FETCH_CHILD"

func child() {
	args := strings.Split(os.Getenv(childEnv), "\n")
	o := Options{Root: args[0], Dest: "ref-docs/lib", GitHubURL: args[1], rename: args[3] != ""}
	o.step = func(name string) {
		if name == args[2] {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				_ = self.Kill()
			}
			select {}
		}
	}
	s, err := Parse("acme/lib", o.GitHubURL)
	if err == nil {
		_, err = Fetch(context.Background(), s, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func version(n int) map[string]string {
	files := map[string]string{}
	for i := range 60 {
		if i%7 == n%7 {
			continue // each version lacks some files of the others
		}
		files[fmt.Sprintf("docs/%d/page-%d.md", i%5, i)] = fmt.Sprintf("# Page %d\n\nversion %d\n%s", i, n, strings.Repeat("text ", 400))
	}
	return files
}

// inDest is how a version lies in the project.
func inDest(files map[string]string) map[string]string {
	out := map[string]string{"ref-docs/lib/" + ManifestName: ""}
	for name, text := range files {
		out["ref-docs/lib/"+name] = text
	}
	return out
}

// An update that is killed leaves the old tree or the new one, whole, and the
// next run works. On Linux the tree is there at every moment; elsewhere the
// next run, or Recover, brings it back.
func TestKilledUpdateLeavesAUsableTree(t *testing.T) {
	w := newWorld(t)
	repo := w.server.Repo("acme/lib")
	w.server.Set(fetchtest.Faults{SlowChunks: 20})
	repo.Commit("main", version(0))
	w.mustFetch("acme/lib")
	current := 0

	check := func(t *testing.T, next int, atEveryMoment bool) {
		t.Helper()
		old, fresh := inDest(version(current)), inDest(version(next))
		if !atEveryMoment {
			if err := Recover(w.root, w.opt.Dest); err != nil {
				t.Fatal(err)
			}
		}
		got := map[string]string{}
		for name, text := range w.tree() {
			if strings.HasPrefix(name, "ref-docs/lib/") {
				got[name] = text
			}
		}
		if !cmp.Equal(got, old) && !cmp.Equal(got, fresh) {
			t.Fatalf("torn: %d files, of which the old tree has %d and the new %d", len(got), len(old), len(fresh))
		}
		if err := Recover(w.root, w.opt.Dest); err != nil {
			t.Fatal(err)
		}
		if d, err := os.ReadDir(filepath.Join(w.root, "ref-docs")); err != nil || len(d) != 1 {
			t.Fatalf("left behind: %v, %v", d, err)
		}
		w.mustFetch("acme/lib")
		if got := w.tree(); !cmp.Equal(got, fresh) {
			t.Fatalf("the next run does not give the new tree:\n%s", cmp.Diff(fresh, got))
		}
		current = next
	}

	for _, rename := range []string{"", "rename"} {
		for _, step := range []string{"make", "manifest", "sync", "replace", "between", "clear"} {
			t.Run("at "+step+" "+rename, func(t *testing.T) {
				next := current + 1
				repo.Commit("main", version(next))
				cmd := w.start(step, rename)
				if err := cmd.Wait(); err == nil && step != "between" {
					t.Fatal("was not killed")
				}
				exchanged := exchangeWorks(t, w.root) && rename == ""
				check(t, next, exchanged || step != "between")
			})
		}
	}

	kills := 10
	if os.Getenv("DOCENT_TORTURE") == "1" {
		kills = 100
	}
	if testing.Short() {
		kills = 3
	}
	killtest.Run(t, kills, func(int) *exec.Cmd {
		repo.Commit("main", version(current+1))
		return w.start("", "")
	}, func(int, bool) { check(t, current+1, exchangeWorks(t, w.root)) })
	cases.Tried(t, "R1", kills+12)
}

func (w *world) start(step, rename string) *exec.Cmd {
	w.Helper()
	self, err := os.Executable()
	if err != nil {
		w.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childEnv+"="+strings.Join([]string{w.root, w.server.URL, step, rename}, "\n"))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	return cmd
}

func exchangeWorks(t *testing.T, dir string) bool {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for i := range 2 {
		if err := root.Mkdir("probe"+strconv.Itoa(i), 0o755); err != nil {
			t.Fatal(err)
		}
		defer root.Remove("probe" + strconv.Itoa(i))
	}
	ok, err := exchange(root, "probe0", "probe1")
	return ok && err == nil
}

// Two runs at once take turns: none sees the other's work in progress.
func TestTwoRunsTakeTurns(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", version(1))
	errs := make(chan error)
	for range 6 {
		go func() {
			_, err := Fetch(context.Background(), w.parse("acme/lib"), w.opt)
			errs <- err
		}()
	}
	for range 6 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if d := cmp.Diff(inDest(version(1)), w.tree()); d != "" {
		t.Error(d)
	}
}
