package docent_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/needs"
)

// These tests hold the index to its promises under ill treatment. Each runs a
// few rounds by default and many under "make torture", which sets
// DOCENT_TORTURE.

// rounds is how often a test repeats itself. DOCENT_TORTURE_SHARE divides the many.
func rounds(few, many int) int {
	if os.Getenv("DOCENT_TORTURE") != "" {
		share, _ := strconv.Atoi(os.Getenv("DOCENT_TORTURE_SHARE"))
		return max(few, many/max(share, 1))
	}
	if testing.Short() {
		return max(few/4, 1)
	}
	return few
}

var vocabulary = strings.Fields(`rotate key keys secret worker queue retry schedule deploy backup restore log metric alert
	limit payload batch lease heartbeat idempotency addEventListener kube-proxy feature_gates timeout error database lock
	upgrade install config flag token scope admin role user group policy network volume storage node cluster`)

// A garden is a folder of documents that change at random.
type garden struct {
	t   testing.TB
	dir string
	rng *rand.Rand
}

func newGarden(t testing.TB, seed uint64, files int) *garden {
	g := &garden{t, filepath.Join(t.TempDir(), "docs"), rand.New(rand.NewPCG(seed, 1))}
	for range files {
		g.write(g.name())
	}
	return g
}

func (g *garden) name() string {
	return fmt.Sprintf("%c/%s-%d.md", 'a'+rune(g.rng.IntN(4)), vocabulary[g.rng.IntN(len(vocabulary))], g.rng.IntN(5))
}

func (g *garden) words(n int) string {
	w := make([]string, n)
	for i := range w {
		// Some words are much more common than others.
		w[i] = vocabulary[min(g.rng.IntN(len(vocabulary)), g.rng.IntN(len(vocabulary)))]
	}
	return strings.Join(w, " ")
}

func (g *garden) write(name string) {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# %s\n\n%s\n", g.words(2), g.words(10+g.rng.IntN(60)))
	for range g.rng.IntN(5) {
		fmt.Fprintf(b, "\n## %s\n\n%s.\n\n```go\nfunc %s() { %s }\n```\n", g.words(3), g.words(20+g.rng.IntN(200)), g.words(1), g.words(5))
		fmt.Fprintf(b, "\nSee [it](../%s#%s) and [[%s]].\n", g.name(), g.words(1), g.words(2))
	}
	path := filepath.Join(g.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g *garden) files() []string {
	names, err := filepath.Glob(filepath.Join(g.dir, "*", "*.md"))
	if err != nil {
		g.t.Fatal(err)
	}
	return names
}

// step changes, adds, removes or renames a file.
func (g *garden) step() {
	files := g.files()
	if len(files) == 0 {
		g.write(g.name())
		return
	}
	old := files[g.rng.IntN(len(files))]
	switch g.rng.IntN(6) {
	case 0:
		if len(files) > 2 {
			if err := os.Remove(old); err != nil {
				g.t.Fatal(err)
			}
		}
	case 1:
		target := filepath.Join(g.dir, filepath.FromSlash(g.name()))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			g.t.Fatal(err)
		}
		if err := os.Rename(old, target); err != nil {
			g.t.Fatal(err)
		}
	case 2, 3:
		rel, _ := filepath.Rel(g.dir, old)
		g.write(filepath.ToSlash(rel))
	default:
		g.write(g.name())
	}
}

// open brings an index of the garden up to date, with vectors by the table as it ships: one that
// is adapted to the documents is so to those there were when it was made, and two
// that came about in different ways may differ in their likenesses.
func (g *garden) open(index string) *docent.Library {
	lib, err := docent.OpenDir(context.Background(), g.dir, index, docent.Options{Embed: "base"})
	if err != nil {
		g.t.Fatal(err)
	}
	return lib
}

// questions are asked of every index that is compared.
var questions = []string{
	"rotate key", "how do I retry a worker", "kube-proxy feature_gates", "addEventListener", "listener timeout",
	"backup restore database lock", "rotaet kye", `"key secret"`, "deploy -backup", "title:queue", "the", "path:a/** alert", "nosuchword",
}

// transcriptReranker ranks what transcripts compare. The model in the program reads the same texts in
// the same order wherever they come from, and takes forty times as long as all the rest: only the
// long runs ask it.
func transcriptReranker() string {
	if os.Getenv("DOCENT_TORTURE") == "" {
		return answer.RerankOff
	}
	return ""
}

