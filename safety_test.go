package docent

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_ = os.Symlink(secret, filepath.Join(docs, "link.md"))
	_ = os.Symlink(top, filepath.Join(docs, "linked"))
	lib, err := OpenDir(context.Background(), docs, filepath.Join(top, "index"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	all := payloads(secret)
	if len(all) < 1000 {
		t.Fatalf("only %d payloads", len(all))
	}
	for _, p := range all {
		if text, err := lib.Read(p, ReadOptions{}); err == nil || strings.Contains(text, canary) {
			t.Errorf("Read(%q) = %q, %v", p, text, err)
		}
		if o, err := lib.Outline(t.Context(), p, 0); err == nil && p != "" {
			t.Errorf("Outline(%q) = %+v", p, o)
		}
		if f, err := lib.Info(p); err == nil {
			t.Errorf("Info(%q) = %+v", p, f)
		}
		if v, err := lib.Verify(p + ":1-2@abcdef"); err == nil && v.Status != Gone {
			t.Errorf("Verify(%q) = %+v", p, v)
		}
		if m, err := lib.Grep(canary, GrepOptions{Glob: p}); len(m) > 0 {
			t.Errorf("Grep with glob %q = %+v, %v", p, m, err)
		}
	}
	if m, err := lib.Grep(canary, GrepOptions{}); err != nil || len(m) > 0 {
		t.Errorf("Grep = %+v, %v", m, err)
	}
}

// A Ref that does not exist answers with those that come nearest.
func TestNearestRefs(t *testing.T) {
	lib, err := OpenDir(context.Background(), filepath.Join("examples", "harbour"), filepath.Join(t.TempDir(), "index"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	for _, tt := range []struct {
		ref, want string
		is        error
	}{
		{"guide/kes.md", "guide/keys.md", ErrNotFound},
		{"keys.md", "guide/keys.md", ErrNotFound},
		{"guide/keys.md#rotate-the-key", "guide/keys.md#rotate-a-key", ErrNoSection},
		{"guide/keys.md::Rotate the key", "guide/keys.md#rotate-a-key", ErrNoSection},
		{"guide/keys.md:code-99", "", ErrNoSection},
	} {
		_, err := lib.Read(tt.ref, ReadOptions{})
		missing, ok := errors.AsType[*NotFoundError](err)
		if !ok || !errors.Is(err, tt.is) {
			t.Errorf("Read(%q): %v", tt.ref, err)
		} else if tt.want != "" && (len(missing.Nearest) == 0 || missing.Nearest[0] != tt.want) {
			t.Errorf("Read(%q): nearest %q, want %q first", tt.ref, missing.Nearest, tt.want)
		}
	}
	_, err = lib.Read("billing/nope.md", ReadOptions{})
	if err == nil || err.Error() != "docent: document not found: billing/nope.md" {
		t.Errorf("got %v", err)
	}
}

// All the ways to name a section lead to the same lines.
func TestWaysToNameASection(t *testing.T) {
	lib, err := OpenDir(context.Background(), filepath.Join("examples", "harbour"), filepath.Join(t.TempDir(), "index"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	want, err := lib.resolve("reference/http-api.md#52-rotate-a-key")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{
		"reference/http-api.md::5.2 Rotate a key", "reference/http-api.md#5.2 rotate a key", "reference/http-api.md::5.2",
		"./reference/http-api.md#52-Rotate-a-key", "/reference/http-api.md#52-rotate-a-key",
		fmt.Sprintf("reference/http-api.md:%d-%d", want.lines.Start, want.lines.End),
		fmt.Sprintf("reference/http-api.md#L%d-L%d", want.lines.Start, want.lines.End),
	} {
		got, err := lib.resolve(ref)
		if err != nil || got.lines != want.lines {
			t.Errorf("%s: %v, %v; want %v", ref, got.lines, err, want.lines)
		}
	}
}

// No answer is larger than its budget, whatever is asked, and any text at all is
// a question.
func TestBudgetIsKept(t *testing.T) {
	lib, err := OpenDir(context.Background(), filepath.Join("examples", "harbour"), filepath.Join(t.TempDir(), "index"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds(300, 5000) {
		q := Query{Text: randomQuestion(rng), Budget: MinBudget + rng.IntN(3000), Limit: rng.IntN(10), Explain: rng.IntN(8) == 0}
		a, err := lib.Search(context.Background(), q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		b := &strings.Builder{}
		if err := a.WriteText(b); err != nil {
			t.Fatal(err)
		}
		if n := lib.policy.Count([]byte(b.String())); n > q.Budget {
			t.Fatalf("%+v: %d tokens:\n%s", q, n, b)
		}
		r, err := lib.ReadPlace(t.Context(), "guide/keys.md", ReadOptions{Budget: q.Budget})
		if err != nil {
			t.Fatal(err)
		}
		b.Reset()
		_ = r.WriteText(b)
		if n := lib.policy.Count([]byte(b.String())); n > q.Budget {
			t.Fatalf("read with a budget of %d: %d tokens", q.Budget, n)
		}
	}
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
	if _, err := lib.Pack(context.Background(), file, PackOptions{}); err != nil {
		t.Fatal(err)
	}
	_ = lib.Close()
	blob, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := FromBlob(blob)
	if err != nil {
		t.Fatal(err)
	}
	want := mustTranscript(t, whole)
	for i := range rounds(150, 5000) {
		hurt := damage(g.rng, blob)
		lib, err := FromBlob(hurt)
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
	if _, err := FromBlob(blob[:len(blob)/2]); err == nil {
		t.Error("half a pack was accepted")
	}
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
	if _, err := lib2.Pack(context.Background(), file, PackOptions{Vectors: true}); err != nil {
		t.Fatal(err)
	}
	packed, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	if mustTranscript(t, packed) != mustTranscript(t, lib2) {
		t.Error("the pack answers otherwise than the folder")
	}
	if VerifyPack(file) != nil {
		t.Error("the pack is not whole")
	}
}

// Whatever is given as a Ref, resolving it gives a place or an error.
func FuzzResolve(f *testing.F) {
	lib, err := OpenDir(context.Background(), filepath.Join("examples", "harbour"), filepath.Join(f.TempDir(), "index"), Options{})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"guide/keys.md#rotate-a-key:code-1", "guide/keys.md:3-9@abcdef", "faq.md::x::2", "a#b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := lib.resolve(s)
		if err == nil && (p.lines.Start < 1 || p.path == "") {
			t.Fatalf("resolve(%q) = %+v", s, p)
		}
	})
}
