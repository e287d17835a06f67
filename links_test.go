package docent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/docent-md/docent/doc"
)

func docsOf(t *testing.T, files map[string]string) *Library {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	lib, err := FromFS(fsys)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() })
	return lib
}

// What an answer says of links is of the files as they are: also where an index of many
// files was compared with them a moment ago, and is not compared again.
func TestLinksNameNoFileThatIsGone(t *testing.T) {
	for _, c := range []struct {
		name string
		ask  func(*Library) (any, error)
	}{
		{"section", func(l *Library) (any, error) { return l.Section(context.Background(), "b.md") }},
		{"links", func(l *Library) (any, error) { return l.Links(context.Background(), "b.md", 3) }},
		{"related", func(l *Library) (any, error) { return l.Related(context.Background(), "b.md", 0) }},
		{"node", func(l *Library) (any, error) { return l.Node(context.Background(), "b.md") }},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"from.md": "# From\n\nSee [b](b.md).\n", "b.md": "# B\n\nSee [to](to.md) and [part](to.md#nope).\n",
			"to.md": "# To\n\nSee [on](onward.md).\n", "onward.md": "# Onward\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		ctx := context.Background()
		lib, err := OpenDir(ctx, dir, filepath.Join(t.TempDir(), "index"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		k := NewKeeper(lib, Options{})
		ask := func() string {
			var text string
			err := k.With(ctx, func(l *Library) error {
				v, err := c.ask(l)
				text = fmt.Sprint(asJSONText(t, v))
				return err
			})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			return text
		}
		before := ask()
		for _, gone := range []string{"from.md", "onward.md", "to.md"} {
			if err := os.Remove(filepath.Join(dir, gone)); err != nil {
				t.Fatal(err)
			}
			after := strings.ReplaceAll(ask(), `"target":"`+gone, "") // what is written there stays so
			if strings.Contains(after, `"`+gone+`"`) || strings.Contains(after, `"`+gone+`#`) || strings.Contains(after, "no anchor") && gone == "to.md" {
				t.Errorf("%s names %s, which is gone: %s", c.name, gone, after)
			}
		}
		if after := ask(); after == before {
			t.Errorf("%s: the test shows nothing: %s", c.name, after)
		}
		_ = k.Close()
	}
}

func asJSONText(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Links that run in circles, lead to themselves, or are very many, end.
func TestStrangeLinks(t *testing.T) {
	many := &strings.Builder{}
	many.WriteString("# Many\n\n")
	for i := range 10_000 {
		fmt.Fprintf(many, "- [link %d](a.md#part-%d)\n", i, i%7)
	}
	lib := docsOf(t, map[string]string{
		"a.md":    "# A\n\n[b](b.md) and [me](a.md) and [here](#a)\n\n## Part 1\n\nText.\n",
		"b.md":    "# B\n\n[c](c.md)\n",
		"c.md":    "# C\n\n[a](a.md)\n",
		"many.md": many.String(),
	})
	ctx := context.Background()
	links, err := lib.Links(ctx, "a.md", MaxDepth)
	if err != nil {
		t.Fatal(err)
	}
	var reached []string
	for _, s := range links.Reached {
		reached = append(reached, fmt.Sprintf("%d %s", s.Depth, s.SectionID))
	}
	if got := strings.Join(reached, ", "); got != "1 b.md, 2 c.md" {
		t.Errorf("reached %s", got)
	}
	if len(links.In) != 10_001 {
		t.Errorf("%d links to it, want 10,001", len(links.In))
	}
	h, err := lib.Check(ctx, CheckOptions{Only: "broken-anchor"})
	if err != nil || h.Errors == 0 || h.Errors > 10_000 {
		t.Errorf("%d errors, %v", h.Errors, err)
	}
	a, err := lib.Search(ctx, Query{Text: "B", Limit: 1, Expand: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, hit := range a.Hits {
		if (hit.Via != nil) != (i > 0) {
			t.Errorf("hit %d: through %v", i, hit.Via)
		}
	}
}

// One large file with as many sections as links, good and broken, and ids that are
// there twice: every question about it takes time in proportion to it. The square
// would take minutes.
func TestManySectionsAndLinks(t *testing.T) {
	const n = 8_000
	b := &strings.Builder{}
	b.WriteString("# Large\n\n")
	for i := range n {
		fmt.Fprintf(b, "## Section %d\n\n<a id=\"p%d\"></a>Thing %d: [l](#section-%d) and [m](#sections-%d).\n\n", i, i/2, i, i*7%n, i)
	}
	lib := docsOf(t, map[string]string{"large.md": b.String(), "other.md": "# Other\n\n[all](large.md)\n"})
	ctx := context.Background()
	h, err := lib.Check(ctx, CheckOptions{})
	if err != nil || h.Errors != n || !strings.Contains(h.Problems[0].Message, "did you mean") {
		t.Errorf("%d errors, %v", h.Errors, err)
	}
	twice := 0
	for _, p := range h.Problems {
		if p.Kind == "duplicate-anchor" {
			twice++
		}
	}
	if twice != n/2 {
		t.Errorf("%d ids are there twice, want %d", twice, n/2)
	}
	links, err := lib.Links(ctx, "large.md", MaxDepth)
	if err != nil || len(links.Reached) != maxReached {
		t.Errorf("%d reached, %v", len(links.Reached), err)
	}
	if links, err = lib.Links(ctx, "large.md#section-1", 3); err != nil || len(links.Reached) != 3 || links.Reached[2].SectionID != "large.md#section-343" {
		t.Errorf("reached %v, %v", links.Reached, err)
	}
	if _, err := lib.Related(ctx, "large.md", 10); err != nil {
		t.Error(err)
	}
	if a, err := lib.Search(ctx, Query{Text: "thing", Limit: 50, Expand: 3}); err != nil || len(a.Hits) != 100 {
		t.Errorf("%d hits, %v", len(a.Hits), err)
	}
}

// An expanded answer begins with the answer as it is without.
func TestExpandDisplacesNothing(t *testing.T) {
	lib, err := Open("examples/harbour")
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	for _, q := range []string{"rotate a key", "worker retries", "backup", "what is a lease", "install"} {
		plain, err := lib.Search(context.Background(), Query{Text: q, Limit: 4})
		if err != nil {
			t.Fatal(err)
		}
		wide, err := lib.Search(context.Background(), Query{Text: q, Limit: 4, Expand: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(wide.Hits) < len(plain.Hits) || len(wide.Hits) > 2*len(plain.Hits) {
			t.Fatalf("%q: %d hits, widened %d", q, len(plain.Hits), len(wide.Hits))
		}
		seen := map[string]bool{}
		for i, h := range wide.Hits {
			if i < len(plain.Hits) && h.Citation != plain.Hits[i].Citation {
				t.Errorf("%q: hit %d is %s, without expanding %s", q, i, h.Ref, plain.Hits[i].Ref)
			}
			if seen[h.Citation] {
				t.Errorf("%q: %s is there twice", q, h.Ref)
			}
			seen[h.Citation] = true
		}
	}
}

// Links into a file that vanishes lead nowhere, those into one that comes lead
// there, and no other file is touched.
func TestLinksFollowFiles(t *testing.T) {
	dir, index := t.TempDir(), filepath.Join(t.TempDir(), "index")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	broken := func() string {
		t.Helper()
		lib, err := OpenDir(context.Background(), dir, index, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		h, err := lib.Check(context.Background(), CheckOptions{Only: "broken-link,broken-anchor"})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, p := range h.Problems {
			out = append(out, p.Message)
		}
		return strings.Join(out, "; ")
	}
	write("a.md", "# A\n\n[b](b.md#two)\n")
	if got := broken(); got != "b.md#two leads nowhere" {
		t.Errorf("without b: %s", got)
	}
	write("b.md", "# B\n\n## One\n\nText.\n")
	if got := broken(); !strings.HasPrefix(got, `b.md has no section "two"`) {
		t.Errorf("with another heading: %s", got)
	}
	write("b.md", "# B\n\n## Two\n\nText.\n")
	if got := broken(); got != "" {
		t.Errorf("with b: %s", got)
	}
	if err := os.Rename(filepath.Join(dir, "b.md"), filepath.Join(dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	if got := broken(); got != "b.md#two leads nowhere" {
		t.Errorf("after renaming b: %s", got)
	}
}

func TestCompareVersions(t *testing.T) {
	lib := func(files ...string) []version {
		var out []version
		for i := 0; i < len(files); i += 2 {
			l := docsOf(t, map[string]string{files[i]: files[i+1]})
			d, err := l.document(files[i])
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, versionOf(d))
		}
		return out
	}
	for _, tt := range []struct {
		name          string
		before, after []version
		want          string
	}{
		{"nothing", lib("a.md", "# A\n\ntext\n"), lib("a.md", "# A\n\ntext\n"), ""},
		{"spaces and line ends do not count", lib("a.md", "# A\n\ntext here\n"), lib("a.md", "# A\r\n\r\ntext\r\nhere\r\n\r\n"), ""},
		{"a section changed", lib("a.md", "# A\n\n## B\n\none\n"), lib("a.md", "# A\n\n## B\n\ntwo\n"), "changed a.md#b"},
		{"a section added", lib("a.md", "# A\n\n## B\n\none\n"), lib("a.md", "# A\n\n## B\n\none\n\n## C\n\ntwo\n"), "added a.md#c"},
		{"a section removed", lib("a.md", "# A\n\n## B\n\none\n"), lib("a.md", "# A\n"), "removed a.md#b"},
		{"a heading renamed", lib("a.md", "# A\n\n## B\n\none\n"), lib("a.md", "# A\n\n## C\n\none\n"), "moved a.md#c from a.md#b"},
		{"a section moved", lib("a.md", "# A\n\n## B\n\none\n", "b.md", "# X\n"), lib("a.md", "# A\n", "b.md", "# X\n\n## B\n\none\n"), "moved b.md#b from a.md#b"},
		{"a file renamed", lib("a.md", "# A\n\ntext\n\n## B\n\none\n"), lib("z.md", "# A\n\ntext\n\n## B\n\none\n"), "moved z.md#a from a.md#a, moved z.md#b from a.md#b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range compareVersions(tt.before, tt.after) {
				s := c.Status + " " + c.Ref
				if c.Was != "" {
					s += " from " + c.Was
				}
				got = append(got, s)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("%s, want %s", s, tt.want)
			}
		})
	}
}

// document parses a file of the library.
func (l *Library) document(path string) (*doc.Document, error) {
	k, _, err := l.find(path)
	if err != nil {
		return nil, err
	}
	w, err := l.walk(k)
	if err != nil {
		return nil, err
	}
	_, err = w.summary(node{k.id(), 0})
	return w.docs[k.id()], err
}

func TestChangesSinceACommit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	docs := filepath.Join(dir, "docs")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(docs, 0o755); err != nil {
		t.Fatal(err)
	}
	write("a.md", "# A\n\n## One\n\ntext\n\n## Two\n\nmore\n")
	write("gone.md", "# Gone\n\nsoon\n")
	run("init", "-q")
	run("add", ".")
	run("commit", "-q", "-m", "first")
	write("a.md", "# A\n\n## One\n\nother text\n\n## Two\n\nmore\n")
	write("new.md", "# New\n\nhere\n")
	if err := os.Remove(filepath.Join(docs, "gone.md")); err != nil {
		t.Fatal(err)
	}
	lib, err := OpenDir(context.Background(), docs, filepath.Join(t.TempDir(), "index"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	c, err := lib.Changes(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	_ = c.WriteText(&got)
	lines := strings.Split(got.String(), "\n")
	want := []string{"changed  a.md#one  One", "removed  gone.md#gone  Gone", "added    new.md#new  New"}
	if !slices.Equal(lines[:len(lines)-2], want) {
		t.Errorf("got\n%s", got.String())
	}
	// Before the first commit there was nothing.
	if c, err := lib.Changes(context.Background(), "2001-01-01"); err != nil || c.Added != 4 || c.Changed+c.Removed != 0 {
		t.Errorf("before the first commit: %+v, %v", c, err)
	}
	// A time is the last commit before it; the one above was made just now.
	if c, err := lib.Changes(context.Background(), time.Now().Add(time.Hour).Format(time.RFC3339)); err != nil || c.Added != 1 {
		t.Errorf("since a time: %+v, %v", c, err)
	}
	if _, err := lib.Changes(context.Background(), "frobnicate"); err == nil || !strings.Contains(err.Error(), "understood are 2024-05-01") {
		t.Errorf("neither a name nor a time: %v", err)
	}
}
