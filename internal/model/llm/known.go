package llm

import (
	"context"
	"encoding/json"
)

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
	return KeyOf("message", c.client.base.String(), string(wire))
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
