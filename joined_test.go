package docent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/needs"
)

// To look for no more of what is near than can come in is a short way to the same
// answer: one that is explained goes the long way. So it is with a table as it
// ships and an adapted one, with one segment and several, with all files and some.
func TestShortWayIsTheLongWay(t *testing.T) {
	needs.Time(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("examples/harbour")); err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(t.TempDir(), "index")
	lib := openAt(t, dir, index, docent.Options{})
	questions := []string{
		"rotate a key", "worker lease", "jobs that fail", "move to another machine", "configure", "the", "lease expires early renew",
		"erase a task for good", "password", "how do I restart what was stopped", "-worker lease", `"lease"`, "title:keys rotate", "nowhere xyzzy",
		"README.md", "keys", strings.Repeat("lease worker key job ", 20), // more words than are told apart
	}
	near := sameWays(t, lib, questions, "guide/**")

	// Three files more, one of them in place of another.
	for i, name := range []string{"README.md", "more.md", "again.md"} {
		text := fmt.Sprintf("# More %d\n\nTo renew a lease, a worker asks again before it ends.\n\n## Stopped\n\nBegin anew by hand.\n", i)
		writeFile(t, filepath.Join(dir, name), text)
		lib = openAt(t, dir, index, docent.Options{})
	}
	near += sameWays(t, lib, questions, "*.md")
	if n := statusOf(t, lib).Segments; n < 2 {
		t.Errorf("%d segments: several are not shown", n)
	}
	if near == 0 {
		t.Error("nothing was found by meaning alone: how it comes in is not shown")
	}

	lib = openIn(t, newGarden(t, 3, 160).dir)
	if m := statusOf(t, lib).Model; m != "builtin, adapted" {
		t.Fatalf("the table was not adapted: %s", m)
	}
	var titles []string
	for _, h := range ask(t, lib, answer.Query{Text: "the", Limit: 20}).Hits {
		titles = append(titles, h.Title)
	}
	sameWays(t, lib, titles, "*1*.md")
}

// sameWays compares the two ways, and returns how many hits had none of the words.
func sameWays(t *testing.T, lib *docent.Library, questions []string, glob string) (near int) {
	t.Helper()
	for _, text := range questions {
		for _, n := range []int{1, 3, 10, answer.MaxLimit} {
			for _, q := range []answer.Query{{Text: text, Limit: n}, {Text: text, Limit: n, File: glob}, {Text: text, Limit: n, Budget: 1 << 20}} {
				short := ask(t, lib, q)
				q.Explain = true
				long := ask(t, lib, q)
				if got, want := scored(short), scored(long); got != want {
					t.Errorf("%+v:\n got %s\nwant %s", q, got, want)
				}
				for _, h := range long.Hits {
					if strings.Contains(strings.Join(h.Explain, "\n"), "lexical 0.000") {
						near++
					}
				}
			}
		}
	}
	return near
}

// scored is the hits of an answer and what they came to, to the last bit.
func scored(a *answer.Answer) string {
	var b strings.Builder
	for _, h := range a.Hits {
		fmt.Fprintf(&b, "%s %x; ", h.Ref, h.Score)
	}
	return b.String()
}
