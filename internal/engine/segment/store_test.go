package segment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/gates/cases"
)

func mustAdvance(t testing.TB, dir string, times int) {
	t.Helper()
	for range times {
		if err := advance(t.Context(), dir, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func wantLedger(t testing.TB, dir string, want int) {
	t.Helper()
	if got, err := openLedger(dir); err != nil || got != want {
		t.Fatalf("the store holds %d, %v; want %d", got, err, want)
	}
}

func lock(t testing.TB, dir string) *Writer {
	t.Helper()
	w, err := Lock(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestStoreGrowsByCommits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project", ".docent")
	for n := 1; n <= 10; n++ {
		mustAdvance(t, dir, 1)
		wantLedger(t, dir, n)
		if g, err := Generation(dir); err != nil || g != uint64(n) {
			t.Fatalf("generation %d, %v; want %d", g, err, n)
		}
		noLitter(t, dir)
	}
}

func TestNoStoreYet(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := OpenStore(d); !errors.Is(err, fs.ErrNotExist) || typed(err) {
			t.Error(err)
		}
		if _, err := Generation(d); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	if names := list(t, dir); len(names) != 0 {
		t.Errorf("looking made %v", names)
	}
}

func TestSnapshotOutlivesItsFiles(t *testing.T) {
	dir := t.TempDir()
	mustAdvance(t, dir, 2)
	s, err := OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustAdvance(t, dir, 7)
	if n, err := readLedger(s); n != 2 || err != nil {
		t.Errorf("the snapshot of 2 now holds %d, %v", n, err)
	}
	if s.Generation != 2 {
		t.Errorf("generation %d", s.Generation)
	}
}

func TestFolderIsKeptOutOfRepositoriesAndBackups(t *testing.T) {
	dir := t.TempDir()
	lock(t, dir).Close()
	ignore, _ := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if !strings.HasSuffix(string(ignore), "\n*\n") {
		t.Errorf(".gitignore: %q", ignore)
	}
	tag, _ := os.ReadFile(filepath.Join(dir, "CACHEDIR.TAG"))
	if !strings.HasPrefix(string(tag), "Signature: 8a477f597d28d172789f06886806bc55\n") {
		t.Errorf("CACHEDIR.TAG: %q", tag)
	}
	own := []byte("!keep\n")
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), own, 0o644); err != nil {
		t.Fatal(err)
	}
	mustAdvance(t, dir, 1)
	if b, _ := os.ReadFile(filepath.Join(dir, ".gitignore")); string(b) != string(own) {
		t.Errorf("the user's .gitignore became %q", b)
	}
}

func TestStrangersFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	strangers := []string{"notes.md", "notes.seg", "1-1.seg", "backup.tmp", "manifest.old", "00000001-0.seg.bak"}
	for _, name := range strangers {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mustAdvance(t, dir, 6)
	for _, name := range strangers {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestReadingWritesNothing(t *testing.T) {
	dir := t.TempDir()
	mustAdvance(t, dir, 3)
	before := list(t, dir)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	info, _ := os.Stat(dir)
	wantLedger(t, dir, 3)
	after, _ := os.Stat(dir)
	if !slices.Equal(before, list(t, dir)) || info.ModTime() != after.ModTime() {
		t.Error("opening a store changed its folder")
	}
}

// Whatever happens to manifest or files, the error is typed, and a commit that
// keeps nothing puts the store right.
func TestDamagedStoresAreReplaced(t *testing.T) {
	for _, c := range []struct {
		name string
		hurt func(dir string, files []string) error
		want error
	}{
		{"the manifest is cut", func(dir string, _ []string) error {
			return os.Truncate(filepath.Join(dir, manifestName), 30)
		}, ErrDamaged},
		{"the manifest is empty", func(dir string, _ []string) error {
			return os.Truncate(filepath.Join(dir, manifestName), 0)
		}, ErrDamaged},
		{"the manifest is someone else's", func(dir string, _ []string) error {
			return os.WriteFile(filepath.Join(dir, manifestName), []byte("{\"manifest_version\": 3}"), 0o644)
		}, ErrForeign},
		{"the manifest is huge", func(dir string, _ []string) error {
			return os.Truncate(filepath.Join(dir, manifestName), 1<<40)
		}, ErrDamaged},
		{"the manifest is a newer docent's", func(dir string, _ []string) error {
			b := strings.Replace(string(sampleManifest().encode()), "manifest 1", "manifest 9", 1)
			return os.WriteFile(filepath.Join(dir, manifestName), reseal([]byte(b)), 0o644)
		}, ErrVersion},
		{"the manifest is another store's", func(dir string, _ []string) error {
			return os.WriteFile(filepath.Join(dir, manifestName), sampleManifest().encode(), 0o644)
		}, ErrDamaged},
		{"a file is gone", func(_ string, files []string) error { return os.Remove(files[1]) }, ErrDamaged},
		{"a file is cut", func(_ string, files []string) error { return os.Truncate(files[1], 100) }, ErrDamaged},
		{"a file is empty", func(_ string, files []string) error { return os.Truncate(files[1], 0) }, ErrDamaged},
		{"a file is someone else's", func(_ string, files []string) error {
			return os.WriteFile(files[1], []byte("# Notes\n"), 0o644)
		}, ErrForeign},
		{"two files are exchanged", func(_ string, files []string) error {
			return errors.Join(os.Rename(files[0], files[0]+"x"), os.Rename(files[1], files[0]), os.Rename(files[0]+"x", files[1]))
		}, ErrDamaged},
		{"a file of the same length is put in place", func(_ string, files []string) error {
			parts := ledgerParts(2, 2)
			parts[1].Data[7] ^= 1
			return WriteFile(files[1], parts)
		}, ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			mustAdvance(t, dir, 3)
			files, _ := filepath.Glob(filepath.Join(dir, "*.seg"))
			if err := c.hurt(dir, files); err != nil {
				t.Fatal(err)
			}
			if _, err := OpenStore(dir); !errors.Is(err, c.want) || errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("OpenStore: %v", err)
			}
			w := lock(t, dir)
			keep := Commit{Keep: []string{"00000002-0.seg"}}
			if err := w.Commit(keep); err == nil {
				t.Error("a damaged file was kept")
			}
			if err := w.Commit(Commit{Add: [][]Part{ledgerParts(1, 5)}, Meta: []byte("5")}); err != nil {
				t.Fatal(err)
			}
			w.Close()
			wantLedger(t, dir, 5)
			noLitter(t, dir)
		})
	}
}

func TestCommitsThatMakeNoSense(t *testing.T) {
	dir := t.TempDir()
	mustAdvance(t, dir, 2)
	w := lock(t, dir)
	for name, c := range map[string]Commit{
		"keeps what is not there": {Keep: []string{"00000009-0.seg"}},
		"keeps a way out":         {Keep: []string{"../x"}},
		"keeps a file twice":      {Keep: []string{"00000001-0.seg", "00000001-0.seg"}},
		"too much meta data":      {Meta: make([]byte, maxMeta+1)},
		"parts without a name":    {Add: [][]Part{ledgerParts(1, 1), {{}}}},
		"a stream that fails": {Add: [][]Part{{{Name: "a", Stream: func(w io.Writer) error {
			_, _ = w.Write(make([]byte, 1<<20))
			return io.ErrNoProgress
		}}}}},
	} {
		if err := w.Commit(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	w.Close()
	wantLedger(t, dir, 2)
	noLitter(t, dir)
}

// A name is not used twice even when the manifest that knew of it is lost.
func TestNamesAreNotUsedTwice(t *testing.T) {
	dir := t.TempDir()
	mustAdvance(t, dir, 5)
	if err := os.Truncate(filepath.Join(dir, manifestName), 10); err != nil {
		t.Fatal(err)
	}
	mustAdvance(t, dir, 1)
	if g, err := Generation(dir); g != 6 || err != nil {
		t.Errorf("generation %d, %v", g, err)
	}
}

func TestOneWriterAtATime(t *testing.T) {
	dir := t.TempDir()
	w := lock(t, dir)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Lock(done, dir)
	if !errors.Is(err, ErrLocked) || !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), fmt.Sprintf("(process %d)", os.Getpid())) {
		t.Errorf("a second writer: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Lock(short, dir); !errors.Is(err, ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second writer that waits: %v", err)
	}
	next := make(chan error)
	go func() {
		w, err := Lock(t.Context(), dir)
		if err == nil {
			err = w.Close()
		}
		next <- err
	}()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-next; err != nil {
		t.Error(err)
	}
	// Trying once succeeds when nobody is in the way.
	w, err = Lock(done, dir)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	noLitter(t, dir)
}

// Someone who removes the folder under a writer must not get half an index, nor
// must two writers meet.
func TestLockTakenAway(t *testing.T) {
	dir := t.TempDir()
	mustAdvance(t, dir, 2)
	w := lock(t, dir)
	if err := os.Remove(filepath.Join(dir, lockName)); err != nil {
		w.Close()
		t.Skip(err) // Windows removes no file that is open
	}
	second := lock(t, dir)
	if err := advanceWith(w); err == nil {
		t.Error("the first writer committed without a lock")
	}
	if err := advanceWith(second); err != nil {
		t.Error(err)
	}
	w.Close()
	second.Close()
	wantLedger(t, dir, 3)
	noLitter(t, dir)
}

// A store is deleted while it is locked, on Windows too, and can be made again.
func TestRemoveAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	for range 2 {
		mustAdvance(t, dir, 2)
		if err := lock(t, dir).RemoveAll(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("the folder is there: %v", err)
		}
	}
}

// Every operation of a commit fails once, in turn. Each time the old generation
// serves, nothing is left over, and the next commit works.
func TestFailureAtEveryStep(t *testing.T) {
	tried := 0
	for _, before := range []int{0, 1, ledgerDeltas + 1} {
		for fail := 1; ; fail++ {
			dir := quickDir(t)
			mustAdvance(t, dir, before)
			steps, failed := 0, ""
			err := advance(t.Context(), dir, func(op, name string) error {
				if steps++; steps == fail {
					failed = op + " " + name
					if op == "sync" {
						return syscall.EIO
					}
					return syscall.ENOSPC
				}
				return nil
			})
			if failed == "" {
				if err != nil || fail < 8 {
					t.Fatalf("a commit has %d steps, %v", fail-1, err)
				}
				break
			}
			tried++
			got, openErr := openLedger(dir)
			if openErr != nil {
				t.Fatalf("from %d, after %s: %v", before, failed, openErr)
			}
			switch {
			case strings.HasPrefix(failed, "remove "):
				if err != nil || got != before+1 {
					t.Errorf("from %d: %s failed: %d, %v", before, failed, got, err)
				}
			case err == nil || !(errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EIO)):
				t.Errorf("from %d: %s failed and the commit says %v", before, failed, err)
			case got == before:
				noLitter(t, dir)
			case got != before+1 || failed != "sync .":
				t.Errorf("from %d: %s failed and left %d", before, failed, got)
			}
			mustAdvance(t, dir, 1)
			wantLedger(t, dir, got+1)
			noLitter(t, dir)
		}
	}
	cases.Tried(t, "R5", tried)
}

