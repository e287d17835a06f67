package refresh

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/needs"
)

// When all files were last compared is not believed where it lies ahead of us, nor
// written through a link: the folder may have come with a clone.
func TestLastCheckIsNotTakenOnTrust(t *testing.T) {
	c := &corpus.Corpus{IndexDir: t.TempDir()}
	name := filepath.Join(c.IndexDir, checkedName)
	now := time.Now()
	check{At: now, Took: time.Second}.save(c)
	if last := lastCheck(c); !last.At.Equal(now) || !last.isSlow() {
		t.Errorf("last check %v; want %v", last, now)
	}
	check{At: now.Add(time.Hour), Took: time.Second}.save(c)
	if last := lastCheck(c); last.isSlow() {
		t.Errorf("a check %v ahead is believed", time.Until(last.At))
	}
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	needs.Link(t, precious, name)
	check{At: now, Took: time.Second}.save(c)
	if _, err := os.Stat(precious); err == nil {
		t.Error("a file was made where a link leads")
	}
	if err := os.WriteFile(precious, []byte(`{"took":1000000000}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if lastCheck(c).isSlow() {
		t.Error("a link was believed")
	}
}

// A shelf is documents and their index, opened anew for each question.
type shelf struct {
	*testing.T
	*corpus.Corpus
}

func newShelf(t *testing.T) shelf {
	c, err := corpus.Find(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c.IndexDir = filepath.Join(t.TempDir(), "index")
	return shelf{t, c}
}

func (s shelf) write(name, text string, age time.Duration) {
	s.Helper()
	path := filepath.Join(s.Dir, name)
	at := time.Unix(time.Now().Add(-age).Unix(), 0)
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime() // as if nothing had been written
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		s.Fatal(err)
	}
}

func (s shelf) ask(question string) (files string, freshness string) {
	s.Helper()
	live, err := OpenCorpus(s.Context(), s.Corpus, Options{Embed: "none"})
	if err != nil {
		s.Fatal(err)
	}
	defer live.Close()
	snap, release, err := live.Acquire(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	defer release()
	a, err := search.Run(s.Context(), snap, answer.Query{Text: question}, nil)
	if err != nil {
		s.Fatal(err)
	}
	for _, h := range a.Hits {
		files += h.File + " "
	}
	return files, a.Freshness
}

// A power cut left documents that were written in the last moments before it with their
// size and time, and without their tails: nothing noticed.
func TestFilesAreReadAgainAfterAPowerCut(t *testing.T) {
	boot := bootID
	defer func() { bootID = boot }()
	bootID = func() string { return "one" }
	s := newShelf(t)
	const late, early = "# Late\n\nA zebra has stripes.\n", "# Early\n\nA zebra has hooves.\n"
	s.write("late.md", late, 20*time.Second)
	s.write("early.md", early, time.Hour)
	if got, _ := s.ask("stripes"); got != "late.md " {
		t.Fatalf("found %q", got)
	}
	lost := late[:10] + string(bytes.Repeat([]byte{0}, len(late)-10))
	s.write("late.md", lost, 0)
	bootID = func() string { return "two" }
	if got, _ := s.ask("zebra"); got != "early.md " {
		t.Errorf("after the cut: %q", got)
	}
	// Files are read again once after a start, and only those that may have been lost.
	s.write("late.md", late, 0)
	if got, _ := s.ask("late"); got != "late.md " {
		t.Errorf("whole again: %q", got)
	}
	s.write("early.md", strings.Replace(early, "hooves", "stable", 1), 0)
	bootID = func() string { return "three" }
	if got, _ := s.ask("stable"); got != "" {
		t.Errorf("a file that was long on disk was read again: %q", got)
	}
	if last := lastCheck(s.Corpus); last.Boot != "three" {
		t.Errorf("the next question reads again: %+v", last)
	}
}

// With more than 2,000 files a document could be missing for a minute. What counts is
// what comparing takes, and the last line says what was compared.
func TestFilesAreComparedWhereThatIsQuick(t *testing.T) {
	s := newShelf(t)
	for i := range 2001 {
		s.write(fmt.Sprintf("f%d.md", i), "# Horse\n\nText.\n", time.Hour)
	}
	s.ask("horse")
	check{time.Now().Add(-10 * time.Second), time.Millisecond, bootID()}.save(s.Corpus)
	s.write("zebra.md", "# Zebra\n\nA horse with stripes.\n", time.Hour)
	if got, _ := s.ask("zebra"); got != "zebra.md " {
		t.Errorf("found %q", got)
	}
	check{time.Now().Add(-10 * time.Second), quick, bootID()}.save(s.Corpus)
	s.write("okapi.md", "# Okapi\n\nA horse with stripes.\n", time.Hour)
	got, freshness := s.ask("okapi")
	compared := regexp.MustCompile(`^2,002 files compared \d+ seconds ago, those behind an answer each time$`)
	if got != "" || !compared.MatchString(freshness) {
		t.Errorf("found %q; %s", got, freshness)
	}
}

// How much has changed since the table was adapted was forgotten when changed files were
// merged into the base: in a large corpus a tenth was never reached.
func TestMergedFilesCountAsChanged(t *testing.T) {
	s := newShelf(t)
	const files = 700
	for i := range files {
		s.write(fmt.Sprintf("f%d.md", i), "# Horse\n\nText.\n", time.Hour)
	}
	s.ask("horse")
	for i := range 400 {
		s.write(fmt.Sprintf("f%d.md", i), "# Zebra\n\nAnother text.\n", 0)
		if i == 199 || i == 399 {
			s.ask("horse")
		}
	}
	on, err := openCommitted(s.Corpus, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	if n, _ := local.ChangedSince(on.view, snapshot.DeadRows(on.view.Segments), 0); n != 400 || len(on.view.Segments) != 1 {
		t.Errorf("%d of %d files have changed, in %d segments", n, files, len(on.view.Segments))
	}
}
