package index

import (
	"bytes"
	"fmt"
	"testing"
)

func mustBuild(t testing.TB, texts []Text, workers int) *Reader {
	t.Helper()
	parts, err := Build(len(texts), func(i int) Text { return texts[i] }, workers)
	if err != nil {
		t.Fatal(err)
	}
	r, err := InMemory(parts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func dump(t testing.TB, r *Reader) string {
	var b bytes.Buffer
	for _, d := range []*dictionary{&r.terms, &r.words} {
		for s := d.scan(0); s.next(); {
			l, err := r.list(s.entry)
			if err != nil {
				t.Fatal(err)
			}
			ps, err := l.appendPostings(nil)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %d/%d a%d:", s.key, s.entry.n, s.entry.unranked, s.entry.alias)
			for _, p := range ps {
				fmt.Fprintf(&b, " %d(%d,%d,%d)", p.num, p.title(), p.headings(), p.body())
			}
			b.WriteByte('\n')
		}
		b.WriteString("--\n")
	}
	return b.String()
}

func TestDump(t *testing.T) {
	r := mustBuild(t, []Text{{Title: "Controllers", Body: "a controller for kube-proxy addEventListener", Rest: "http url"}, {Title: "Nodes", Headings: "Controllers", Body: "node kubeProxy"}}, 2)
	t.Log(dump(t, r))
}
