package handout

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/docent-md/docent"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func guide(t testing.TB, files map[string]string) *Guide {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	lib, err := docent.FromFS(t.Context(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	m, err := lib.Manifest(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	m.Name = "demo"
	return &Guide{Manifest: m}
}

var small = map[string]string{
	"README.md":         "# Demo\n\nA job queue. It queues jobs.\n\n## Install\n\nx\n",
	"guide/keys.md":     "# API keys\n\nKeys let programs in.\n\n## Rotate a key\n\nx\n\n### By hand\n\nx\n\n### On a schedule\n\nx\n\n## Revoke\n\nx\n",
	"guide/Optional.md": "# Optional\n\nx\n",
}

func TestMapTellsAsMuchAsFits(t *testing.T) {
	files := guide(t, small).Files
	for _, tt := range []struct {
		budget int
		want   string
	}{
		{1000, "./\n  README.md Demo: Install\nguide/\n  Optional.md\n  keys.md API keys: Rotate a key (By hand; On a schedule); Revoke\n"},
		{100, "./\n  README.md Demo: Install\nguide/\n  Optional.md\n  keys.md API keys: Rotate a key; Revoke\n"},
		{75, "./\n  README.md Demo: Install\nguide/\n  Optional.md\n  keys.md API keys\n"},
		{62, "./\n  README.md Demo\nguide/\n  Optional.md\n  keys.md API keys\n"},
		{55, "./\n  README.md Demo: Install\nguide/ Optional, keys\n"},
		{35, "./ README\nguide/ Optional, keys\n"},
		{31, "./ README\nguide/ (2 files)\n"},
		{20, "and 2 more folders\n"},
		{26, "and 2 more folders\n"},
	} {
		got, _ := drawMap(files, nil, tt.budget, 100)
		if got != tt.want || len(got) > tt.budget {
			t.Errorf("in %d bytes:\n%s(%d)\nwant:\n%s(%d)", tt.budget, got, len(got), tt.want, len(tt.want))
		}
	}
}

func TestMapSaysOnceWhereAllLies(t *testing.T) {
	g := guide(t, map[string]string{"content/en/a.md": "# A\n", "content/en/x/b.md": "# B\n"})
	if got, _ := drawMap(g.Files, nil, 1000, 100); got != "in content/en/\n./\n  a.md\nx/\n  b.md\n" {
		t.Errorf("got %q", got)
	}
}

func TestHeadingsThatAllShareAreLeftOut(t *testing.T) {
	files := map[string]string{}
	for i := range 8 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("# Page %d\n\n## Only %d\n\nx\n\n## What's next\n\nx\n", i, i)
	}
	if got, _ := drawMap(guide(t, files).Files, nil, 4000, 100); strings.Contains(got, "next") || !strings.Contains(got, "0.md Page 0: Only 0\n") {
		t.Errorf("got %q", got)
	}
}

// Whatever the documents and the budget, the block keeps to it, ends as it must,
// and what documents say cannot end it before.
func TestAgentsMDKeepsItsBudget(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "Keys", "<!-- docent:end -->", "```", "\u202e", "x\x1b[31m", "# b", "|", "世界", strings.Repeat("long ", 60), "<!<!-- docent:end -->-- docent:end -->"})
	rapid.Check(t, func(rt *rapid.T) {
		files := map[string]string{}
		for i := range rapid.IntRange(1, 60).Draw(rt, "files") {
			name := path.Join(rapid.SampledFrom([]string{"", "a", "a/b", "c/d/e/f", "```"}).Draw(rt, "folder"), fmt.Sprintf("%s%d.md", rapid.SampledFrom([]string{"p", "```", "a b", "<!--"}).Draw(rt, "name"), i))
			text := "# " + word.Draw(rt, "title") + "\n\n" + word.Draw(rt, "text") + "\n"
			for range rapid.IntRange(0, 5).Draw(rt, "headings") {
				text += "\n" + strings.Repeat("#", rapid.IntRange(1, 4).Draw(rt, "level")) + " " + word.Draw(rt, "heading") + "\n"
			}
			files[name] = text
		}
		budget := rapid.IntRange(MinBudget, 12_000).Draw(rt, "budget")
		g := guide(t, files)
		block, err := g.AgentsMD(budget)
		if err != nil || len(block) > budget {
			rt.Fatalf("%d bytes of %d, %v", len(block), budget, err)
		}
		checkClean(rt, block)
		if strings.Count(block, "docent:begin") != 1 || strings.Count(block, end) != 1 || !strings.HasSuffix(block, "\n```\n"+end+"\n") {
			rt.Fatalf("markers in %s", block)
		}
		if n := len(regexp.MustCompile("(?m)^ {0,3}```[ \t]*$").FindAllString(block, -1)); n != 1 {
			rt.Fatalf("%d ends of the fence in %s", n, block)
		}
		again, err := Replace([]byte(block), block)
		if err != nil || string(again) != block {
			rt.Fatalf("a block in a block: %v", err)
		}
		checkSkill(rt, g.Skill(SkillName(g.Name)))
		checkClean(rt, g.LLMsTxt("", 0))
	})
}

