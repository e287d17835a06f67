package llm

import (
	"context"
	"fmt"
	"net/http"
)

// A Chat asks a model that may call tools, turn by turn, over the Anthropic Messages
// API or over /v1/chat/completions as OpenAI serves it. It keeps no state: a request
// holds the whole conversation. It may be used by many goroutines at once.
type Chat struct {
	client *client
	form   chatForm
}

// A chatForm is the wire form of one API.
type chatForm interface {
	path() string
	encode(model string, r ChatRequest) ([]byte, error)
	decode(raw []byte) (Turn, Usage, Kind, error) // the kind of a reply that is of no use, else ""
}

// OpenAIChatModel is asked at an OpenAI-style endpoint when no model is named.
const OpenAIChatModel = "gpt-5.1"

// NewMessagesChat returns a Chat over the Messages API. It opens no connection.
func NewMessagesChat(c Config) (*Chat, error) {
	claude, err := NewClaude(c)
	if err != nil {
		return nil, err
	}
	return &Chat{client: claude.client, form: messagesForm{}}, nil
}

// NewOpenAIChat returns a Chat over /v1/chat/completions. It opens no connection.
func NewOpenAIChat(c Config) (*Chat, error) {
	cl, err := newClient(c.withDefaults(OpenAIURL, OpenAIChatModel), bearer)
	if err != nil {
		return nil, fmt.Errorf("chat: %w", err)
	}
	return &Chat{client: cl, form: completionsForm{}}, nil
}

// bearer is how OpenAI-style endpoints are given a key.
func bearer(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

// Model returns the name of the model that is asked.
func (c *Chat) Model() string { return c.client.Model }

// A ChatRequest is a conversation up to the point where the model speaks next.
type ChatRequest struct {
	System    string
	Tools     []Tool
	Turns     []Turn // the user's first
	MaxTokens int    // of the reply, where the API wants a limit; 0 means 8192
}

// A Tool is what the model may call.
type Tool struct {
	Name, Description string
	Schema            []byte // JSON Schema of its arguments
}

// A Turn is what one side says: the user text or the results of calls, the model text,
// calls or both.
type Turn struct {
	Text    string
	Calls   []ToolCall   // of the model
	Results []ToolResult // of the user, one for each call of the turn before

	model bool
	raw   []byte // the model's turn as it came: what it thought must go back unchanged
}

// ModelTurn returns a turn of the model that no endpoint gave, as a stand-in says it.
func ModelTurn(text string, calls ...ToolCall) Turn {
	return Turn{Text: text, Calls: calls, model: true}
}

// IsModel reports whether the turn is the model's.
func (t *Turn) IsModel() bool { return t.model }

// A ToolCall is a call that the model wants done. Args is JSON, not yet checked.
type ToolCall struct{ ID, Name, Args string }

// A ToolResult answers the call of the same ID.
type ToolResult struct {
	ID, Text string
	Failed   bool // the text says why
}

// Ask returns the model's next turn, which may be empty. Its usage is also returned with
// an error, when it was paid for.
func (c *Chat) Ask(ctx context.Context, op string, r ChatRequest) (Turn, Usage, error) {
	body, err := c.form.encode(c.client.Model, r)
	if err != nil {
		return Turn{}, Usage{}, &Error{Op: op, Kind: Unsupported, Err: err, Message: err.Error()}
	}
	raw, err := c.client.do(ctx, call{op: op, method: http.MethodPost, path: c.form.path(), body: body, limit: maxReply})
	if err != nil {
		return Turn{}, Usage{}, err
	}
	t, used, kind, err := c.form.decode(raw)
	if used != (Usage{}) {
		c.client.Record(Use{Model: c.client.Model, Usage: used})
	}
	if kind == "" {
		return t, used, nil
	}
	e := &Error{Op: op, Endpoint: c.client.base.Scheme + "://" + c.client.base.Host, Kind: kind, Err: err}
	if err != nil {
		e.Message = scrub(err.Error(), c.client.Key)
	}
	return Turn{}, used, e
}
