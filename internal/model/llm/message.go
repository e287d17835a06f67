package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A Claude asks the Anthropic Messages API, or a server that speaks it. It may
// be used by many goroutines at once.
type Claude struct {
	client *client
}

// NewClaude returns a Claude. It opens no connection.
func NewClaude(c Config) (*Claude, error) {
	cl, err := newClient(c.withDefaults(ClaudeURL, ClaudeModel), func(h http.Header, key string) {
		h.Set("Anthropic-Version", "2023-06-01")
		if key != "" {
			h.Set("X-Api-Key", key)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("claude: %w", err)
	}
	return &Claude{client: cl}, nil
}

// Model returns the name of the model that is asked.
func (c *Claude) Model() string { return c.client.Model }

// A Block is a piece of the question. The provider keeps a prompt up to the end
// of a block marked Cache for five minutes and charges less for it the next
// time.
type Block struct {
	Text  string
	Cache bool
}

// A Request is one question, answered by JSON that fits a schema.
type Request struct {
	System    string
	Blocks    []Block
	Schema    string // JSON Schema; all objects closed by additionalProperties: false
	MaxTokens int    // of the answer and the thinking before it; 0 means 4096

	within time.Duration // that somebody waits; 0 for a job
}

// A Reply is the answer to a Request.
type Reply struct {
	Text  string // JSON, not yet checked
	Usage Usage
}

// maxReply is more than any answer we ask for has.
const maxReply = 4 << 20

// Ask sends one request and waits for the answer. Its usage is also in the
// Reply with an error, when it was paid for.
func (c *Claude) Ask(ctx context.Context, op string, r Request) (Reply, error) {
	body, err := json.Marshal(c.wire(r))
	if err != nil {
		return Reply{}, &Error{Op: op, Kind: Unsupported, Err: err, Message: err.Error()}
	}
	raw, err := c.client.do(ctx, call{op: op, method: http.MethodPost, path: "/v1/messages", body: body, limit: maxReply, within: r.within})
	if err != nil {
		return Reply{}, err
	}
	return c.readMessage(op, raw, false)
}

// The wire form of a request. The answer is shaped by output_config.format and
// not by a forced tool: newer models refuse to be forced. Sampling parameters
// are refused too, so none are sent. Thinking is on by default; a low effort
// keeps it short, for models that know what effort is.
type (
	wireRequest struct {
		Model        string        `json:"model"`
		MaxTokens    int           `json:"max_tokens"`
		System       []wireBlock   `json:"system,omitempty"`
		Messages     []wireMessage `json:"messages"`
		OutputConfig *wireOutput   `json:"output_config,omitempty"`
	}
	wireMessage struct {
		Role    string      `json:"role"`
		Content []wireBlock `json:"content"`
	}
	wireBlock struct {
		Type  string     `json:"type"`
		Text  string     `json:"text"`
		Cache *wireCache `json:"cache_control,omitempty"`
	}
	wireCache struct {
		Type string `json:"type"`
	}
	wireOutput struct {
		Effort string      `json:"effort,omitempty"`
		Format *wireFormat `json:"format,omitempty"`
	}
	wireFormat struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	}
	wireUsage struct {
		Input      int `json:"input_tokens"`
		Output     int `json:"output_tokens"`
		CacheWrite int `json:"cache_creation_input_tokens"`
		CacheRead  int `json:"cache_read_input_tokens"`
	}
	wireReply struct {
		Type       string      `json:"type"`
		Content    []wireBlock `json:"content"`
		StopReason string      `json:"stop_reason"`
		Usage      wireUsage   `json:"usage"`
	}
)

// counted is what was used, as far as an endpoint can be believed.
func (u wireUsage) counted() Usage {
	return Usage{max(0, u.Input), max(0, u.Output), max(0, u.CacheWrite), max(0, u.CacheRead)}
}

func (c *Claude) wire(r Request) wireRequest {
	w := wireRequest{Model: c.client.Model, MaxTokens: cmp.Or(max(r.MaxTokens, 0), 4096)}
	if r.System != "" {
		w.System = []wireBlock{{Type: "text", Text: r.System}}
	}
	m := wireMessage{Role: "user"}
	for _, b := range r.Blocks {
		block := wireBlock{Type: "text", Text: b.Text}
		if b.Cache {
			block.Cache = &wireCache{Type: "ephemeral"}
		}
		m.Content = append(m.Content, block)
	}
	w.Messages = []wireMessage{m}
	w.OutputConfig = &wireOutput{Format: &wireFormat{Type: "json_schema", Schema: json.RawMessage(r.Schema)}}
	if known, _ := lookup(c.client.Model); known.effort {
		w.OutputConfig.Effort = "low"
	}
	return w
}

// readMessage reads the answer and counts what it cost.
func (c *Claude) readMessage(op string, raw []byte, batch bool) (Reply, error) {
	fail := func(kind Kind, cause error) error {
		e := &Error{Op: op, Endpoint: c.client.base.Scheme + "://" + c.client.base.Host, Kind: kind, Err: cause}
		if cause != nil {
			e.Message = scrub(cause.Error(), c.client.Key)
		}
		return e
	}
	var w wireReply
	if err := json.Unmarshal(raw, &w); err != nil {
		return Reply{}, fail(Malformed, err)
	}
	if w.Type != "message" {
		return Reply{}, fail(Malformed, errors.New("not a message"))
	}
	reply := Reply{Usage: w.Usage.counted()}
	c.client.Record(Use{Model: c.client.Model, Usage: reply.Usage, Batch: batch})
	switch w.StopReason {
	case "refusal":
		return reply, fail(Declined, nil)
	case "max_tokens", "model_context_window_exceeded":
		return reply, fail(Cut, nil)
	}
	// Blocks are told apart by type: thinking may come first.
	for _, b := range w.Content {
		if b.Type == "text" {
			reply.Text += b.Text
		}
	}
	if reply.Text == "" {
		return reply, fail(Empty, nil)
	}
	return reply, nil
}

// strict reads one JSON value with the fields of out and nothing else. What was
// wrong is not told, for that would repeat what a server said.
func strict(op, text string, out any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(out); err != nil {
		return &Error{Op: op, Kind: Malformed, Message: "it does not fit the schema"}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &Error{Op: op, Kind: Malformed, Message: "something follows it"}
	}
	return nil
}

// Known returns the answer to r when it was paid for before. What was asked is
// known by the whole request, with model and endpoint: a changed text, prompt
// or model is another question.
func (c *Claude) Known(r Request) (text string, ok bool) {
	raw, ok := c.client.Cache.Get(c.keyOf(r))
	return string(raw), ok
}

// Keep stores the answer to r for Known, as from a batch. It is the caller's to
// check it first.
func (c *Claude) Keep(r Request, text string) error {
	return c.client.Cache.Put(map[Key][]byte{c.keyOf(r): []byte(text)})
}

func (c *Claude) keyOf(r Request) Key {
	wire, _ := json.Marshal(c.wire(r)) // a schema that is no JSON is refused when asked
	return KeyOf("message", address(c.client.base), string(wire))
}

// cached returns what parse makes of the answer to r, which is the cached one
// or asked for. Only answers that parse accepts are cached.
func cached[T any](ctx context.Context, c *Claude, op string, r Request, parse func(text string) (T, error)) (out T, used Usage, hit bool, err error) {
	if text, ok := c.Known(r); ok {
		if out, err = parse(text); err == nil {
			return out, Usage{}, true, nil
		}
	}
	reply, err := c.Ask(ctx, op, r)
	if err == nil {
		out, err = parse(reply.Text)
	}
	if err == nil {
		// That it could not be stored costs money another time, but is no reason
		// to lose the answer now.
		_ = c.Keep(r, reply.Text)
	}
	return out, reply.Usage, false, err
}
