package docent_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/library/pack"
)

// payloads are a thousand names that try to leave the corpus.
func payloads(secret string) []string {
	up := []string{"../", `..\`, "%2e%2e/", "..%2f", "..%5c", "....//", "..;/", "./../", "a/../../", "\u2025/", "..\x00/", "%c0%ae%c0%ae/", "file://../", "//..//"}
	tails := []string{"secret.md", secret, "secret.md#x", "secret.md:1-2", "link.md", "linked/secret.md", "secret.md::Secret", "secret.md\x00.md", ":(top)secret.md"}
	var out []string
	for _, u := range up {
		for n := 1; n <= 8; n++ {
			for _, tail := range tails {
				out = append(out, strings.Repeat(u, n)+tail)
			}
		}
	}
	return append(out, secret, "/"+secret, `\\server\share\secret.md`, `C:\secret.md`, "~/secret.md", "file://"+secret, "link.md", "linked/secret.md",
		"./link.md", "pipe.md", strings.Repeat("a/", 5000)+"secret.md", "")
}

// No name, however written, reaches a file outside the corpus.
func TestNoNameLeadsOutside(t *testing.T) {
	top := t.TempDir()
	secret := filepath.Join(top, "secret.md")
	const canary = "canary-7f3a"
	docs := filepath.Join(top, "docs")
	for path, text := range map[string]string{
		secret:                             "# Secret\n\n" + canary + "\n",
		filepath.Join(docs, "a.md"):        "# A\n\nText.\n",
		filepath.Join(docs, "sub", "b.md"): "# B\n\nText.\n",
	} {
		writeFile(t, path, text)
	}
	_ = os.Symlink(secret, filepath.Join(docs, "link.md"))
	_ = os.Symlink(top, filepath.Join(docs, "linked"))
	lib := openAt(t, docs, filepath.Join(top, "index"), docent.Options{})
	all := payloads(secret)
	if len(all) < 1000 {
		t.Fatalf("only %d payloads", len(all))
	}
	for _, p := range all {
		if r, err := lib.Read(t.Context(), p, answer.ReadOptions{}); err == nil {
			t.Errorf("Read(%q) = %+v", p, r)
		}
		if o, err := lib.Outline(t.Context(), p, 0); err == nil && p != "" {
			t.Errorf("Outline(%q) = %+v", p, o)
		}
		if f, err := lib.Info(t.Context(), p); err == nil {
			t.Errorf("Info(%q) = %+v", p, f)
		}
		if v, err := lib.Verify(t.Context(), p+":1-2@abcdef"); err == nil && v.Status != answer.Gone {
			t.Errorf("Verify(%q) = %+v", p, v)
		}
		if m, err := lib.Grep(t.Context(), canary, answer.GrepOptions{Glob: p}); err == nil && m.Total > 0 {
			t.Errorf("Grep with glob %q = %+v", p, m)
		}
	}
	if m, err := lib.Grep(t.Context(), canary, answer.GrepOptions{}); err != nil || m.Total > 0 {
		t.Errorf("Grep = %+v, %v", m, err)
	}
	cases.Tried(t, "S1", 5*len(all))
}

// A Ref that does not exist answers with those that come nearest.
func TestNearestRefs(t *testing.T) {
	lib := openIn(t, filepath.Join("examples", "harbour"))
	for _, tt := range []struct {
		ref, want string
		is        error
	}{
		{"guide/kes.md", "guide/keys.md", answer.ErrNotFound},
		{"kes.md", "guide/keys.md", answer.ErrNotFound},
		{"guide/keys.md#rotate-the-key", "guide/keys.md#rotate-a-key", answer.ErrNoSection},
		{"guide/keys.md::Rotate the key", "guide/keys.md#rotate-a-key", answer.ErrNoSection},
		{"guide/keys.md:code-99", "", answer.ErrNoSection},
	} {
		_, err := lib.Read(t.Context(), tt.ref, answer.ReadOptions{})
		missing, ok := errors.AsType[*answer.NotFoundError](err)
		if !ok || !errors.Is(err, tt.is) {
			t.Errorf("Read(%q): %v", tt.ref, err)
		} else if tt.want != "" && (len(missing.Nearest) == 0 || missing.Nearest[0] != tt.want) {
			t.Errorf("Read(%q): nearest %q, want %q first", tt.ref, missing.Nearest, tt.want)
		}
	}
	_, err := lib.Read(t.Context(), "billing/nope.md", answer.ReadOptions{})
	if err == nil || err.Error() != "document not found: billing/nope.md" {
		t.Errorf("got %v", err)
	}
}

// No answer is larger than its budget, whatever is asked, and any text at all is
// a question.
func TestBudgetIsKept(t *testing.T) {
	lib := openIn(t, filepath.Join("examples", "harbour"))
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rounds(300, 5000) {
		q := answer.Query{Text: randomQuestion(rng), Budget: answer.MinBudget + rng.IntN(3000), Limit: rng.IntN(10), Explain: rng.IntN(8) == 0}
		if i%20 != 0 { // the model in the program takes far longer than all the rest
			q.Rerank = answer.RerankOff
		}
		a, err := lib.Search(t.Context(), q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		b := &strings.Builder{}
		if err := a.WriteText(b); err != nil {
			t.Fatal(err)
		}
		if n := tokens(t, b.String()); n > q.Budget {
			t.Fatalf("%+v: %d tokens:\n%s", q, n, b)
		}
		r, err := lib.Read(t.Context(), "guide/keys.md", answer.ReadOptions{Budget: q.Budget})
		if err != nil {
			t.Fatal(err)
		}
		b.Reset()
		_ = r.WriteText(b)
		if n := tokens(t, b.String()); n > q.Budget {
			t.Fatalf("read with a budget of %d: %d tokens", q.Budget, n)
		}
	}
	cases.Tried(t, "M6", rounds(300, 5000))
}

// Any text is a question, by whichever way it is asked: none fails.
func TestAnyTextIsAQuestion(t *testing.T) {
	lib := openIn(t, filepath.Join("examples", "harbour"))
	rng := rand.New(rand.NewPCG(3, 4))
	modes := []string{"", "lexical", "semantic"}
	n := rounds(1000, 1_000_000)
	for i := range n {
		q := answer.Query{Text: randomQuestion(rng), Mode: modes[i%len(modes)]}
		if i%200 >= 4 { // the model in the program takes far longer than all the rest
			q.Rerank = answer.RerankOff
		}
		if i%50 == 0 { // bytes without any sense
			b := make([]byte, rng.IntN(300))
			for j := range b {
				b[j] = byte(rng.IntN(256))
			}
			q.Text = string(b)
		}
		if _, err := lib.Search(t.Context(), q); err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
	}
	cases.Tried(t, "P7", n)
}

func randomQuestion(rng *rand.Rand) string {
	const odd = "-'\"*^(){}:[]\\/!?#~@\x00\xff\n é漢字"
	b := &strings.Builder{}
	for range rng.IntN(8) {
		switch rng.IntN(6) {
		case 0:
			b.WriteByte(odd[rng.IntN(len(odd))])
		case 1:
			b.WriteString([]string{"path:", "title:", "-", `"`, "--"}[rng.IntN(5)])
		default:
			b.WriteString(vocabulary[rng.IntN(len(vocabulary))])
		}
		if rng.IntN(3) > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// A pack that was cut or changed is refused with the reason, or answers as if it
// were not.
func TestDamagedPack(t *testing.T) {
	g := newGarden(t, 23, 10)
	lib := g.open(filepath.Join(t.TempDir(), "index"))
	file := filepath.Join(t.TempDir(), "docs.docent")
	if _, err := lib.Pack(t.Context(), file, answer.PackOptions{}); err != nil {
		t.Fatal(err)
	}
	_ = lib.Close()
	blob, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := docent.FromBlob(blob)
	if err != nil {
		t.Fatal(err)
	}
	want := mustTranscript(t, whole)
	for i := range rounds(150, 5000) {
		hurt := damage(g.rng, blob)
		lib, err := docent.FromBlob(hurt)
		if err == nil {
			var got string
			if got, err = transcript(lib); err == nil && got != want {
				t.Fatalf("damage %d: other answers", i)
			}
		}
		if err != nil && err.Error() == "" {
			t.Fatalf("damage %d: no reason given", i)
		}
	}
	if _, err := docent.FromBlob(blob[:len(blob)/2]); err == nil {
		t.Error("half a pack was accepted")
	}
	cases.Tried(t, "R6", rounds(150, 5000))
}

// A pack and the folder it was made from give the same answers.
func TestPackEqualsFolder(t *testing.T) {
	g := newGarden(t, 29, 25)
	lib := g.open(filepath.Join(t.TempDir(), "index"))
	defer lib.Close()
	g.step()
	lib2 := g.open(filepath.Join(t.TempDir(), "index2"))
	defer lib2.Close()
	file := filepath.Join(t.TempDir(), "docs.docent")
	if _, err := lib2.Pack(t.Context(), file, answer.PackOptions{Vectors: true}); err != nil {
		t.Fatal(err)
	}
	packed, err := docent.Open(t.Context(), file, docent.Options{})
	opened(t, packed, err)
	if mustTranscript(t, packed) != mustTranscript(t, lib2) {
		t.Error("the pack answers otherwise than the folder")
	}
	if pack.Verify(file) != nil {
		t.Error("the pack is not whole")
	}
}
