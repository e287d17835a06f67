package llm_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
)

func TestParseSummary(t *testing.T) {
	for _, test := range []struct {
		name, reply, want string
		kind              llm.Kind
	}{
		{"a sentence", `{"summary":"Keys rotate daily."}`, "Keys rotate daily.", ""},
		{"becomes one line", `{"summary":" Keys\n rotate\tdaily. "}`, "Keys rotate daily.", ""},
		{"without what does not print", "{\"summary\":\"a\u202eb\\u0000c\"}", "abc", ""},
		{"not without end", `{"summary":"` + strings.Repeat("a", 999) + `"}`, strings.Repeat("a", 300) + "…", ""},
		{"nothing", `{"summary":" "}`, "", llm.Empty},
		{"no summary", `{}`, "", llm.Empty},
		{"prose", `Keys rotate daily.`, "", llm.Malformed},
	} {
		got, err := llm.ParseSummary(test.reply)
		if got != test.want || llm.KindOf(err) != test.kind {
			t.Errorf("%s: got %q, %v", test.name, got, err)
		}
	}
}

func TestParseQuestions(t *testing.T) {
	for _, test := range []struct {
		name, reply string
		want        []string
		kind        llm.Kind
	}{
		{"as they come", `{"questions":["a?","b?"]}`, []string{"a?", "b?"}, ""},
		{"no two the same, none empty", `{"questions":["a?"," ","A?","b?"]}`, []string{"a?", "b?"}, ""},
		{"no more than asked for", `{"questions":["a?","b?","c?","d?"]}`, []string{"a?", "b?", "c?"}, ""},
		{"none", `{"questions":[]}`, nil, llm.Empty},
		{"prose", `a?`, nil, llm.Malformed},
	} {
		got, err := llm.ParseQuestions(test.reply, 3)
		if !slices.Equal(got, test.want) || llm.KindOf(err) != test.kind {
			t.Errorf("%s: got %q, %v", test.name, got, err)
		}
	}
}

// A long job goes on where it stopped.
func TestWritingIsPaidForOnce(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	c.Cache = store(t, filepath.Join(t.TempDir(), "answers"))
	cl := claude(t, c)
	for range 2 {
		sum, err := cl.Summarise(t.Context(), "Keys are rotated every day by the daemon.")
		if err != nil || sum != "It is about Keys are rotated every day by the daemon." {
			t.Fatalf("got %q, %v", sum, err)
		}
		q, err := cl.Questions(t.Context(), "Keys are rotated every day by the daemon.", 2)
		if err != nil || len(q) != 2 {
			t.Fatalf("got %q, %v", q, err)
		}
	}
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestBatch(t *testing.T) {
	s := llmtest.New(t)
	s.Polls = 2
	s.Refuse = map[string]string{"n2": "errored", "n3": "expired"}
	c, clock := config(s)
	c.Cache = store(t, filepath.Join(t.TempDir(), "answers"))
	var spent []llm.Use
	c.Record = func(u llm.Use) { spent = append(spent, u) }
	cl := claude(t, c)
	names := []string{"n0", "n1", "n2", "n3"}
	var requests []llm.Request
	for _, name := range names {
		requests = append(requests, llm.SummaryRequest("text of "+name))
	}
	b, err := cl.StartBatch(t.Context(), names, requests)
	if err != nil || b.Ended || b.Total != 4 {
		t.Fatalf("started %+v, %v", b, err)
	}
	if err := cl.BatchResults(t.Context(), b.ID, nil); llm.KindOf(err) != llm.Rejected {
		t.Errorf("results too early: %v", err)
	}
	var polls []bool
	b, err = cl.WaitBatch(t.Context(), b.ID, time.Minute, func(b llm.Batch) { polls = append(polls, b.Ended) })
	if err != nil || !b.Ended || b.Done != 4 || !slices.Equal(polls, []bool{false, false, true}) {
		t.Fatalf("ended %+v, %v after %v", b, err, polls)
	}
	if !slices.Equal(clock.slept, []time.Duration{time.Minute, time.Minute}) {
		t.Errorf("waited %v", clock.slept)
	}
	got := map[string]string{}
	err = cl.BatchResults(t.Context(), b.ID, func(name string, reply llm.Reply, err error) {
		if err != nil {
			got[name] = string(llm.KindOf(err))
			return
		}
		got[name], err = llm.ParseSummary(reply.Text)
		if err != nil {
			t.Error(err)
		}
		if err := cl.Keep(requests[slices.Index(names, name)], reply.Text); err != nil {
			t.Error(err)
		}
	})
	want := map[string]string{"n0": "It is about text of n0.", "n1": "It is about text of n1.", "n2": string(llm.Rejected), "n3": string(llm.Expired)}
	if err != nil || len(got) != len(want) {
		t.Fatalf("got %v, %v", got, err)
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: got %q, want %q", name, got[name], want[name])
		}
	}
	if len(spent) != 2 || !spent[0].Batch {
		t.Errorf("recorded %+v", spent)
	}
	// What a batch brought is known to single requests.
	before := len(s.Requests())
	if sum, err := cl.Summarise(t.Context(), "text of n1"); err != nil || sum != want["n1"] || len(s.Requests()) != before {
		t.Errorf("got %q, %v", sum, err)
	}
	if leaks := s.Leaks(); len(leaks) > 0 {
		t.Errorf("results_url was followed: %q", leaks)
	}
}

