package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// params are the fields of a request that a Server knows. Any other is refused,
// as the API does.
type params struct {
	Model     string  `json:"model"`
	MaxTokens int     `json:"max_tokens"`
	System    []block `json:"system"`
	Messages  []struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	} `json:"messages"`
	OutputConfig struct {
		Effort string `json:"effort"`
		Format struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
}

type block struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Cache *struct {
		Type string `json:"type"`
	} `json:"cache_control"`
}

func (s *Server) messages(w http.ResponseWriter, r *http.Request, body []byte, f Fault) {
	if !s.admit(w, r, http.MethodPost) {
		return
	}
	var message map[string]any
	p, err := parse(body)
	if err == nil {
		message, err = s.message(p, f)
	}
	if err != nil {
		fail(w, false, http.StatusBadRequest, err.Error())
		return
	}
	reply(w, message)
}

// admit checks what every request to the Messages API must carry.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, method string) bool {
	switch {
	case r.Method != method:
		fail(w, false, http.StatusMethodNotAllowed, "method not allowed")
	case r.Header.Get("X-Api-Key") != Key:
		// Some servers repeat what they were sent.
		fail(w, false, http.StatusUnauthorized, "invalid x-api-key "+r.Header.Get("X-Api-Key"))
	case r.Header.Get("Anthropic-Version") == "":
		fail(w, false, http.StatusBadRequest, "anthropic-version: header is required")
	case method == http.MethodPost && r.Header.Get("Content-Type") != "application/json":
		fail(w, false, http.StatusBadRequest, "content-type must be application/json")
	default:
		return true
	}
	return false
}

func parse(body []byte) (params, error) {
	var p params
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, err
	}
	caches := 0
	for _, b := range slices.Concat(p.System, p.content()) {
		if b.Type != "text" || strings.TrimSpace(b.Text) == "" {
			return p, errors.New("text content blocks must be non-empty")
		}
		if b.Cache != nil {
			caches++
			if b.Cache.Type != "ephemeral" {
				return p, errors.New("cache_control.type: must be ephemeral")
			}
		}
	}
	format := p.OutputConfig.Format
	switch {
	case p.Model == "":
		return p, errors.New("model: field required")
	case p.MaxTokens < 1:
		return p, errors.New("max_tokens: must be greater than or equal to 1")
	case len(p.Messages) == 0 || p.Messages[len(p.Messages)-1].Role != "user":
		return p, errors.New("messages: must end with a user turn")
	case caches > 4:
		return p, errors.New("a maximum of 4 blocks with cache_control may be provided")
	case p.OutputConfig.Effort != "" && strings.HasPrefix(p.Model, "claude-haiku-4"):
		return p, errors.New("output_config.effort: not supported by this model")
	case format.Type != "json_schema":
		return p, errors.New("output_config.format.type: must be json_schema")
	}
	return p, checkSchema(format.Schema)
}

// checkSchema refuses what structured outputs refuse: open objects.
func checkSchema(raw json.RawMessage) error {
	var schema map[string]any
	if err := json.Unmarshal(raw, &schema); err != nil {
		return fmt.Errorf("output_config.format.schema: %w", err)
	}
	if schema["type"] == "object" && schema["additionalProperties"] != false {
		return errors.New("output_config.format.schema: for 'object' type, 'additionalProperties' must be explicitly set to false")
	}
	return nil
}

func (p params) content() []block {
	var all []block
	for _, m := range p.Messages {
		all = append(all, m.Content...)
	}
	return all
}

// prompt is the text of the question as the model reads it.
func (p params) prompt() string {
	var b strings.Builder
	for _, c := range p.content() {
		b.WriteString(c.Text + "\n")
	}
	return b.String()
}

// message answers p. A thinking block comes first, as with the real models: a
// client must tell blocks apart by their type.
func (s *Server) message(p params, f Fault) (map[string]any, error) {
	text := f.Text
	if text == "" {
		var err error
		if text, err = s.say(p); err != nil {
			return nil, err
		}
	}
	stop := f.Stop
	content := []any{
		map[string]any{"type": "thinking", "thinking": "", "signature": "c2lnbmF0dXJl"},
		map[string]any{"type": "text", "text": text},
	}
	switch stop {
	case "":
		stop = "end_turn"
	case "refusal":
		content = nil
	case "max_tokens":
		content = content[:1]
	}
	return map[string]any{
		"id": "msg_test", "type": "message", "role": "assistant", "model": p.Model,
		"content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": s.usage(p, text),
	}, nil
}

// usage counts four bytes as a token, and what the prompt cache saves: the
// prompt up to the last block that is marked is written once and read then.
func (s *Server) usage(p params, answer string) map[string]any {
	var whole, cached strings.Builder
	for _, b := range slices.Concat(p.System, p.content()) {
		whole.WriteString(b.Text)
		if b.Cache != nil {
			cached.Reset()
			cached.WriteString(whole.String())
		}
	}
	write, read := cached.Len()/4, 0
	s.mu.Lock()
	if cached.Len() > 0 && s.prompts[p.Model+cached.String()] {
		write, read = 0, write
	}
	s.prompts[p.Model+cached.String()] = true
	s.mu.Unlock()
	return map[string]any{
		"input_tokens":                (whole.Len() - cached.Len()) / 4,
		"cache_creation_input_tokens": write,
		"cache_read_input_tokens":     read,
		"output_tokens":               len(answer)/4 + 1,
	}
}
