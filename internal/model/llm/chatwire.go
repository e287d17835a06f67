package llm

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// The two wire forms of a conversation with tools. Of a reply only what is needed is
// read; a field that is missing or new is no error.

var emptyObject = json.RawMessage("{}")

// arguments are the JSON of a call's arguments, an empty object where there is none.
func arguments(text string) json.RawMessage {
	if raw := json.RawMessage(text); json.Valid(raw) && len(raw) > 0 {
		return raw
	}
	return emptyObject
}

// messagesForm is the Messages API. The system prompt, with the tools before it, and the
// conversation up to its last turn are marked for the provider's prompt cache.
type messagesForm struct{}

func (messagesForm) path() string { return "/v1/messages" }

type (
	messagesTool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema"`
	}
	messagesBlock struct {
		Type      string          `json:"type"`
		Text      string          `json:"text,omitempty"`
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Input     json.RawMessage `json:"input,omitempty"`
		ToolUseID string          `json:"tool_use_id,omitempty"`
		Content   string          `json:"content,omitempty"`
		IsError   bool            `json:"is_error,omitempty"`
		Cache     *wireCache      `json:"cache_control,omitempty"`
	}
	messagesTurn struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
)

func (messagesForm) encode(model string, r ChatRequest) ([]byte, error) {
	body := struct {
		Model     string          `json:"model"`
		MaxTokens int             `json:"max_tokens"`
		System    []messagesBlock `json:"system,omitempty"`
		Tools     []messagesTool  `json:"tools,omitempty"`
		Messages  []messagesTurn  `json:"messages"`
	}{Model: model, MaxTokens: cmp.Or(max(r.MaxTokens, 0), 8192)}
	cached := &wireCache{Type: "ephemeral"}
	if r.System != "" {
		body.System = []messagesBlock{{Type: "text", Text: r.System, Cache: cached}}
	}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, messagesTool{t.Name, t.Description, t.Schema})
	}
	for i, t := range r.Turns {
		role := "user"
		var blocks []messagesBlock
		for _, a := range t.Results {
			blocks = append(blocks, messagesBlock{Type: "tool_result", ToolUseID: a.ID, Content: a.Text, IsError: a.Failed})
		}
		if t.Text != "" {
			blocks = append(blocks, messagesBlock{Type: "text", Text: t.Text})
		}
		if t.model {
			role = "assistant"
			for _, c := range t.Calls {
				blocks = append(blocks, messagesBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: arguments(c.Args)})
			}
		}
		if i == len(r.Turns)-1 && len(blocks) > 0 && !t.model {
			blocks[len(blocks)-1].Cache = cached
		}
		content := json.RawMessage(t.raw)
		if content == nil {
			raw, err := json.Marshal(blocks)
			if err != nil {
				return nil, err
			}
			content = raw
		}
		body.Messages = append(body.Messages, messagesTurn{role, content})
	}
	return json.Marshal(body)
}

