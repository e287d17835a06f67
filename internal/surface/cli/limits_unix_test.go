//go:build unix

package cli

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/gates/cases"
)

// largest is the size of the files below: the largest that is read.
const largest = 10 << 20

// fill repeats a text, in which %d is the number of the time, between head and tail
// until there are so many bytes.
func fill(size int, head, text, tail string) string {
	var b strings.Builder
	b.Grow(size)
	b.WriteString(head)
	for i := 0; ; i++ {
		piece := strings.ReplaceAll(text, "%d", fmt.Sprint(i))
		if b.Len()+len(piece)+len(tail) > size {
			return b.String() + tail
		}
		b.WriteString(piece)
	}
}

// shapes are files that may cost more than their size. With a heading of 2 MB or with CR
// line ends they took minutes and gigabytes. LONG TEXT and LONGWORD are half of a file.
var shapes = []struct{ name, head, text, tail string }{
	{"one heading", "# ", "word ", "\n\ntext\n"},
	{"a long heading, many chunks", "# LONG TEXT\n\n", "some text here\n\n", ""},
	{"a long heading, many sections", "# LONG TEXT\n\n", "## a\n\nsome text here\n\n", ""},
	{"CR line ends", "", "# a\r\rtext\r", ""},
	{"only CR", "", "\r", ""},
	{"a long title in front matter", "---\ntitle: LONG TEXT\n---\n", "# a\n\ntext\n\n", ""},
	{"a long description", "---\ndescription: LONG TEXT\n---\n", "# a\n\ntext\n\n", ""},
	{"a million headings", "", "## abcdef\n", ""},
	{"headings of six levels", "", "# a\n## b\n### c\n#### d\n##### e\n###### f\n\ntext\n", ""},
	{"one line", "", "word ", ""},
	{"list items", "", "- a\n", ""},
	{"deep lists", "", strings.Repeat("- ", 40) + "a\n", ""},
	{"deep quotes", "", strings.Repeat("> ", 100) + "a\n", ""},
	{"a table", "|a|b|\n|-|-|\n", "| 1 | 2 |\n", ""},
	{"the head of a table", "|LONGWORD|\n|-|\n", "|b|\n", ""},
	{"links", "", "[a](b) ", ""},
	{"a long target that all links have", "[a]: /LONGWORD\n\n", "[a] ", ""},
	{"a target of a kilobyte that all links have", "[a]: /" + strings.Repeat("u", 1000) + "\n\n", "[a] ", ""},
	{"one that all pictures have", "[a]: " + strings.Repeat("u/", 500) + "u.png\n\n", "![a] ", ""},
	{"an anchor of a kilobyte that all links have", "[a]: #" + strings.Repeat("u", 1000) + "\n\n", "[a] ", ""},
	{"an address of a kilobyte that all links have", "[a]: https://u.v/" + strings.Repeat("u", 1000) + "\n\n", "[a] ", ""},
	{"a long target and a short one with the same words", "[a]: /LONGWORD\n\n[a](x.md) ", "[a][a] ", ""},
	{"definitions", "", "[a]: b\n", ""},
	{"footnotes", "", "a[^1]\n\n[^1]: b\n\n", ""},
	{"brackets", "", "[", ""},
	{"emphasis", "", "*a_ ", ""},
	{"HTML", "", "<div>\n", ""},
	{"unclosed comments", "a ", "<!--b ", ""},
	{"an info string", "```LONGWORD\n", "x = y\n", "```\n"},
	{"code in one block", "```go\n", "x := y(z)\n", "```\n"},
	{"front matter that never ends", "---\n", "a: b\n", ""},
	{"slugs that repeat", "", "# a\n# a-1\n", ""},
	{"headings that do not", "", "# h%d\n\ntext %d\n\n", ""},
	{"explicit ids", "", "# a {#x%d}\n", ""},
	{"paragraphs", "", "a\n\n", ""},
	{"boxes of colons", "", "::: note\na\n:::\n", ""},
	{"pairs of colons", "", ":::\n:::\n", ""},
	{"a million fences", "", "```\n```\n", ""},
	{"fences that never close", "", "~~~\n", ""},
	{"fences, each with a function", "", "```go\nfunc f%d() {}\n```\n", ""},
	{"fences, each with a key", "", "```yaml\nk%d: v\n```\n", ""},
	{"one line of calls", "```go\n", "f%d(); ", "\n```\n"},
	{"names of four parts", "```js\n", "a%d.b%d.c%d.d%d\n", "```\n"},
	{"code spans", "", "`a%d` ", ""},
	{"words that occur once", "", "w%d ", ""},
	{"paragraphs of one such word", "", "w%d\n\n", ""},
	{"a table of them", "|a|\n|-|\n", "|w%d|\n", ""},
	{"links to everywhere", "", "[a%d](b%d) ", ""},
	{"wiki links", "", "[[a%d]] ", ""},
	{"addresses", "", "http://a%d.b ", ""},
	{"definitions of everything", "", "[a%d]: b%d\n", ""},
	{"many keys in front matter", "---\n", "k%d: v\n", "---\n\ntext\n"},
	{"many lists in front matter", "---\n", "k%d: [a, b]\n", "---\n\ntext\n"},
	{"many keys in TOML", "+++\n", "k%d = 1\n", "+++\n\ntext\n"},
}

