package docent_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/reranker"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
)

// The model in the program reads the candidates of a question of three words or more, and of
// nothing else unless it is told to: no name, and no title. What it changed is explained.
func TestLocalModelReadsQuestions(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	isRead := func(q answer.Query) bool {
		q.Explain, q.RerankMS = true, 60_000
		hits := ask(t, lib, q).Hits
		return len(hits) > 0 && slices.ContainsFunc(hits[0].Explain, func(line string) bool { return strings.HasPrefix(line, "read by the local model") })
	}
	question := "why does my worker keep losing its job after a while"
	for _, text := range []string{question, "worker loses job"} {
		if got := isRead(answer.Query{Text: text}); got != reranker.Fast() {
			t.Errorf("%s: %v", text, got)
		}
	}
	for _, q := range []answer.Query{{Text: "max_running"}, {Text: "lost job"}, {Text: "Back up PostgreSQL"}, {Text: question, Rerank: answer.RerankOff}} {
		if isRead(q) {
			t.Errorf("%+v is read", q)
		}
	}
	if reranker.Fast() && !isRead(answer.Query{Text: "rotate key", Rerank: answer.RerankLocal}) {
		t.Error("not read although asked for")
	}
}

// Scores still fall from hit to hit, and the same hits come out, whoever orders them.
func TestLocalModelOnlyOrders(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	files := func(rerank string) (refs []string) {
		q := answer.Query{Text: "how can I swap a credential for a fresh one without an outage", Limit: 20, Rerank: rerank, RerankMS: 60_000}
		last := 1e9
		for _, h := range ask(t, lib, q).Hits {
			if h.Score > last {
				t.Errorf("%s: %s has a higher score than the one before", rerank, h.Ref)
			}
			last = h.Score
			refs = append(refs, h.Ref)
		}
		slices.Sort(refs)
		return refs
	}
	if with, without := files(answer.RerankLocal), files(answer.RerankOff); !slices.Equal(with, without) {
		t.Errorf("other hits:\n%v\n%v", with, without)
	}
}

func TestUnknownReranker(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	for _, q := range []answer.Query{{Text: "x", Rerank: "best"}, {Text: "x", RerankMS: -1}} {
		if _, err := lib.Search(t.Context(), q); err == nil {
			t.Errorf("%+v is accepted", q)
		}
	}
}

// "None of these answers" was reported as a failure, "not reranked: empty answer", and what
// Claude had read and not chosen looked like any other hit.
func TestClaudeChooses(t *testing.T) {
	server := llmtest.New(t)
	a, err := docent.NewAssistant(docent.AssistantOptions{Key: llmtest.Key, URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	lib := openAt(t, "examples/harbour", filepath.Join(t.TempDir(), "index"), docent.Options{Assistant: a})
	q := answer.Query{Text: "how do I rotate a key", Limit: 3, Rerank: answer.RerankClaude}

	server.Next(llmtest.Fault{Text: `{"ids":[]}`})
	none := ask(t, lib, q)
	if len(none.Hits) != 3 || !none.IsWeak() || !strings.Contains(none.Note, "no candidate answers the question") {
		t.Errorf("none: %v, weak %v, note %q", refs(none), none.IsWeak(), none.Note)
	}

	server.Next(llmtest.Fault{Text: `{"ids":[2]}`})
	one := ask(t, lib, q)
	for i, h := range one.Hits {
		if h.Unchosen != (i > 0) || (h.Match == answer.Weak) != (i > 0) {
			t.Errorf("hit %d: %s, unchosen %v, %s", i+1, h.Ref, h.Unchosen, h.Match)
		}
	}
}

// Over a database Claude was shown the candidates and not the sections that they link to:
// 50 where a folder gave 60.
func TestClaudeSeesLinkedSectionsOfADatabase(t *testing.T) {
	server := llmtest.New(t)
	a, err := docent.NewAssistant(docent.AssistantOptions{Key: llmtest.Key, URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	folder := openAt(t, "examples/harbour", filepath.Join(t.TempDir(), "index"), docent.Options{Assistant: a})
	file := filepath.Join(t.TempDir(), "docs.db")
	if _, err := folder.Export(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	db, err := docent.OpenDB(t.Context(), file, docent.Options{Assistant: a})
	opened(t, db, err)
	shown := func(lib *docent.Library) int {
		before := len(server.Requests())
		_ = ask(t, lib, answer.Query{Text: "lost admin key", File: "faq.md", Limit: 3, Rerank: answer.RerankClaude})
		if len(server.Requests()) != before+1 {
			t.Fatal("nobody was asked")
		}
		return strings.Count(string(server.Requests()[before].Body), `\n[`)
	}
	if inFolder, inDatabase := shown(folder), shown(db); inFolder != inDatabase || inFolder <= 5 {
		t.Errorf("%d candidates from the folder, %d from the database; the file has 5", inFolder, inDatabase)
	}
}
