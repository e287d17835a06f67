package harness_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/docent-md/docent/internal/agents/harness"
	"github.com/docent-md/docent/internal/model/llm"
)

var docs = fstest.MapFS{
	"guide/keys.md": {Data: []byte("# Keys\n\n## Rotate\n\nRun `rotate`, then wait a day.\n\n## Revoke\n\nIt stops at once.\n")},
	"index.md":      {Data: []byte("# Home\n\nStart here.\n")},
}

// A scripted endpoint answers the n-th request by its n-th line, and the last one from
// then on. It returns the requests.
func scripted(t *testing.T, replies ...http.HandlerFunc) (chat *llm.Chat, asked *[]string) {
	t.Helper()
	asked = new([]string)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		*asked = append(*asked, string(body))
		replies[min(len(*asked), len(replies))-1](w, r)
	}))
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	chat, err := llm.NewMessagesChat(llm.Config{
		BaseURL: srv.URL, Model: "m", Patient: true,
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return chat, asked
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"type":"message","stop_reason":"end_turn","content":[{"type":"text","text":%q}],"usage":{"input_tokens":10,"output_tokens":2}}`, text)
	}
}

func calls(name, args string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"type":"message","stop_reason":"tool_use","content":[{"type":"tool_use","id":"c","name":%q,"input":%s}],"usage":{"input_tokens":10,"output_tokens":2}}`, name, args)
	}
}

func fails(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"type":"error","error":{"type":"e","message":"no"}}`))
	}
}

func files(t *testing.T) *harness.Files {
	t.Helper()
	f, err := harness.NewFiles(docs)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestConverse(t *testing.T) {
	chat, asked := scripted(t, calls("grep", `{"pattern":"rotate"}`), calls("read", `{"path":"nope.md"}`), says("ANSWER: yes\nSOURCE: guide/keys.md:3-5"))
	a := harness.Converse(t.Context(), chat, files(t), "how do I rotate?", harness.Limits{})
	if a.Err != nil || a.Calls != 2 || a.Misused != 1 || a.Read < 10 || a.Used != (llm.Usage{Input: 30, Output: 6}) {
		t.Errorf("%+v", a)
	}
	if got := (*asked)[1]; !strings.Contains(got, "guide/keys.md:5:Run `rotate`") {
		t.Errorf("the model was not given the match: %s", got)
	}
	if got := (*asked)[2]; !strings.Contains(got, `no file \"nope.md\": list names them`) || !strings.Contains(got, `"is_error":true`) {
		t.Errorf("the model was not told its mistake: %s", got)
	}
}

func TestConverseEnds(t *testing.T) {
	again := calls("list", `{}`)
	for name, c := range map[string]struct {
		replies []http.HandlerFunc
		limits  harness.Limits
		reply   string // "" if it fails
		calls   int
		kind    llm.Kind
	}{
		"a limited endpoint is asked again":              {[]http.HandlerFunc{fails(429), fails(529), says("yes")}, harness.Limits{}, "yes", 0, ""},
		"a limit that does not end is an error":          {[]http.HandlerFunc{fails(429)}, harness.Limits{}, "", 0, llm.Limited},
		"a wrong key is an error":                        {[]http.HandlerFunc{fails(401)}, harness.Limits{}, "", 0, llm.Denied},
		"no JSON is an error":                            {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }}, harness.Limits{}, "", 0, llm.Malformed},
		"calls are counted, and then it must answer":     {[]http.HandlerFunc{again, again, says("yes")}, harness.Limits{Calls: 2}, "yes", 2, ""},
		"calls without end are a failure":                {[]http.HandlerFunc{again}, harness.Limits{Calls: 3}, "", 3, ""},
		"what was read is counted, and then it must":     {[]http.HandlerFunc{calls("read", `{"path":"guide/keys.md"}`), says("yes")}, harness.Limits{Tokens: 5}, "yes", 1, ""},
		"an unknown tool is the model's mistake":         {[]http.HandlerFunc{calls("shell", `{"cmd":"rm"}`), says("yes")}, harness.Limits{}, "yes", 1, ""},
		"arguments that are no object are its mistake":   {[]http.HandlerFunc{calls("grep", `"rotate"`), says("yes")}, harness.Limits{}, "yes", 1, ""},
		"a pattern that does not compile is its mistake": {[]http.HandlerFunc{calls("grep", `{"pattern":"("}`), says("yes")}, harness.Limits{}, "yes", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			chat, asked := scripted(t, c.replies...)
			a := harness.Converse(t.Context(), chat, files(t), "q", c.limits)
			if a.Reply != c.reply || a.Calls != c.calls || (a.Err == nil) != (c.reply != "") || llm.KindOf(a.Err) != c.kind {
				t.Errorf("%+v", a)
			}
			if c.limits.Calls+c.limits.Tokens > 0 && !strings.Contains((*asked)[len(*asked)-1], "You have used up your tool calls") {
				t.Error("the model was not told to answer")
			}
		})
	}
}

// An endpoint that does not answer ends with the time of the question.
func TestConverseTimesOut(t *testing.T) {
	var hung atomic.Bool
	chat, _ := scripted(t, func(_ http.ResponseWriter, r *http.Request) {
		hung.Store(true)
		<-r.Context().Done()
	})
	a := harness.Converse(t.Context(), chat, files(t), "q", harness.Limits{Time: 200 * time.Millisecond})
	if llm.KindOf(a.Err) != llm.TimedOut || !hung.Load() {
		t.Errorf("%v, asked: %v", a.Err, hung.Load())
	}
}

type broken struct{ *harness.Files }

func (broken) Call(context.Context, string, string) (string, bool, error) {
	return "", true, errors.New("the server is gone")
}

func TestConverseWithoutTools(t *testing.T) {
	chat, _ := scripted(t, calls("list", `{}`))
	if a := harness.Converse(t.Context(), chat, broken{files(t)}, "q", harness.Limits{}); a.Err == nil || a.Err.Error() != "the server is gone" {
		t.Errorf("%+v", a)
	}
}

func TestFiles(t *testing.T) {
	for _, c := range []struct{ name, args, want string }{
		{"list", `{}`, "guide/keys.md\nindex.md"},
		{"list", `{"glob":"guide/**"}`, "guide/keys.md"},
		{"list", `{"glob":"nope/**"}`, `no file matches "nope/**"`},
		{"grep", `{"pattern":"^## R"}`, "guide/keys.md:3:## Rotate\nguide/keys.md:7:## Revoke"},
		{"grep", `{"pattern":"HERE|at once","ignore_case":true,"count":true}`, "guide/keys.md:1\nindex.md:1"},
		{"grep", `{"pattern":"nothing"}`, "no line matches in 2 files"},
		{"read", `{"path":"guide/keys.md","from":7,"to":8}`, "     7\t## Revoke\n     8\t\n[1 lines more]\n"},
		{"read", `{"path":"guide/keys.md","from":70}`, "guide/keys.md has 9 lines"},
		{"read", `{"path":"../secret.md"}`, `no file "../secret.md": list names them`},
		{"read", `{"file":"index.md"}`, `arguments: json: unknown field "file"`},
	} {
		if got, _, err := files(t).Call(t.Context(), c.name, c.args); got != c.want || err != nil {
			t.Errorf("%s %s: %q, not %q; %v", c.name, c.args, got, c.want, err)
		}
	}
}