// A batch that may have begun is not begun again.
func TestBatchIsStartedOnce(t *testing.T) {
	for _, test := range []struct {
		fault    llmtest.Fault
		requests int
	}{
		{llmtest.Fault{Truncate: true}, 1},
		{llmtest.Fault{Status: 500}, 1},
		{llmtest.Fault{Status: 429}, 2},
		{llmtest.Fault{Status: 529}, 2},
	} {
		s := llmtest.New(t)
		s.Next(test.fault)
		c, _ := config(s)
		_, err := claude(t, c).StartBatch(t.Context(), []string{"a"}, []llm.Request{llm.SummaryRequest("text")})
		if n := len(s.Requests()); n != test.requests || (err == nil) != (n == 2) {
			t.Errorf("%+v: %d requests, %v", test.fault, n, err)
		}
	}
}

func TestBatchRefusals(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	cl := claude(t, c)
	r := llm.SummaryRequest("text")
	for _, names := range [][]string{{}, {"a", "b"}, {"a/b"}, {""}, {strings.Repeat("a", 65)}} {
		if _, err := cl.StartBatch(t.Context(), names, []llm.Request{r}); llm.KindOf(err) != llm.Unsupported {
			t.Errorf("names %q: %v", names, err)
		}
	}
	if _, err := cl.StartBatch(t.Context(), []string{"a", "a"}, []llm.Request{r, r}); llm.KindOf(err) != llm.Unsupported {
		t.Errorf("the same name twice: %v", err)
	}
	for _, id := range []string{"", "../messages", "a?b", "a b"} {
		if _, err := cl.BatchState(t.Context(), id); llm.KindOf(err) != llm.Unsupported {
			t.Errorf("batch %q: %v", id, err)
		}
		if err := cl.BatchResults(t.Context(), id, nil); llm.KindOf(err) != llm.Unsupported {
			t.Errorf("results %q: %v", id, err)
		}
	}
	if len(s.Requests()) > 0 {
		t.Error("something was sent")
	}
	for _, body := range []string{"{", "{}", `{"custom_id":"a"}`, `{"custom_id":"a","result":{"type":"other"}}`, `{"custom_id":"../a","result":{"type":"expired"}}`} {
		s.Next(llmtest.Fault{Body: body})
		if err := cl.BatchResults(t.Context(), "b", func(string, llm.Reply, error) {}); llm.KindOf(err) != llm.Malformed {
			t.Errorf("results %s: %v", body, err)
		}
		s.Next(llmtest.Fault{Body: body})
		if _, err := cl.BatchState(t.Context(), "b"); llm.KindOf(err) != llm.Malformed {
			t.Errorf("state %s: %v", body, err)
		}
	}
}