// transcript is all that can be seen of a library: its files and what it
// answers, scores included.
func transcript(lib *docent.Library) (string, error) {
	b := &strings.Builder{}
	files, err := lib.Files(context.Background(), "")
	if err != nil {
		return "", err
	}
	if err := files.WriteText(b); err != nil {
		return "", err
	}
	for _, q := range questions {
		a, err := lib.Search(context.Background(), answer.Query{Text: q, Limit: 20, Rerank: transcriptReranker(), RerankMS: 60_000})
		if err != nil {
			return "", fmt.Errorf("search %q: %w", q, err)
		}
		fmt.Fprintf(b, "== %s\n", q)
		for _, h := range a.Hits {
			fmt.Fprintf(b, "%v %s\n%s\n", h.Score, h.Citation, h.Body)
		}
		a.Freshness = ""
		a.Hits = nil
		_ = a.WriteText(b)
	}
	err = graphTranscript(b, lib, files)
	return b.String(), err
}

// graphTranscript is what can be seen of links and code.
func graphTranscript(b *strings.Builder, lib *docent.Library, files *answer.FileList) error {
	ctx := context.Background()
	write := func(name string, answer interface{ WriteText(io.Writer) error }, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(b, "== %s\n", name)
		return answer.WriteText(b)
	}
	for _, f := range files.Files {
		links, err := lib.Links(ctx, f.File, 2)
		if err := write("links "+f.File, links, err); err != nil {
			return err
		}
	}
	health, err := lib.Check(ctx, answer.CheckOptions{})
	if err == nil {
		health.Note = "" // of packs
	}
	if err := write("check", health, err); err != nil {
		return err
	}
	for _, name := range []string{"key", "addEventListener", "KEY", "Retry"} {
		found, err := lib.Examples(ctx, answer.CodeQuery{Text: name, Limit: 20})
		if err := write("examples "+name, found, err); err != nil {
			return err
		}
		found, err = lib.Snippets(ctx, answer.CodeQuery{Text: name})
		if err := write("snippets "+name, found, err); err != nil {
			return err
		}
	}
	for _, f := range files.Files[:min(len(files.Files), 5)] {
		related, err := lib.Related(ctx, f.File, 20)
		if err := write("related "+f.File, related, err); err != nil {
			return err
		}
	}
	return nil
}

