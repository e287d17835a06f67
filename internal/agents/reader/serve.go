package reader

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Handler serves the reader at /v1/messages and /v1/chat/completions.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", messages)
	mux.HandleFunc("POST /v1/chat/completions", completions)
	return mux
}

// usage counts four bytes as a token.
func usage(body []byte) int { return len(body) / 4 }

func decode(w http.ResponseWriter, r *http.Request, into any) (size int, ok bool) {
	var body json.RawMessage
	err := json.NewDecoder(r.Body).Decode(&body)
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"error":{"type":"invalid_request_error","message":%q}}`, err.Error())
		return 0, false
	}
	return usage(body), true
}

func encode(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

type object = map[string]any

func messages(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Tools    []struct{ Name string }
		Messages []struct {
			Role    string
			Content []struct {
				Type, Text, Name, Content string
				Input                     json.RawMessage
			}
		}
	}
	size, ok := decode(w, r, &in)
	if !ok {
		return
	}
	var names []string
	for _, t := range in.Tools {
		names = append(names, t.Name)
	}
	var question string
	var done []step
	for i, m := range in.Messages {
		for _, b := range m.Content {
			switch {
			case i == 0 && b.Type == "text":
				question = b.Text
			case b.Type == "tool_use":
				done = append(done, step{name: b.Name, args: string(b.Input)})
			case b.Type == "tool_result" && len(done) > 0:
				done[len(done)-1].text = b.Content
			}
		}
	}
	reply, do := next(names, question, done)
	content, stop := []object{{"type": "text", "text": reply}}, "end_turn"
	if do != nil {
		content, stop = []object{{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", len(done)), "name": do.name, "input": do.args}}, "tool_use"
	}
	encode(w, object{
		"type": "message", "role": "assistant", "content": content, "stop_reason": stop,
		"usage": object{"input_tokens": size, "output_tokens": len(reply)/4 + 1},
	})
}

func completions(w http.ResponseWriter, r *http.Request) {
	type function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	var in struct {
		Tools    []struct{ Function function }
		Messages []struct {
			Role, Content string
			ToolCalls     []struct{ Function function } `json:"tool_calls"`
		}
	}
	size, ok := decode(w, r, &in)
	if !ok {
		return
	}
	var names []string
	for _, t := range in.Tools {
		names = append(names, t.Function.Name)
	}
	var question string
	var done []step
	for _, m := range in.Messages {
		switch {
		case m.Role == "user" && question == "":
			question = m.Content
		case m.Role == "tool" && len(done) > 0:
			done[len(done)-1].text = m.Content
		}
		for _, c := range m.ToolCalls {
			done = append(done, step{name: c.Function.Name, args: c.Function.Arguments})
		}
	}
	reply, do := next(names, question, done)
	message, stop := object{"role": "assistant", "content": reply}, "stop"
	if do != nil {
		args, _ := json.Marshal(do.args)
		message, stop = object{"role": "assistant", "content": nil, "tool_calls": []object{{
			"id": fmt.Sprintf("call_%d", len(done)), "type": "function", "function": function{do.name, string(args)},
		}}}, "tool_calls"
	}
	encode(w, object{
		"choices": []object{{"message": message, "finish_reason": stop}},
		"usage":   object{"prompt_tokens": size, "completion_tokens": len(reply)/4 + 1},
	})
}
