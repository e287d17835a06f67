package mcp

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/docent-md/docent/internal/text/visible"
)

// cleanJSON converts v to generic JSON values, with hidden characters in texts escaped.
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
		return visible.Text(v)
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

// jsonOf marshals v without HTML escapes.
func jsonOf(v any) ([]byte, error) {
	b := &strings.Builder{}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}
