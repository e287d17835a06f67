package docent_test

import (
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

// Asked 420 questions that the documents could not answer, docent once said so 11 times.
// An agent believes what it is told with confidence.
func TestWeakMatchesAreSaidToBe(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	text := func(question string) (*answer.Answer, string) {
		a := ask(t, lib, answer.Query{Text: question})
		b := &strings.Builder{}
		if err := a.WriteText(b); err != nil {
			t.Fatal(err)
		}
		return a, b.String()
	}
	for _, q := range []string{"how do I rotate a key", "max_running for one queue", "how often does a worker send a hartbeat", "database is locked"} {
		if a, _ := text(q); len(a.Hits) == 0 || a.Hits[0].Match == answer.Weak {
			t.Errorf("%q is answered, but %+v", q, a.Hits)
		}
	}
	for q, want := range map[string]string{
		"how do I bake sourdough bread":              `weak match: "sourdough" is not in these documents`,
		"what's the ticketless frobnicator for keys": `weak match: "ticketless" and "frobnicator" are not in these documents`,
	} {
		a, got := text(q)
		if !a.IsWeak() || !strings.HasPrefix(got, want+"\n") {
			t.Errorf("%q:\n%s", q, got)
		}
		if strings.Contains(got, "\n---\n") {
			t.Errorf("%q: weak hits are shown whole:\n%s", q, got)
		}
	}
	for q, isWeak := range map[string]bool{
		"how do I bake bread with yeast": true,  // each of these words was found as another
		"rotaet a key":                   false, // a slip
		"rotaet":                         false,
	} {
		if a, got := text(q); a.IsWeak() != isWeak {
			t.Errorf("%q, weak %v:\n%s", q, a.IsWeak(), got)
		}
	}
	a, got := text("kubernetes pod eviction")
	if len(a.Hits) > 0 || !strings.Contains(got, "unknown here: kubernetes") {
		t.Errorf("nothing to stand on, and yet:\n%s", got)
	}
}

// Each of these has words that the examples have too, and the first two once got a partial
// match. Their words are no more common here than anywhere, or they name what is not here.
func TestForeignQuestionsAreWeak(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	for q, isWeak := range map[string]bool{
		"How can using examples in prompts improve the performance of a language model on complex tasks?": true,
		"what is one key consideration when selecting a shader for a mobile game":                         true,
		"how does a borrow checker decide how long a reference lives":                                     true,
		"can I see the state of a queue in Grafana or Datadog?":                                           true,
		"how do I rotate a key without stopping the workers":                                              false,
		"what happens to a job when its worker dies":                                                      false,
		"where are the logs of a worker":                                                                  false,
	} {
		if a := ask(t, lib, answer.Query{Text: q}); len(a.Hits) > 0 && a.IsWeak() != isWeak {
			t.Errorf("%q: weak %v, odds %.2f", q, a.IsWeak(), a.Odds())
		}
	}
}

// A word that no document has is named beside good hits too.
func TestUnknownWordsAreNamedBesideHits(t *testing.T) {
	a := ask(t, openIn(t, "examples/harbour"), answer.Query{Text: "how do I rotate a zorkmid key"})
	if len(a.Hits) == 0 || len(a.Unknown) != 1 || a.Unknown[0].Word != "zorkmid" {
		t.Errorf("%+v", a.Unknown)
	}
}

// What has every word of the question is not weak, however short the question.
func TestAllWordsAreNotWeak(t *testing.T) {
	a := ask(t, openIn(t, "examples/harbour"), answer.Query{Text: "max_running"})
	if len(a.Hits) == 0 || a.Hits[0].Match == answer.Weak {
		t.Errorf("%+v", a.Hits)
	}
}

// Quotes in a question mostly mark a name. They once threw out all texts that had the
// words apart.
func TestQuotesWithinAQuestionPrefer(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	q := `how do I rotate the "api keys" of a worker`
	if a := ask(t, lib, answer.Query{Text: q}); len(a.Hits) == 0 {
		t.Error("nothing found")
	}
	if a := ask(t, lib, answer.Query{Text: q + ` "nowhere said like this"`, Exact: true}); len(a.Hits) > 0 {
		t.Errorf("exact, and yet %+v", a.Hits)
	}
}
