package indexset

import (
	"slices"
	"testing"

	"github.com/docent-md/docent/answer"
)

// Versions are ordered as people number them, and a name without one means the newest.
func TestVersions(t *testing.T) {
	sorted := []string{"canary", "next", "9", "v9.1", "10.0.0-rc.1", "10.0.0-rc.2", "10.0.0", "10.2", "v11"}
	got := slices.Clone(sorted)
	slices.Reverse(got)
	slices.SortFunc(got, compareVersions)
	if !slices.Equal(got, sorted) {
		t.Errorf("sorted %q", got)
	}
	var all []answer.NamedIndex
	for _, name := range []string{"a", "lib@10", "lib@9", "lib@next", "other@1"} {
		all = append(all, answer.NamedIndex{Name: name})
	}
	if n, ok := newest(all, "lib"); !ok || n.Name != "lib@10" {
		t.Errorf("the newest lib is %q, %v", n.Name, ok)
	}
	if _, ok := newest(all, "a"); ok {
		t.Error("what has no versions has a newest")
	}
	var names []string
	for _, n := range withoutOlder(all) {
		names = append(names, n.Name)
	}
	if want := []string{"a", "lib@10", "other@1"}; !slices.Equal(names, want) {
		t.Errorf("all are %q, want %q", names, want)
	}
	for name, want := range map[string]bool{"react@18": true, "react@v18.3.1": true, "@18": false, "react@": false, "a@b@c": false, "all@1": true} {
		if got := checkName(name) == nil; got != want {
			t.Errorf("the name %q is accepted: %v", name, got)
		}
	}
}
