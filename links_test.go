package docent_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/needs"
)

// What an answer says of links is of the files as they are: also where an index of many
// files was compared with them a moment ago, and is not compared again.
func TestLinksNameNoFileThatIsGone(t *testing.T) {
	for _, c := range []struct {
		name string
		ask  func(*docent.Library) (any, error)
	}{
		{"section", func(l *docent.Library) (any, error) {
			return l.Section(t.Context(), "b.md", answer.SectionOptions{Around: true})
		}},
		{"links", func(l *docent.Library) (any, error) { return l.Links(t.Context(), "b.md", 3) }},
		{"related", func(l *docent.Library) (any, error) { return l.Related(t.Context(), "b.md", 0) }},
		{"node", func(l *docent.Library) (any, error) { return l.Node(t.Context(), "b.md") }},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"from.md": "# From\n\nSee [b](b.md).\n", "b.md": "# B\n\nSee [to](to.md) and [part](to.md#nope).\n",
			"to.md": "# To\n\nSee [on](onward.md).\n", "onward.md": "# Onward\n",
		} {
			writeFile(t, filepath.Join(dir, name), text)
		}
		lib := openIn(t, dir)
		ask := func() string {
			t.Helper()
			v, err := c.ask(lib)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			return asJSON(t, v)
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
	}
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
	ctx := t.Context()
	links, err := lib.Links(ctx, "a.md", 5)
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
	h, err := lib.Check(ctx, answer.CheckOptions{Only: "broken-anchor"})
	if err != nil || h.Errors == 0 || h.Errors > 10_000 {
		t.Errorf("%d errors, %v", h.Errors, err)
	}
	a, err := lib.Search(ctx, answer.Query{Text: "B", Limit: 1, Expand: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, hit := range a.Hits {
		if (hit.Via != nil) != (i > 0) {
			t.Errorf("hit %d: through %v", i, hit.Via)
		}
	}
}

// What a check is not asked for is not looked for: what it is asked for must come out the
// same as among all problems.
func TestCheckOfOneKind(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"index.md": "# Start\n\n[gone](gone.md), [part](b.md#nope), [out](../../x.md), ![p](p.png), [f](f.zip), see section 2.1.\n",
		"b.md":     "# B\n\n## Same\n\n## Same\n\n[start](index.md)\n", "sub/b.md": "# B\n\n[gone](gone.md)\n",
	} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	lib := openIn(t, dir)
	all, err := lib.Check(t.Context(), answer.CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"", "sub/*.md"} {
		for _, kind := range answer.ProblemKinds() {
			want := slices.DeleteFunc(slices.Clone(all.Problems), func(p answer.Problem) bool {
				return p.Kind != kind || file != "" && !strings.HasPrefix(p.File, "sub/")
			})
			got, err := lib.Check(t.Context(), answer.CheckOptions{Only: kind, File: file})
			if err != nil || !slices.Equal(got.Problems, want) {
				t.Errorf("%s in %q: %v, not %v; %v", kind, file, got.Problems, want, err)
			}
			if file == "" && len(want) == 0 {
				t.Errorf("%s: the test shows nothing", kind)
			}
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
	ctx := t.Context()
	h, err := lib.Check(ctx, answer.CheckOptions{})
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
	links, err := lib.Links(ctx, "large.md", 5)
	if err != nil || len(links.Reached) != 500 {
		t.Errorf("%d reached, %v", len(links.Reached), err)
	}
	if links, err = lib.Links(ctx, "large.md#section-1", 3); err != nil || len(links.Reached) != 3 || links.Reached[2].SectionID != "large.md#section-343" {
		t.Errorf("reached %v, %v", links.Reached, err)
	}
	if _, err := lib.Related(ctx, "large.md", 10); err != nil {
		t.Error(err)
	}
	if a, err := lib.Search(ctx, answer.Query{Text: "thing", Limit: 50, Expand: 3}); err != nil || len(a.Hits) != 100 {
		t.Errorf("%d hits, %v", len(a.Hits), err)
	}
}

// An expanded answer begins with the answer as it is without.
func TestExpandDisplacesNothing(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	for _, q := range []string{"rotate a key", "worker retries", "backup", "what is a lease", "install"} {
		plain, wide := ask(t, lib, answer.Query{Text: q, Limit: 4}), ask(t, lib, answer.Query{Text: q, Limit: 4, Expand: 2})
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
		writeFile(t, filepath.Join(dir, name), text)
	}
	broken := func() string {
		t.Helper()
		lib, err := docent.OpenDir(t.Context(), dir, index, docent.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		h, err := lib.Check(t.Context(), answer.CheckOptions{Only: "broken-link,broken-anchor"})
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

func TestChangesSinceACommit(t *testing.T) {
	git := needs.Tool(t, "git")
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(git, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	docs := filepath.Join(dir, "docs")
	write := func(name, text string) {
		t.Helper()
		writeFile(t, filepath.Join(docs, name), text)
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
	lib := openIn(t, docs)
	c, err := lib.Changes(t.Context(), "")
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
	if c, err := lib.Changes(t.Context(), "2001-01-01"); err != nil || c.Added != 4 || c.Changed+c.Removed != 0 {
		t.Errorf("before the first commit: %+v, %v", c, err)
	}
	// A time is the last commit before it; the one above was made just now.
	if c, err := lib.Changes(t.Context(), time.Now().Add(time.Hour).Format(time.RFC3339)); err != nil || c.Added != 1 {
		t.Errorf("since a time: %+v, %v", c, err)
	}
	if _, err := lib.Changes(t.Context(), "frobnicate"); err == nil || !strings.Contains(err.Error(), "understood are 2024-05-01") {
		t.Errorf("neither a name nor a time: %v", err)
	}
}