func (messagesForm) decode(raw []byte) (Turn, Usage, Kind, error) {
	var w struct {
		Type       string          `json:"type"`
		Content    json.RawMessage `json:"content"`
		StopReason string          `json:"stop_reason"`
		Usage      wireUsage       `json:"usage"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return Turn{}, Usage{}, Malformed, err
	}
	if w.Type != "message" {
		return Turn{}, Usage{}, Malformed, errors.New("not a message")
	}
	used := w.Usage.counted()
	switch w.StopReason {
	case "refusal":
		return Turn{}, used, Declined, nil
	case "max_tokens", "model_context_window_exceeded":
		return Turn{}, used, Cut, nil
	}
	var blocks []messagesBlock
	if err := json.Unmarshal(w.Content, &blocks); err != nil {
		// The content of blocks that we do not know may have any shape.
		if blocks, err = knownBlocks(w.Content); err != nil {
			return Turn{}, used, Malformed, err
		}
	}
	t := Turn{model: true, raw: w.Content}
	for _, b := range blocks {
		switch b.Type {
		case "text":
			t.Text += b.Text
		case "tool_use":
			t.Calls = append(t.Calls, ToolCall{b.ID, b.Name, string(b.Input)})
		}
	}
	if len(blocks) == 0 {
		t.raw = nil // an empty list cannot go back
	}
	return t, used, "", nil
}

// knownBlocks reads the blocks of a reply that have the shape of text or calls.
func knownBlocks(raw []byte) ([]messagesBlock, error) {
	var all []json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	var out []messagesBlock
	for _, one := range all {
		var b messagesBlock
		if json.Unmarshal(one, &b) == nil {
			out = append(out, b)
		}
	}
	return out, nil
}

// completionsForm is /v1/chat/completions. No limit of the reply is sent: servers differ
// in what they call it, and refuse the other name.
type completionsForm struct{}

func (completionsForm) path() string { return "/v1/chat/completions" }

type (
	completionsFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
		Arguments   string          `json:"arguments,omitempty"`
	}
	completionsCall struct {
		ID       string              `json:"id,omitempty"`
		Type     string              `json:"type"`
		Function completionsFunction `json:"function"`
	}
	completionsMessage struct {
		Role       string            `json:"role"`
		Content    *string           `json:"content"`
		ToolCalls  []completionsCall `json:"tool_calls,omitempty"`
		ToolCallID string            `json:"tool_call_id,omitempty"`
	}
)

func (completionsForm) encode(model string, r ChatRequest) ([]byte, error) {
	body := struct {
		Model    string               `json:"model"`
		Messages []completionsMessage `json:"messages"`
		Tools    []completionsCall    `json:"tools,omitempty"`
	}{Model: model}
	say := func(role, text string) {
		body.Messages = append(body.Messages, completionsMessage{Role: role, Content: &text})
	}
	if r.System != "" {
		say("system", r.System)
	}
	for _, t := range r.Tools {
		f := completionsFunction{Name: t.Name, Description: t.Description, Parameters: t.Schema}
		body.Tools = append(body.Tools, completionsCall{Type: "function", Function: f})
	}
	for _, t := range r.Turns {
		for _, a := range t.Results {
			text := a.Text
			body.Messages = append(body.Messages, completionsMessage{Role: "tool", Content: &text, ToolCallID: a.ID})
		}
		switch {
		case t.model:
			m := completionsMessage{Role: "assistant"}
			if t.Text != "" || len(t.Calls) == 0 {
				m.Content = &t.Text
			}
			for _, c := range t.Calls {
				m.ToolCalls = append(m.ToolCalls, completionsCall{c.ID, "function", completionsFunction{Name: c.Name, Arguments: string(arguments(c.Args))}})
			}
			body.Messages = append(body.Messages, m)
		case t.Text != "":
			say("user", t.Text)
		}
	}
	return json.Marshal(body)
}

func (completionsForm) decode(raw []byte) (Turn, Usage, Kind, error) {
	var w struct {
		Choices []struct {
			Message completionsMessage `json:"message"`
			Reason  string             `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
			Details    struct {
				Cached int `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return Turn{}, Usage{}, Malformed, err
	}
	if len(w.Choices) == 0 {
		return Turn{}, Usage{}, Malformed, errors.New("no choices")
	}
	cached := min(max(0, w.Usage.Details.Cached), max(0, w.Usage.Prompt))
	used := Usage{Input: max(0, w.Usage.Prompt) - cached, Output: max(0, w.Usage.Completion), CacheRead: cached}
	switch w.Choices[0].Reason {
	case "length":
		return Turn{}, used, Cut, nil
	case "content_filter":
		return Turn{}, used, Declined, nil
	}
	m := w.Choices[0].Message
	t := Turn{model: true}
	if m.Content != nil {
		t.Text = *m.Content
	}
	for i, c := range m.ToolCalls {
		// Some servers name no calls; results need the name.
		t.Calls = append(t.Calls, ToolCall{cmp.Or(c.ID, fmt.Sprintf("call_%d", i)), c.Function.Name, c.Function.Arguments})
	}
	return t, used, "", nil
}