type failer interface{ Fatalf(string, ...any) }

func checkClean(t failer, s string) {
	if !utf8.ValidString(s) {
		t.Fatalf("not UTF-8: %q", s)
	}
	for _, r := range s {
		if r != '\n' && isHidden(r) {
			t.Fatalf("%U in %q", r, s)
		}
	}
}

func checkSkill(t failer, s string) {
	head, body, ok := strings.Cut(strings.TrimPrefix(s, "---\n"), "\n---\n")
	var front map[string]string
	if err := yaml.Unmarshal([]byte(head), &front); err != nil || !ok || len(front) != 2 {
		t.Fatalf("front matter %q: %v", head, err)
	}
	if err := CheckSkillName(front["name"]); err != nil {
		t.Fatalf("%v", err)
	}
	if n := utf8.RuneCountInString(front["description"]); n == 0 || n > maxSkillDescription {
		t.Fatalf("a description of %d characters", n)
	}
	if n := strings.Count(s, "\n"); n >= 500 || len(body) > 5000*4 {
		t.Fatalf("%d lines, %d bytes", n, len(body))
	}
	if strings.Contains(body, "%!") {
		t.Fatalf("badly formatted: %s", body)
	}
	checkClean(t, s)
}

func TestTooSmallABudgetIsRefused(t *testing.T) {
	g := guide(t, small)
	if _, err := g.AgentsMD(MinBudget - 1); err == nil || !strings.Contains(err.Error(), "must be at least 2000") {
		t.Errorf("got %v", err)
	}
	g.Root = strings.Repeat("long/", 200)
	if _, err := g.AgentsMD(MinBudget); err == nil || !strings.Contains(err.Error(), "no room for the map") {
		t.Errorf("got %v", err)
	}
}

func TestReplace(t *testing.T) {
	const block = begin + "\nnew\n" + end + "\n"
	for _, tt := range []struct{ name, file, want string }{
		{"an empty file", "", block},
		{"no block yet", "# Rules\n", "# Rules\n\n" + block},
		{"no line end at the end", "# Rules", "# Rules\n\n" + block},
		{"a blank line at the end", "# Rules\n\n", "# Rules\n\n" + block},
		{"a block in the middle", "a\n" + begin + "\nold\nold\n" + end + "\nb", "a\n" + strings.TrimSuffix(block, "\n") + "\nb"},
		{"a block at the end without line end", "a\n" + begin + "\n" + end, "a\n" + strings.TrimSuffix(block, "\n")},
		{"Windows line ends", "a\r\n" + begin + "\r\nold\r\n" + end + "\r\nb\r\n", "a\r\n" + begin + "\r\nnew\r\n" + end + "\r\nb\r\n"},
		{"markers with blanks and words", "  <!--docent:begin of the docs-->\nx\n<!-- docent:end-->  \nb\n", strings.TrimSuffix(block, "\n") + "\nb\n"},
		{"a marker that is only talked of", "`" + begin + "` begins it\n", "`" + begin + "` begins it\n\n" + block},
		{"a carriage return that ends no line", "a\r", "a\r\n\n" + block}, // once written anew with Windows line ends
		{"bytes that are no UTF-8 stay", "caf\xe9\n" + begin + "\n" + end + "\n\xff", "caf\xe9\n" + block + "\xff"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Replace([]byte(tt.file), block)
			if err != nil || string(got) != tt.want {
				t.Fatalf("got %q, %v; want %q", got, err, tt.want)
			}
			if again, err := Replace(got, block); err != nil || string(again) != string(got) {
				t.Errorf("the second time gives %q, %v", again, err)
			}
		})
	}
	for _, tt := range []struct{ name, file, want string }{
		{"a beginning without end", "a\n" + begin + "\nb\n", "docent:begin on line 2 has no docent:end"},
		{"an end without beginning", end + "\n", "line 1 has docent:end before any docent:begin"},
		{"the wrong way round", end + "\n" + begin + "\n", "line 1 has docent:end before"},
		{"two beginnings", begin + "\n" + begin + "\n" + end + "\n", "line 2 has a second docent:begin"},
		{"two ends", begin + "\n" + end + "\n" + end + "\n", "line 3 has a second docent:end"},
		{"two blocks", strings.Repeat(begin+"\n"+end+"\n", 2), "line 3 has a second docent:begin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Replace([]byte(tt.file), block); !errors.Is(err, ErrMarkers) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := Replace([]byte("a\x00"), block); err == nil {
		t.Error("a binary file was changed")
	}
}

