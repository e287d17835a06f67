//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
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
	{"definitions", "", "[a]: b\n", ""},
	{"footnotes", "", "a[^1]\n\n[^1]: b\n\n", ""},
	{"brackets", "", "[", ""},
	{"emphasis", "", "*a_ ", ""},
	{"HTML", "", "<div>\n", ""},
	{"unclosed comments", "a ", "<!--b ", ""},
	{"an info string", "```LONGWORD\n", "x = y\n", "```\n"},
	{"code in one block", "```go\n", "x := y(z)\n", "```\n"},
	{"front matter that never ends", "---\n", "a: b\n", ""},
}

// Each file of the largest size costs at most 2 s of processor time and 200 MiB to cut
// into chunks and to index. With DOCENT_TORTURE all shapes are of that size, and the
// program is the one that is shipped; otherwise they are smaller, and limits are wide.
func TestTortureLargeFiles(t *testing.T) {
	docent, size, cpu, memory := "docent", largest/8, 10*time.Second, int64(400<<20)
	if os.Getenv("DOCENT_TORTURE") != "" {
		docent, size, cpu, memory = shipped(t), largest, 2*time.Second, 200<<20
	}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			dir := t.TempDir()
			long := strings.NewReplacer("LONG TEXT", strings.Repeat("word ", size/10), "LONGWORD", strings.Repeat("u", size/2))
			file := filepath.Join(dir, "x.md")
			if err := os.WriteFile(file, []byte(fill(size, long.Replace(s.head), s.text, s.tail)), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"chunks", file}, {"index", "--full", "--root", dir}, {"read", "x.md:1-3", "--root", dir}} {
				took, used := cost(t, docent, args...)
				t.Logf("%s: %v, %d MiB", args[0], took.Round(time.Millisecond), used>>20)
				if took > cpu || used > memory {
					t.Errorf("%s: %v and %d MiB; may take %v and %d MiB", args[0], took, used>>20, cpu, memory>>20)
				}
			}
		})
	}
}

// However many documents there are, an index of them is made in half a gigabyte. With
// DOCENT_BIG, a folder of Markdown, that is tried; its documents should be a gigabyte.
func TestTortureMemory(t *testing.T) {
	dir := os.Getenv("DOCENT_BIG")
	if dir == "" {
		t.Skip("DOCENT_BIG names no folder to index")
	}
	took, used := cost(t, shipped(t), "index", "--full", "--root", dir)
	t.Logf("%v, %d MiB", took, used>>20)
	if used > 512<<20 {
		t.Errorf("%d MiB", used>>20)
	}
}

// 200,000 small files are indexed in 300 MiB, with DOCENT_TORTURE.
func TestTortureManyFiles(t *testing.T) {
	if os.Getenv("DOCENT_TORTURE") == "" {
		t.Skip("DOCENT_TORTURE is not set")
	}
	dir := t.TempDir()
	for i := range 200_000 {
		folder := filepath.Join(dir, fmt.Sprint("d", i/500))
		if i%500 == 0 {
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		text := fmt.Sprintf("# Page %d\n\nThe worker %d rotates its key, see [another](%d.md).\n", i, i*7919, i/2)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(i, ".md")), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	took, used := cost(t, shipped(t), "index", "--full", "--root", dir)
	t.Logf("%v, %d MiB", took, used>>20)
	if used > 300<<20 {
		t.Errorf("%d MiB", used>>20)
	}
}

// shipped builds the program: a test binary has more in it.
func shipped(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "docent")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", file, "../../../cmd/docent").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// cost runs docent and returns the processor time and the most memory that it took.
func cost(t *testing.T, docent string, args ...string) (time.Duration, int64) {
	t.Helper()
	cmd := exec.Command(docent, args...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(t.TempDir(), "cache"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("docent %s: %v: %s", args[0], err, stderr.String())
	}
	used := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" {
		used <<= 10 // which counts bytes; others count KiB
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), used
}
