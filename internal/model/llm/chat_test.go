package llm_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/model/llm"
)

// talk asks an endpoint twice: it calls a tool first, and is given the result. It returns
// both requests as the endpoint got them, and the last turn.
func talk(t *testing.T, open func(llm.Config) (*llm.Chat, error), replies ...string) (got []string, paths []string, last llm.Turn, used llm.Usage) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		got, paths = append(got, string(body)), append(paths, r.URL.Path)
		_, _ = w.Write([]byte(replies[len(got)-1]))
	}))
	defer srv.Close()
	chat, err := open(llm.Config{BaseURL: srv.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	r := llm.ChatRequest{
		System: "be brief", Turns: []llm.Turn{{Text: "where?"}},
		Tools: []llm.Tool{{Name: "search", Description: "finds", Schema: []byte(`{"type":"object"}`)}},
	}
	for {
		turn, u, err := chat.Ask(context.Background(), "agents", r)
		if err != nil {
			t.Fatal(err)
		}
		used = used.Add(u)
		if len(turn.Calls) == 0 {
			return got, paths, turn, used
		}
		results := llm.Turn{Text: "go on"}
		for _, c := range turn.Calls {
			results.Results = append(results.Results, llm.ToolResult{ID: c.ID, Text: "nothing for " + c.Args, Failed: true})
		}
		r.Turns = append(r.Turns, turn, results)
	}
}

func TestChatOverMessages(t *testing.T) {
	got, paths, last, used := talk(t, llm.NewMessagesChat,
		`{"type":"message","stop_reason":"tool_use","content":[{"type":"thinking","thinking":"hm","signature":"s","content":[1]},
		{"type":"tool_use","id":"c1","name":"search","input":{"query":"x"}}],"usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":7}}`,
		`{"type":"message","stop_reason":"end_turn","content":[{"type":"text","text":"no"}],"usage":{"input_tokens":20,"output_tokens":1}}`)
	if last.Text != "no" || !last.IsModel() || used != (llm.Usage{Input: 30, Output: 6, CacheRead: 7}) || paths[1] != "/v1/messages" {
		t.Errorf("%+v, %+v, %v", last, used, paths)
	}
	for _, want := range []string{
		`"tools":[{"name":"search","description":"finds","input_schema":{"type":"object"}}]`,
		`"system":[{"type":"text","text":"be brief","cache_control":{"type":"ephemeral"}}]`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s","content":[1]}`, // as it came
		`{"type":"tool_result","tool_use_id":"c1","content":"nothing for {\"query\":\"x\"}","is_error":true}`,
	} {
		if !strings.Contains(strings.NewReplacer("\n", "", "\t", "").Replace(got[1]), want) {
			t.Errorf("no %s in\n%s", want, got[1])
		}
	}
}

func TestChatOverCompletions(t *testing.T) {
	got, paths, last, used := talk(t, llm.NewOpenAIChat,
		`{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"annotations":[],
		"tool_calls":[{"type":"function","function":{"name":"search","arguments":"{\"query\":\"x\"}"}}]}}],
		"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4}}}`,
		`{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"no"}}],"usage":{"prompt_tokens":20,"completion_tokens":1}}`)
	if last.Text != "no" || used != (llm.Usage{Input: 26, Output: 6, CacheRead: 4}) || paths[1] != "/v1/chat/completions" {
		t.Errorf("%+v, %+v, %v", last, used, paths)
	}
	for _, want := range []string{
		`"tools":[{"type":"function","function":{"name":"search","description":"finds","parameters":{"type":"object"}}}]`,
		`{"role":"system","content":"be brief"},{"role":"user","content":"where?"}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"search","arguments":"{\"query\":\"x\"}"}}]}`,
		`{"role":"tool","content":"nothing for {\"query\":\"x\"}","tool_call_id":"call_0"},{"role":"user","content":"go on"}`,
	} {
		if !strings.Contains(got[1], want) {
			t.Errorf("no %s in\n%s", want, got[1])
		}
	}
	if strings.Contains(got[1], "annotations") {
		t.Errorf("fields of a reply go back, which servers refuse:\n%s", got[1])
	}
}

// A reply of no use is an error whose kind says why.
func TestChatReplies(t *testing.T) {
	for _, tt := range []struct {
		open  func(llm.Config) (*llm.Chat, error)
		reply string
		want  llm.Kind
	}{
		{llm.NewMessagesChat, `{"type":"message","stop_reason":"refusal","content":[]}`, llm.Declined},
		{llm.NewMessagesChat, `{"type":"message","stop_reason":"max_tokens","content":[]}`, llm.Cut},
		{llm.NewMessagesChat, `{"type":"message","stop_reason":"end_turn","content":[]}`, ""},
		{llm.NewMessagesChat, `{"type":"message","stop_reason":"end_turn","content":{}}`, llm.Malformed},
		{llm.NewMessagesChat, `{"type":"error"}`, llm.Malformed},
		{llm.NewMessagesChat, `<html>`, llm.Malformed},
		{llm.NewOpenAIChat, `{"choices":[]}`, llm.Malformed},
		{llm.NewOpenAIChat, `{"choices":[{"finish_reason":"length","message":{}}]}`, llm.Cut},
		{llm.NewOpenAIChat, `{"choices":[{"finish_reason":"content_filter","message":{}}]}`, llm.Declined},
		{llm.NewOpenAIChat, `{"choices":[{"finish_reason":"stop","message":{}}]}`, ""},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(tt.reply)) }))
		chat, err := tt.open(llm.Config{BaseURL: srv.URL})
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = chat.Ask(context.Background(), "agents", llm.ChatRequest{Turns: []llm.Turn{{Text: "x"}}})
		srv.Close()
		if llm.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %q", tt.reply, err, tt.want)
		}
	}
}