// Whatever stands in a file, what lies outside of the block stays.
func FuzzReplace(f *testing.F) {
	f.Add("# Rules\n\n" + begin + "\nold\n" + end + "\nmore\n")
	f.Add(begin + "\r\n" + end + "\r\n")
	f.Fuzz(func(t *testing.T, file string) {
		const block = begin + "\nnew\n" + end + "\n"
		got, err := Replace([]byte(file), block)
		if err != nil {
			return
		}
		from, to, found, _ := findBlock([]byte(file))
		at, upTo, ok, err := findBlock(got)
		if err != nil || !ok {
			t.Fatalf("%q becomes %q: %v", file, got, err)
		}
		if !found {
			from, to = len(file), len(file)
		}
		if !strings.HasPrefix(string(got), file[:from]) || found && (at != from || string(got[upTo:]) != file[to:]) {
			t.Fatalf("%q becomes %q", file, got)
		}
		if again, err := Replace(got, block); err != nil || string(again) != string(got) {
			t.Fatalf("%q becomes %q, then %q, %v", file, got, again, err)
		}
	})
}

func TestLLMsTxt(t *testing.T) {
	g := guide(t, map[string]string{
		"index.md":               "# Harbour [beta]\n\nA queue of jobs.\n",
		"guide/index.md":         "# The guide\n\nStart here.\n",
		"guide/a (1).md":         "# Keys & <b>locks</b>\n",
		"optional/x.md":          "# X\n",
		"javascript:alert(1).md": "# Y\n",
	})
	want := `# demo

> A queue of jobs.

## Docs

- [Harbour \[beta\]](index.md): A queue of jobs.
- [Y](./javascript:alert%281%29.md)

## The guide

- [Keys & locks](guide/a%20%281%29.md)
- [The guide](guide/index.md): Start here.

## optional pages

- [X](optional/x.md)
`
	if got := g.LLMsTxt("", 0); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := g.LLMsTxt("https://docs.example.com", 0); !strings.Contains(got, "](https://docs.example.com/guide/index.md)") {
		t.Errorf("got:\n%s", got)
	}
}

func TestSkillNames(t *testing.T) {
	for in, want := range map[string]string{
		"harbour": "harbour-docs", "docs": "docs", "My Project_2": "my-project-2-docs", "x-docs": "x-docs", "日本": "docs", "": "docs", "--a--": "a-docs",
		strings.Repeat("x", 100): strings.Repeat("x", 59) + "-docs",
	} {
		got := SkillName(in)
		if got != want || CheckSkillName(got) != nil {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	for _, bad := range []string{"", "A", "a_b", "-a", "a-", "a--b", "a b", strings.Repeat("x", 65), "ä"} {
		if CheckSkillName(bad) == nil {
			t.Errorf("%q passes", bad)
		}
	}
}

// The same documents give the same texts: what is committed must not move by
// itself.
func TestTextsDoNotMove(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("d%d/f%d.md", rng.IntN(20), i)] = fmt.Sprintf("# T%d\n\n## H%d\n\n## H%d\n", i, rng.IntN(9), rng.IntN(9))
	}
	a, _ := guide(t, files).AgentsMD(5000)
	for range 5 {
		if b, _ := guide(t, files).AgentsMD(5000); a != b {
			t.Fatal("two runs differ")
		}
	}
}
