package eval

import (
	"os"
	"strings"
	"testing"
)

const someSynonyms = `# a comment
delete remove erase
key credential
store save keep
`

func TestRewrite(t *testing.T) {
	syn, err := ReadSynonyms(strings.NewReader(someSynonyms))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, question, answer, want string }{
		{"the next word of the group", "How do I delete a key?", "", "How do I remove a credential?"},
		{"one that the answer does not hold", "delete it", "Removing is easy", "erase it"},
		{"nothing when it holds all", "delete it", "removed, erasing", "delete it"},
		{"the last word is followed by the first", "erase it", "", "delete it"},
		{"plurals stay plurals", "Keys", "", "credentials"},
		{"so do other forms", "deleting stored", "", "removing saved"},
		{"what has no synonyms stays", "rotate the logs", "", "rotate the logs"},
		{"parts of words stay", "keyboard", "", "keyboard"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := syn.rewrite(tt.question, wordsOf(tt.answer)); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestStressLeavesOut(t *testing.T) {
	syn, err := ReadSynonyms(strings.NewReader(someSynonyms))
	if err != nil {
		t.Fatal(err)
	}
	s := &Set{
		Files: []File{{Path: "a.md", Text: "first\nremove\nlast\n"}},
		Queries: []Query{
			{ID: "1", Text: "delete", Kind: "link", Judged: []Judgement{{File: "a.md", Start: 1, End: 1}}},
			{ID: "2", Text: "delete", Judged: []Judgement{{File: "a.md", Start: 2, End: 9}}},
			{ID: "3", Text: "rotate"},
			{ID: "4", Text: "delete", Kind: "link-typo"},
		},
	}
	got := s.Stress(syn).Queries
	if len(got) != 2 || got[0].Text != "remove" || got[0].Kind != "link-synonym" || got[1].Text != "erase" || got[1].Kind != "synonym" {
		t.Errorf("%+v", got)
	}
	if len(s.Queries) != 4 || s.Queries[0].Text != "delete" {
		t.Error("the set itself was changed")
	}
}

// The groups we commit are groups, and none names a word twice.
func TestCommittedSynonyms(t *testing.T) {
	data, err := os.ReadFile("../../eval/synonyms.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		seen := map[string]bool{}
		for _, w := range words {
			if seen[w] || w != strings.ToLower(w) {
				t.Errorf("%q in %q", w, strings.TrimSpace(line))
			}
			seen[w] = true
		}
		if len(words) < 2 {
			t.Errorf("%q is alone", line)
		}
	}
}
