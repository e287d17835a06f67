package mcp

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/needs"
	"github.com/docent-md/docent/internal/text/visible"
)

// A tokenSet is a retrieval test set that is read until the answer.
type tokenSet struct {
	name, folder, kind string
	short              bool // it takes part in every run of the tests
}

var tokenSets = []tokenSet{
	{name: "anthropic-docs", folder: "eval", short: true},
	{name: "k8s", folder: "eval", kind: "link", short: true},
	{name: "people-vue", folder: "eval-people", kind: "people"},
}

func (s *tokenSet) load(t testing.TB) (fstest.MapFS, []quest) {
	t.Helper()
	set, err := eval.Load(needs.Shared(t, s.folder, s.name))
	if err != nil {
		t.Fatal(err)
	}
	return sectionsOf(set.Pages(), s.kind)
}

// sectionsOf takes the questions of a set that are about a section.
func sectionsOf(set *eval.Set, kind string) (fstest.MapFS, []quest) {
	fsys := fstest.MapFS{}
	for _, f := range set.Files {
		fsys[f.Path] = file(f.Text)
	}
	var out []quest
	for _, q := range set.Queries {
		if q.Kind != kind || q.Type != eval.Section {
			continue
		}
		k := quest{id: q.ID, text: q.Text}
		for _, j := range q.Judged {
			lines := strings.Split(string(fsys[j.File].Data), "\n")
			text := strings.Join(lines[j.Start-1:min(j.End, len(lines))], "\n")
			k.answers = append(k.answers, answerText{j.File, contentLines(text)})
		}
		out = append(out, k)
	}
	return fsys, out
}

// spread takes n questions spread evenly.
func spread(all []quest, n int) []quest {
	n = min(n, len(all))
	var out []quest
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return out
}

func contentLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(visible.Text(line)); line != "" {
			out = append(out, line)
		}
	}
	return out
}
