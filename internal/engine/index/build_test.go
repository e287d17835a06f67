package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/blob"
	"github.com/google/go-cmp/cmp"
)

func mustBuild(t testing.TB, texts []Text, workers int) *Reader {
	t.Helper()
	parts, err := Build(len(texts), func(i int) Text { return texts[i] }, workers)
	if err != nil {
		t.Fatal(err)
	}
	r, err := inMemory(parts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// dump writes out all lists: key, postings with their counts, and whose list it
// is if not the key's own.
func dump(t testing.TB, r *Reader) string {
	t.Helper()
	var b strings.Builder
	for _, d := range []*dictionary{&r.terms, &r.words} {
		s := d.scan(0)
		for s.next() {
			l, err := r.list(s.entry)
			if err != nil {
				t.Fatal(err)
			}
			ps, err := l.appendPostings(nil)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s", s.key)
			if s.entry.alias >= 0 {
				fmt.Fprintf(&b, " = term %d", s.entry.alias)
			}
			for _, p := range ps {
				fmt.Fprintf(&b, " %d:%d,%d,%d", p.num, p.title(), p.headings(), p.body())
			}
			b.WriteByte('\n')
		}
		if s.err != nil {
			t.Fatal(s.err)
		}
		b.WriteString("--\n")
	}
	return b.String()
}

func TestWhatIsIndexed(t *testing.T) {
	r := mustBuild(t, []Text{
		{Title: "Controllers", Body: "a controller for kube-proxy addEventListener", Rest: "http url"},
		{Title: "Nodes", Headings: "Controllers", Body: "node kubeProxy"},
	}, 2)
	want := strings.ReplaceAll(`a 0:0,0,1
		addeventlistener 0:0,0,1
		controller 0:0,0,1
		controllers 0:1,0,0 1:0,1,0
		for 0:0,0,1
		http 0:0,0,0
		kube 0:0,0,1
		kubeproxy 1:0,0,1
		node 1:0,0,1
		nodes 1:1,0,0
		proxy 0:0,0,1
		url 0:0,0,0
		--
		add 0:0,0,1
		addeventlisten = term 1 0:0,0,1
		control 0:1,0,1 1:0,1,0
		event 0:0,0,1
		kube 0:0,0,1 1:0,0,1
		kubeproxi 0:0,0,1 1:0,0,1
		listen 0:0,0,1
		node 1:1,0,1
		proxi 0:0,0,1 1:0,0,1
		--
		`, "\t", "")
	if d := cmp.Diff(want, dump(t, r)); d != "" {
		t.Error(d)
	}
}

// The bytes of an index are the same on every machine and from release to
// release. If this fails because the format or what goes into it was changed,
// raise Version and say so beside it.
func TestFormatIsUnchanged(t *testing.T) {
	h := sha256.New()
	for _, p := range partsOf(t, randomTexts(rand.New(rand.NewPCG(8, 8)), 500), 2) {
		fmt.Fprintf(h, "%s %d\n", p.Name, len(p.Data))
		h.Write(p.Data)
	}
	const want = "1ac4c0f0dfe535c7"
	if got := hex.EncodeToString(h.Sum(nil))[:16]; got != want {
		t.Errorf("the parts have hash %s, want %s", got, want)
	}
}

// inMemory opens parts as Build and Merge return them.
func inMemory(parts []Part) (*Reader, error) {
	return Open(func(name string) (blob.Blob, error) {
		for _, p := range parts {
			if p.Name == name {
				return blob.Memory(p.Data), nil
			}
		}
		return nil, fmt.Errorf("%w: no part %q", ErrDamaged, name)
	})
}