func mustTranscript(t testing.TB, lib *docent.Library) string {
	t.Helper()
	text, err := transcript(lib)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// An index that took in one change after another answers like one made afresh.
func TestIncrementalEqualsRebuild(t *testing.T) {
	g := newGarden(t, 7, 30)
	index := filepath.Join(t.TempDir(), "index")
	_ = g.open(index).Close()
	steps, edits := rounds(60, 5000), 0
	for i := range steps {
		for range 1 + g.rng.IntN(3) {
			g.step()
			edits++
		}
		lib := g.open(index)
		if i%20 == 19 || i == steps-1 {
			fresh := g.open(filepath.Join(t.TempDir(), "fresh"))
			got, want := mustTranscript(t, lib), mustTranscript(t, fresh)
			_ = fresh.Close()
			if got != want {
				t.Fatalf("step %d: the index that grew answers\n%s\none made afresh\n%s", i, got, want)
			}
		}
		_ = lib.Close()
	}
	cases.Tried(t, "R9", edits)
}

// Merging all segments gives, byte for byte, what building anew gives.
func TestCompactEqualsRebuild(t *testing.T) {
	g := newGarden(t, 11, 40)
	index := filepath.Join(t.TempDir(), "index")
	_ = g.open(index).Close()
	for range 5 {
		g.step()
		_ = g.open(index).Close()
	}
	time.Sleep(200 * time.Millisecond) // so that both note the same times
	merged, built := mergedAndBuilt(t, g.dir, index)
	for i, p := range merged {
		if p.Name == "files" {
			continue // holds times, which may be unsettled in the older rows
		}
		if p.Name != built[i].Name || string(p.Data) != string(built[i].Data) {
			t.Errorf("part %s: %d bytes merged, %d built, or other bytes", p.Name, len(p.Data), len(built[i].Data))
		}
	}
}

// mergedAndBuilt are the segments of an index merged into one, and one that is built
// of its documents.
func mergedAndBuilt(t *testing.T, dir, index string) (merged, built []segment.Part) {
	t.Helper()
	c, err := corpus.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.IndexDir = index
	live, err := refresh.OpenCorpus(t.Context(), c, refresh.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	snap, release, err := live.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	v, err := snap.View(t.Context(), snapshot.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Segments) < 2 {
		t.Fatalf("%d segments: nothing is merged", len(v.Segments))
	}
	if merged, err = build.MergeSegments(v.Segments, snapshot.DeadRows(v.Segments)); err != nil {
		t.Fatal(err)
	}
	_, vectors, err := refresh.ResolveModel(c, refresh.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := c.OpenFiles()
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	all, _, err := build.All(t.Context(), files, v.Policy, vectors, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return merged, all[0]
}

// However an index file is damaged, the next question is answered as if it were
// not.
func TestDamagedIndexIsMadeAnew(t *testing.T) {
	g := newGarden(t, 5, 12)
	index := filepath.Join(t.TempDir(), "index")
	_ = g.open(index).Close()
	g.step()
	lib := g.open(index)
	want := mustTranscript(t, lib)
	_ = lib.Close()
	files, err := filepath.Glob(filepath.Join(index, "*.seg"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no segments: %v", err)
	}
	files = append(files, filepath.Join(index, "manifest"))
	intact := map[string][]byte{}
	for _, name := range files {
		if intact[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	for i := range rounds(120, 1000) {
		if err := os.RemoveAll(index); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(index, 0o755); err != nil {
			t.Fatal(err)
		}
		hurt := files[g.rng.IntN(len(files))]
		for name, data := range intact {
			if name == hurt {
				data = damage(g.rng, data)
			}
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		lib := g.open(index)
		got, err := transcript(lib)
		_ = lib.Close()
		if err != nil || got != want {
			t.Fatalf("damage %d to %s: %v; answers\n%s\nwant\n%s", i, filepath.Base(hurt), err, got, want)
		}
	}
	cases.Tried(t, "R6", rounds(120, 1000))
}

// The same of an index in one segment, where nothing is read before it is needed,
// for the ways to bring it up to date: by opening it, by Index, and by taking in a
// file that changed under an answer.
func TestDamagedIndexIsBroughtUpToDate(t *testing.T) {
	g := newGarden(t, 11, 12)
	if err := os.WriteFile(filepath.Join(g.dir, ".docent.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	index := func(full bool) {
		t.Helper()
		if _, err := refresh.Index(ctx, g.dir, full, refresh.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	hurt := func() {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(g.dir, ".docent", "*.seg"))
		if err != nil || len(files) != 1 {
			t.Fatalf("segments %v, %v", files, err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		data[100] ^= 1                              // in the table of files, which comes first
		if err := os.Remove(files[0]); err != nil { // it may be mapped
			t.Fatal(err)
		}
		if err := os.WriteFile(files[0], data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	index(true)
	hurt()
	index(false)
	hurt()
	lib, err := docent.Open(ctx, g.dir, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = mustTranscript(t, lib)
	_ = lib.Close()

	hurt()
	lib, err = docent.Open(ctx, g.dir, docent.Options{NoRefresh: true})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	g.write(strings.TrimPrefix(filepath.ToSlash(g.files()[0]), filepath.ToSlash(g.dir)+"/"))
	if _, err := transcript(lib); err != nil {
		t.Error(err)
	}
}

// damage flips bits, cuts, zeroes or overwrites.
func damage(rng *rand.Rand, data []byte) []byte {
	out := append([]byte(nil), data...)
	switch at := rng.IntN(len(out)); rng.IntN(5) {
	case 0:
		out = out[:at]
	case 1:
		clear(out[at:min(at+4096, len(out))])
	case 2:
		for i := at; i < min(at+16, len(out)); i++ {
			out[i] = byte(rng.Uint32())
		}
	default:
		out[at] ^= 1 << rng.IntN(8)
	}
	return out
}

// Two writers and eight readers on one index: no error, and every answer is the
// whole truth of some moment.
func TestWritersAndReaders(t *testing.T) {
	g := newGarden(t, 9, 15)
	index := filepath.Join(t.TempDir(), "index")
	_ = g.open(index).Close()
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				lib, err := docent.OpenDir(context.Background(), g.dir, index, docent.Options{NoRefresh: true})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := lib.Search(context.Background(), answer.Query{Text: "rotate key"}); err != nil {
					t.Error(err)
				}
				_ = lib.Close()
			}
		})
	}
	for w := range 2 {
		writers.Go(func() {
			mine := &garden{t, g.dir, rand.New(rand.NewPCG(uint64(w), 2))}
			for i := range rounds(12, 50) {
				mine.write(fmt.Sprintf("w%d/f%d.md", w, i))
				lib, err := docent.OpenDir(context.Background(), g.dir, index, docent.Options{Embed: "base"})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := lib.Info(context.Background(), fmt.Sprintf("w%d/f%d.md", w, i)); err != nil {
					t.Errorf("writer %d does not see its file %d: %v", w, i, err)
				}
				_ = lib.Close()
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	lib := g.open(index)
	fresh := g.open(filepath.Join(t.TempDir(), "fresh"))
	if mustTranscript(t, lib) != mustTranscript(t, fresh) {
		t.Error("after the writers the index differs from one made afresh")
	}
	_, _ = lib.Close(), fresh.Close()
	cases.Tried(t, "R7", 2*rounds(12, 50))
}

// Killed at any moment of indexing, the next question is answered, and as if
// nothing had happened.
func TestKilledWhileIndexing(t *testing.T) {
	if dir := os.Getenv("DOCENT_TEST_INDEX"); dir != "" {
		fmt.Println()
		for {
			lib, err := docent.OpenDir(context.Background(), os.Getenv("DOCENT_TEST_DOCS"), dir, docent.Options{Embed: "base"})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(3)
			}
			_ = lib.Close()
			if _, err := refresh.Index(context.Background(), dir, true, refresh.Options{}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(3)
			}
		}
	}
	g := newGarden(t, 13, 40)
	fresh := g.open(filepath.Join(t.TempDir(), "fresh"))
	want := mustTranscript(t, fresh)
	_ = fresh.Close()
	index := filepath.Join(t.TempDir(), "index")
	for i := range rounds(10, 250) {
		if i%5 == 0 {
			_ = os.RemoveAll(index)
		}
		killAtWork(t, time.Duration(g.rng.IntN(100))*time.Millisecond, "DOCENT_TEST_INDEX="+index, "DOCENT_TEST_DOCS="+g.dir)
		lib := g.open(index)
		if got := mustTranscript(t, lib); got != want {
			t.Fatalf("kill %d: answers\n%s\nwant\n%s", i, got, want)
		}
		_ = lib.Close()
	}
	// What the dead left behind, the next writer clears away.
	g.step()
	_ = g.open(index).Close()
	if left, _ := filepath.Glob(filepath.Join(index, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	cases.Tried(t, "R1", rounds(10, 250))
}

// killAtWork runs this test once more, as the victim, and kills it that long after it has
// begun, which it says with a line.
func killAtWork(t *testing.T, after time.Duration, env ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = stdout.Read(make([]byte, 1))
	time.Sleep(after)
	_ = cmd.Process.Kill()
	if err := cmd.Wait(); strings.Contains(fmt.Sprint(err), "exit status") {
		t.Fatalf("the victim failed by itself: %v %s", err, stderr.String())
	}
}

// smallDisk is a file system of so many bytes.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	if os.Getuid() != 0 {
		needs.Missing(t, "a small file system", "only root may mount one")
	}
	mount := filepath.Join(t.TempDir(), "small")
	if err := os.MkdirAll(mount, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+strconv.Itoa(size), "docent-test", mount).CombinedOutput(); err != nil {
		needs.Missing(t, "a small file system", string(out))
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", mount).Run() })
	return mount
}

// On a full disk indexing fails with a clear error, the old index still serves,
// and nothing is left behind.
func TestFullDisk(t *testing.T) {
	mount := smallDisk(t, 400<<10)
	g := newGarden(t, 17, 20)
	index := filepath.Join(mount, "index")
	lib := g.open(index)
	want := mustTranscript(t, lib)
	_ = lib.Close()
	if err := os.WriteFile(filepath.Join(mount, "ballast"), make([]byte, 1<<20), 0o644); err == nil {
		t.Fatal("the ballast fitted")
	}
	before, _ := filepath.Glob(filepath.Join(index, "*"))
	if _, err := refresh.Index(t.Context(), index, true, refresh.Options{}); err == nil {
		t.Error("making the index on a full disk succeeded")
	} else if !strings.Contains(err.Error(), "no space left") {
		t.Errorf("the error does not say what is wrong: %v", err)
	}
	after, _ := filepath.Glob(filepath.Join(index, "*"))
	if len(after) > len(before) {
		t.Errorf("left behind: %v, before %v", after, before)
	}
	lib = g.open(index)
	if mustTranscript(t, lib) != want {
		t.Error("the old index does not serve any more")
	}
	_ = lib.Close()
	// Files can change meanwhile: answers stay true, from memory if need be.
	g.write("a/new.md")
	note := ""
	lib, err := docent.OpenDir(t.Context(), g.dir, index, docent.Options{Note: func(s string) { note = s }})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(note, "not refreshed") {
		t.Errorf("nothing was said of the index that could not be refreshed: %q", note)
	}
	_ = lib.Close()
}
