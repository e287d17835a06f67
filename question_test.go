package docent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

// How questions are read, and what of one text an answer shows.

// filler is n sentences that are all different.
func filler(n int, about string) string {
	b := &strings.Builder{}
	for i := range n {
		fmt.Fprintf(b, "Sentence %d tells of %s in its own way, with %d ropes and %d knots.\n\n", i, about, i*7+1, i*i)
	}
	return b.String()
}

// Seven of ten hits were once parts of the same section, and the answer was not among
// them.
func TestPartsOfASectionDoNotFillAnAnswer(t *testing.T) {
	lib := docsOf(t, map[string]string{
		"long.md":  "# Mooring\n\n" + filler(600, "mooring a boat"),
		"short.md": "# Boats\n\nMooring a boat takes two ropes.\n",
	})
	a := ask(t, lib, answer.Query{Text: "mooring a boat", Limit: 5})
	files := map[string]int{}
	for _, h := range a.Hits {
		files[h.File]++
	}
	if files["long.md"] != 2 || files["short.md"] != 1 {
		t.Fatalf("hits by file: %v", files)
	}
	b := &strings.Builder{}
	if err := a.WriteText(b); err != nil || !strings.Contains(b.String(), "# also at long.md#mooring:") {
		t.Errorf("%v in\n%.600s", err, b)
	}
}

// Two versions of a page are one hit; two short pages that point to others are not.
func TestCopiesAreOneHit(t *testing.T) {
	page := "# Winches\n\n" + filler(12, "winches")
	lib := docsOf(t, map[string]string{
		"v1/winch.md": page,
		"v2/winch.md": strings.Replace(page, "Sentence 3 ", "Phrase 3 ", 1),
		"a/see.md":    "# Capstans\n\nSee winches.\n",
		"b/see.md":    "# Capstans\n\nSee winches.\n",
	})
	a := ask(t, lib, answer.Query{Text: "winches", Limit: 10})
	shown := map[string]bool{}
	for _, h := range a.Hits {
		shown[h.File] = true
		if strings.HasSuffix(h.File, "winch.md") && (len(h.AlsoAt) != 1 || !strings.Contains(h.AlsoAt[0], "/winch.md#winches")) {
			t.Errorf("%s is also at %v", h.File, h.AlsoAt)
		}
	}
	if shown["v1/winch.md"] == shown["v2/winch.md"] || !shown["a/see.md"] || !shown["b/see.md"] {
		t.Errorf("shown: %v", shown)
	}
}

// Four of five hits for a question about pydantic were once its history.
func TestLogsOfChangesYield(t *testing.T) {
	lib := docsOf(t, map[string]string{
		"CHANGELOG.md": "# Changelog\n\n## 2.0\n\n- Parse objects faster\n- Fix bugs\n\n## 1.9\n\n- Drop the old way to parse\n- Fix how objects print\n",
		"guide.md":     "# Guide\n\n## Reading\n\nTo parse objects, call the model with them. Objects are checked while they are read.\n",
	})
	if a := ask(t, lib, answer.Query{Text: "parse objects", Mode: answer.Lexical}); a.Hits[0].File != "guide.md" {
		t.Errorf("first is %s", a.Hits[0].Ref)
	}
	if a := ask(t, lib, answer.Query{Text: "changes to parse objects", Mode: answer.Lexical}); a.Hits[0].File != "CHANGELOG.md" {
		t.Errorf("asked for changes, first is %s", a.Hits[0].Ref)
	}
	// It stood there word for word, and was not among ten.
	if a := ask(t, lib, answer.Query{Text: "drop the old way to parse", Mode: answer.Lexical}); a.Hits[0].File != "CHANGELOG.md" {
		t.Errorf("asked for a line of it, first is %s", a.Hits[0].Ref)
	}
}

// "What does NAME do" once found the page that mentions the name most.
func TestWhatIsFindsTheOverview(t *testing.T) {
	lib := docsOf(t, map[string]string{
		"README.md":  "# Harbour, a queue\n\nIt keeps jobs until a worker takes them.\n\n## Install\n\nGet the harbour binary.\n",
		"worker.md":  "# Workers\n\nA worker asks harbour for jobs.\n\n## Heartbeats\n\nA worker sends a heartbeat.\n",
		"ops.md":     "# Operations\n\nharbour start, harbour stop, harbour drain: what harbour does when harbour is told, harbour logs.\n\n## Worker\n\nworker worker worker worker\n",
		"tuning.md":  "# Tuning workers\n\nWorkers and more workers: what a worker does, a worker is a worker.\n",
		"history.md": "# History\n\nA worker was once called a hand.\n",
	})
	for question, want := range map[string]string{
		"what does harbour do?": "README.md",
		"what is harbour":       "README.md",
		"what is a worker?":     "worker.md",
		"what are workers":      "worker.md",
	} {
		if a := ask(t, lib, answer.Query{Text: question}); len(a.Hits) == 0 || a.Hits[0].File != want {
			t.Errorf("%q: %v", question, refs(a))
		}
	}
}

// In "test -race" the dash once threw out every text that told of the flag.
func TestFlagIsNoExclusion(t *testing.T) {
	lib := docsOf(t, map[string]string{
		"test.md": "# Testing\n\nRun the test with `-race` to find data races.\n",
		"boat.md": "# Boats\n\nA race is a test of boats.\n",
	})
	a := ask(t, lib, answer.Query{Text: "test -race"})
	if len(a.Hits) == 0 || a.Hits[0].File != "test.md" || !strings.Contains(a.Note, "-race stands in these documents") {
		t.Errorf("%v, %s", refs(a), a.Note)
	}
	if a := ask(t, lib, answer.Query{Text: "test -boats"}); len(a.Hits) != 1 || a.Hits[0].File != "test.md" {
		t.Errorf("boats are excluded, but %v", refs(a))
	}
}

// What was reached through a link once had no grade, so that an answer with nothing but
// weak hits no longer counted as weak.
func TestLinkedHitsHaveAGrade(t *testing.T) {
	a := ask(t, openIn(t, "examples/harbour"), answer.Query{Text: "how do I bake sourdough bread", Expand: 2})
	for _, h := range a.Hits {
		if h.Match == "" {
			t.Errorf("%s has no grade", h.Ref)
		}
	}
	if !a.IsWeak() {
		t.Error("the answer is not said to be weak")
	}
}
