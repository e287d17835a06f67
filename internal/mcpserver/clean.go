package mcpserver

import (
	"bytes"
	"encoding/json"
	"strings"
)

// clean is the last gate before a client: it takes out of a text what could
// steer a terminal or hide words from the person beside the agent, whatever
// operation it comes from. These are control characters other than tab and
// newline, bidirectional overrides, invisible spaces and marks, and tag
// characters. Joiners stay: emoji and Indic scripts need them.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, s)
}

func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, 0x7f <= r && r < 0xa0:
		return true
	case r == 0x200b, r == 0x200e, r == 0x200f, r == 0x061c, r == 0xfeff:
		return true
	case 0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f:
		return true
	case 0xfff9 <= r && r <= 0xfffb, 0xe0000 <= r && r <= 0xe0fff:
		return true
	}
	return false
}

// cleanJSON gives v as JSON knows it, with every text in it cleaned.
func cleanJSON(v any) (any, error) {
	raw, err := jsonOf(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	return cleanValue(out), nil
}

func cleanValue(v any) any {
	switch v := v.(type) {
	case string:
		return clean(v)
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = cleanValue(v[k])
		}
	}
	return v
}
