package index

import "testing"

// A text that has the word of the question comes before one with its other name, however
// often that has it; a word that no text has is found by its other name, and not corrected.
func TestSynonymsNeverBeatTheWord(t *testing.T) {
	s := wholeSearcher(t, []Text{
		{Title: "Access", Body: "access access access access access access"},
		{Title: "Other", Body: "about rbac, and a good many words more that make this text longer than all of the others here"},
		{Title: "Third", Body: "kubernetes"},
	})
	also := map[string][]string{"rbac": {"access"}, "k8s": {"kubernetes"}, "single sign on": {"kubernetes"}}
	ask := func(text string) Result {
		t.Helper()
		q := Parse(text).Widen(func(phrase string) []string { return also[phrase] })
		res, err := s.Top(q, 10, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	res := ask("rbac")
	if len(res.Matches) != 2 || res.Matches[0].Num != 1 || res.Matches[1].Num != 0 {
		t.Errorf("rbac finds %v, want the text that has it, then the other", res.Matches)
	}
	if len(res.Also) != 1 || res.Also[0] != (Correction{"rbac", "access"}) {
		t.Errorf("also is %v", res.Also)
	}
	res = ask("k8s")
	if len(res.Matches) != 1 || res.Matches[0].Num != 2 || len(res.Corrections) > 0 || res.Words[0].DocFreq == 0 {
		t.Errorf("k8s finds %v, corrected %v, in %d texts", res.Matches, res.Corrections, res.Words[0].DocFreq)
	}
	if res = ask("single sign on"); len(res.Matches) != 1 || len(res.Also) != 1 {
		t.Errorf("a phrase finds %v, also %v", res.Matches, res.Also)
	}
	if res = ask(`"rbac"`); len(res.Also) > 0 {
		t.Errorf("what is quoted is widened: %v", res.Also)
	}
}