// The order in which a commit touches the disk is what keeps it safe; a test
// cannot cut the power, but it can look.
func TestOrderOfSteps(t *testing.T) {
	dir := t.TempDir()
	mustAdvance(t, dir, ledgerDeltas+1)
	var steps []string
	err := advance(t.Context(), dir, func(op, name string) error {
		if step := op + " " + name; len(steps) == 0 || steps[len(steps)-1] != step {
			steps = append(steps, step)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"create 00000005-0.seg", "write 00000005-0.seg", "sync 00000005-0.seg", "sync .",
		"create manifest.tmp", "write manifest.tmp", "sync manifest.tmp", "rename manifest", "sync .",
	}
	if len(steps) != len(want)+ledgerDeltas+1 || !slices.Equal(steps[:len(want)], want) {
		t.Errorf("the steps are %q", steps)
	}
	for _, step := range steps[len(want):] {
		if !strings.HasPrefix(step, "remove ") {
			t.Errorf("%s comes last", step)
		}
	}
}

// A reader that has read a manifest and then loses its files to a writer takes
// the new manifest.
func TestFilesVanishBetweenManifestAndOpen(t *testing.T) {
	dir := t.TempDir()
	mustAdvance(t, dir, ledgerDeltas+1)
	old, err := readManifest(filepath.Join(dir, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	mustAdvance(t, dir, 1)
	if _, err := openGeneration(dir, old); !errors.Is(err, ErrDamaged) {
		t.Fatalf("the old generation: %v", err)
	}
	wantLedger(t, dir, ledgerDeltas+2)
}
