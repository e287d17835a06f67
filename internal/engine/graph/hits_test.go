package graph

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Looking for all marks at once finds what looking for one after another does.
func TestMarksAreFoundTogether(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"section", "Section", " Chapter 3", "appendix", "Annex", "annex", "§ 2", " id=x", " name=y", "{#id}", "{: #id}", " ^ref", "ct", "pp", "nn",
		"c", "p", "t", "n", "=", "{", "^", "\xc2", "\xff", "\x00", "\x01", " ", "\n", "abc", "ection", "ppendi",
	})
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(strings.Join(rapid.SliceOfN(pieces, 0, 30).Draw(t, "text"), ""))
		var want []hit
		for i := range marks {
			want = marks[i].hits(want, src)
		}
		got := markHits(nil, src)
		for _, hits := range [][]hit{want, got} {
			slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind)) })
		}
		if d := gocmp.Diff(want, got, gocmp.AllowUnexported(hit{})); d != "" {
			t.Fatalf("%q: %s", src, d)
		}
	})
}