// Each file of the largest size costs at most 2 s of processor time and 200 MiB to cut
// into chunks, to index, to read, to check and to show as a page; so does the page of the
// largest file that is rendered. With DOCENT_TORTURE all shapes are of that size, and the
// program is the one that is shipped; otherwise they are smaller, and limits are wide.
func TestTortureLargeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector: go test without -short tries it")
	}
	docent, size, rendered, cpu, memory := "docent", largest/64, largest/64, 10*time.Second, int64(400<<20)
	if os.Getenv("DOCENT_TORTURE") != "" {
		docent, size, rendered, cpu, memory = shipped(t), largest, 512<<10, 2*time.Second, 200<<20
	}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			file := filepath.Join(dir, "x.md")
			write := func(size int) {
				long := strings.NewReplacer("LONG TEXT", strings.Repeat("word ", size/10), "LONGWORD", strings.Repeat("u", size/2))
				if err := os.WriteFile(file, []byte(fill(size, long.Replace(s.head), s.text, s.tail)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			try := func(args ...string) {
				took, used := cost(t, docent, args...)
				for again := 0; again < 3 && took > cpu; again++ { // on a busy machine the same work takes more of the processor
					next, memory := cost(t, docent, args...)
					took, used = min(took, next), max(used, memory)
				}
				cases.Tried(t, "P1", 1)
				t.Logf("%s: %v, %d MiB", args[0], took.Round(time.Millisecond), used>>20)
				if took > cpu || used > memory {
					t.Errorf("%s: %v and %d MiB; may take %v and %d MiB", args[0], took, used>>20, cpu, memory>>20)
				}
			}
			write(size)
			try("chunks", file)
			try("index", "--full", "--root", dir)
			try("read", "x.md:1-3", "--root", dir)
			try("links", "x.md", "--root", dir)
			try("check", "--root", dir)
			try("open", "--no-browser", "--root", dir)
			try("report", "--root", dir, "-o", filepath.Join(t.TempDir(), "x.html"))
			if rendered != size {
				write(rendered)
				try("open", "--no-browser", "--root", dir)
			}
		})
	}
}

// However many documents there are, an index of them is made in half a gigabyte, of
// 200,000 small ones in 300 MiB, and in less where GOMEMLIMIT asks for it. They are tried
// with DOCENT_TORTURE only.
func TestTortureMemory(t *testing.T) { manyFiles(t, 100_000, 10_700, 512<<20) }

func TestTortureManyFiles(t *testing.T) { manyFiles(t, 200_000, 80, 300<<20) }

func TestTortureMemoryLimit(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "128MiB")
	manyFiles(t, 10_000, 10_700, 200<<20)
}

