package tool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/store"
	"github.com/docent-md/docent/internal/text/visible"
	"github.com/docent-md/docent/tool"
)

// oddNames are names of files that could be read as something else; %s is a word that
// no other has.
var oddNames = []string{
	`%s\b.md`, `a\%s/c\d.md`, `%s"quo'te.md`, "%s#hash.md", "%s.md#b.md", "C#/%s.md", "%s:colon.md", "%s.md:3.md", "%s.mdx:code-1.md",
	"%s%%20cent.md", "%s%%5Cc.md", "%s.md%%23b.md", "%s\u202ebidi.md", "%s\u200bzero.md", "\ufeff%s.md", "%s@abcdef.md", "%s.md@abcdef12.md",
	"%s::b.md", "%s space .md", " %s.md", "-%s.md", "..%s.md", "%s.md/d.md", "[%s].md", "*%s.md", "%s?q.md", "~%s.md", "%s.MD", "<b>%s.md",
	"%s&amp;.md", "`%s`.md", "$%s.md", "!%s.md", "%s.markdown.md", "e\u0301%s.md", "日本%s.md", "%s|pipe.md", "%s;x.md", "%s#L3.md", "%s.md#L3.md",
}

// oddWord is what is in every one of them.
var oddWord = regexp.MustCompile(`odd\d+z`)

// oddTree writes documents of odd names, each with a word of its own in it, and returns
// the names by that word.
func oddTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 11))
	patterns := append([]string{}, oddNames...)
	pieces := []string{`\`, "#", ":", "@", "%%", ".md", ".mdx", "3", "-", "L", "code-1", "::", "abcdef12", " ", "é", "\u202e", "'", "%%23", "?"}
	for range 80 {
		name := "%s"
		for range 1 + rng.IntN(6) {
			name += pieces[rng.IntN(len(pieces))]
		}
		patterns = append(patterns, name+".md")
	}
	names := map[string]string{}
	before := "index.md"
	for i, pattern := range patterns {
		word := fmt.Sprintf("odd%dz", i)
		name := fmt.Sprintf(pattern, word)
		text := fmt.Sprintf("# Head %s\n\n%s text, see [it](%s).\n\n## Step {#step:2}\n\nsteps\n\n### Line {#L3}\n\n```go\nfunc f%s() {}\n```\n",
			word, word, (&url.URL{Path: "/" + before}).EscapedPath(), word)
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		names[word] = name
		before = name
	}
	return names
}

// words are fields that hold text in which a name may occur.
var words = []string{"text", "body", "content", "message", "target", "title", "code", "before", "headings"}

// places calls found with the strings of a JSON value that are Refs or names of files.
func places(v any, key string, found func(ref string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			places(x, k, found)
		}
	case []any:
		for _, x := range v {
			places(x, key, found)
		}
	case string:
		if !slices.Contains(words, key) && oddWord.MatchString(v) && strings.Contains(strings.ToLower(v), ".md") {
			found(v)
		}
	}
}

// Every Ref that any operation answers with, as it is in records and as it is shown,
// leads back to the document it came from, whatever that is called. A file named a\b.md
// could be found and not be read, because backslashes were taken for slashes.
func TestEveryRefLeadsBack(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this file system has no such names")
	}
	docs := t.TempDir()
	names := oddTree(t, docs)
	for keeper, open := range map[string]func() (*docent.Library, error){
		"index": func() (*docent.Library, error) {
			return docent.OpenDir(t.Context(), docs, filepath.Join(t.TempDir(), "index"), docent.Options{})
		},
		"database": func() (*docent.Library, error) {
			file := filepath.Join(t.TempDir(), "docs.db")
			if _, err := store.IndexDB(t.Context(), file, nil, store.Options{Root: docs}); err != nil {
				return nil, err
			}
			return docent.OpenDB(t.Context(), file, docent.Options{})
		},
	} {
		t.Run(keeper, func(t *testing.T) {
			lib, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer lib.Close()
			from := map[string]string{} // Ref -> an operation that gave it
			call := func(name string, params map[string]string) {
				in, _ := json.Marshal(params)
				a, err := tool.Call(t.Context(), lib, name, in)
				if errors.Is(err, snapshot.ErrUnsupported) {
					return
				}
				if err != nil {
					t.Errorf("%s %s: %v", name, in, err)
					return
				}
				var v any
				b, err := json.Marshal(a)
				if err := errors.Join(err, json.Unmarshal(b, &v)); err != nil {
					t.Fatal(err)
				}
				places(v, "", func(ref string) { from[ref], from[visible.Line(ref)] = name, name+", shown" })
			}
			for _, name := range []string{"toc", "snippets", "list", "files", "ls", "check"} {
				call(name, nil)
			}
			for word, name := range names {
				call("search", map[string]string{"query": word})
				call("grep", map[string]string{"pattern": word})
				call("examples", map[string]string{"symbol": "f" + word})
				for _, op := range []string{"toc", "section", "read", "cite", "links", "related"} {
					call(op, map[string]string{"ref": name})
				}
				call("info", map[string]string{"file": name})
				call("node", map[string]string{"id": name})
			}
			if least := 5 * len(names); len(from) < least {
				t.Errorf("%d Refs, want %d: where are the others?", len(from), least)
			}
			for ref, op := range from {
				want := names[oddWord.FindString(ref)]
				got, err := lib.Read(t.Context(), ref, answer.ReadOptions{})
				if err != nil || got.File != want {
					t.Errorf("read %q, from %s: %v, %v; want %q", ref, op, got, err, want)
					continue
				}
				if _, anchor, ok := strings.Cut(ref, ".md#step"); ok && !strings.HasPrefix(got.Text, "## Step") && anchor == ":2" {
					t.Errorf("read %q: %q", ref, got.Text)
				}
				if s, err := lib.Section(t.Context(), ref, answer.SectionOptions{}); err != nil || s.Section.Source.File != want {
					t.Errorf("section %q, from %s: %v, %v; want %q", ref, op, s, err, want)
				}
			}
			t.Logf("%d Refs of %d documents", len(from), len(names))
		})
	}
}