// Files of a gigabyte, a line of 100 MB and a path longer than the system takes at once
// are left out, counted and named; what lies beside them is indexed.
func TestTortureHugeFiles(t *testing.T) {
	if os.Getenv("DOCENT_TORTURE") == "" {
		t.Skip("DOCENT_TORTURE is not set")
	}
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	write := func(name, text string, size int64) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, max(size, int64(len(text)))); err != nil {
			t.Fatal(err)
		}
	}
	write("small.md", "# Small\n\nA zebra.\n", 0)
	write("huge.md", "# Huge\n\nA zebra.\n", 1<<30)
	write("line.md", "# Line\n\n"+strings.Repeat("zebra ", 100_000_000/6), 0)
	deep, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Repeat("d", 200)
	for range 25 { // 5,000 bytes
		if err := deep.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		next, err := deep.OpenRoot(name)
		_ = deep.Close()
		if err != nil {
			t.Fatal(err)
		}
		deep = next
	}
	if err := deep.WriteFile("deep.md", []byte("# Deep\n\nA zebra.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_ = deep.Close()
	docent := shipped(t)
	took, used := cost(t, docent, "index", "--full", "--root", dir)
	t.Logf("%v, %d MiB", took, used>>20)
	if took > 2*time.Second || used > 200<<20 {
		t.Errorf("%v and %d MiB", took, used>>20)
	}
	out, err := exec.Command(docent, "status", "--root", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{`(?m)^skipped   [23] files$`, `(?m)^  huge\.md  too large`, `(?m)^  line\.md  too large`} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("no %s in\n%.2000s", want, out)
		}
	}
	if out, err := exec.Command(docent, "search", "zebra", "--root", dir).CombinedOutput(); err != nil || !strings.Contains(string(out), "small.md") {
		t.Errorf("%v: %.2000s", err, out)
	}
	cases.Tried(t, "P4", 3)
}

// A million files are indexed too, in the memory that many names and paths take.
func TestTortureAMillionFiles(t *testing.T) { manyFiles(t, 1_000_000, 60, 1<<30) }

// manyFiles indexes so many files of at least that size within a limit of memory. Their
// words are those of the examples.
func manyFiles(t *testing.T, files, size int, limit int64) {
	if os.Getenv("DOCENT_TORTURE") == "" {
		t.Skip("DOCENT_TORTURE is not set")
	}
	words := exampleWords(t)
	rng := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for i := range files {
		folder := filepath.Join(dir, fmt.Sprint("d", i/500))
		if i%500 == 0 {
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		text := fmt.Appendf(nil, "# Page %d\n\nThe worker %d rotates its key, see [another](%d.md).\n", i, i*7919, i/2)
		for n := 0; len(text) < size; n++ {
			if n%300 == 0 {
				text = fmt.Appendf(text, "\n\n## Part %d of %d\n\n", n/300, i)
			}
			text = append(append(text, words[rng.IntN(len(words))]...), ' ')
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(i, ".md")), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	took, used := cost(t, shipped(t), "index", "--full", "--root", dir)
	cases.Tried(t, "R12", files)
	cases.Tried(t, "P4", files)
	t.Logf("%v, %d MiB", took, used>>20)
	if used > limit {
		t.Errorf("%d MiB; may take %d MiB", used>>20, limit>>20)
	}
}

// exampleWords are the words of the example documents, as often as they occur.
func exampleWords(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("../../../examples", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !doc.IsMarkdown(path) {
			return err
		}
		text, err := os.ReadFile(path)
		out = append(out, strings.FieldsFunc(string(text), func(r rune) bool { return !unicode.IsLetter(r) })...)
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatal(len(out), err)
	}
	return out
}

// cost runs docent and returns the processor time and the most memory that it took. If it
// serves pages, that of x.md is asked for.
func cost(t *testing.T, docent string, args ...string) (time.Duration, int64) {
	t.Helper()
	cmd := exec.Command(docent, args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(stderr)
	if args[0] == "open" {
		line, _ := said.ReadString('\n')
		getPage(t, regexp.MustCompile(`http://\S+/`).FindString(line)+"read/x.md")
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	rest, _ := io.ReadAll(said)
	if err := cmd.Wait(); err != nil && args[0] != "open" && cmd.ProcessState.ExitCode() != exitNothing {
		t.Fatalf("docent %s: %v: %s", args[0], err, rest)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), mostMemory(cmd.ProcessState)
}

func getPage(t *testing.T, address string) {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if n, err := io.Copy(io.Discard, r.Body); err != nil || n == 0 || r.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %d bytes, %v", address, r.Status, n, err)
	}
}
