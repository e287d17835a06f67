package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// An object is what a file says of a server, in the order of its fields. A value is a
// text, a truth value, a number, a list of texts or an object.
type object []field

type field struct {
	key   string
	value any
}

// writeJSON writes a value, with what is inside it on lines of their own.
func writeJSON(b *strings.Builder, v any, indent, unit string) {
	inner := indent + unit
	switch v := v.(type) {
	case object:
		b.WriteString("{\n")
		for i, f := range v {
			b.WriteString(inner + quoteJSON(f.key) + ": ")
			writeJSON(b, f.value, inner, unit)
			if i < len(v)-1 {
				b.WriteString(",")
			}
			b.WriteString("\n")
		}
		b.WriteString(indent + "}")
	case []string:
		if len(v) == 0 {
			b.WriteString("[]")
			return
		}
		b.WriteString("[\n")
		for i, s := range v {
			b.WriteString(inner + quoteJSON(s))
			if i < len(v)-1 {
				b.WriteString(",")
			}
			b.WriteString("\n")
		}
		b.WriteString(indent + "]")
	case string:
		b.WriteString(quoteJSON(v))
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int:
		b.WriteString(strconv.Itoa(v))
	}
}

// quoteJSON writes a text as JSON does. YAML reads it the same way.
func quoteJSON(s string) string {
	b := &bytes.Buffer{}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // texts always marshal
	return strings.TrimSuffix(b.String(), "\n")
}

// writeTOML writes the fields of a table.
func writeTOML(b *strings.Builder, o object) {
	for _, f := range o {
		switch v := f.value.(type) {
		case string:
			fmt.Fprintf(b, "%s = %s\n", f.key, quoteTOML(v))
		case []string:
			quoted := make([]string, len(v))
			for i, s := range v {
				quoted[i] = quoteTOML(s)
			}
			fmt.Fprintf(b, "%s = [%s]\n", f.key, strings.Join(quoted, ", "))
		}
	}
}

// quoteTOML writes one of TOML's basic strings.
func quoteTOML(s string) string {
	b := &strings.Builder{}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case unicode.IsControl(r) || unicode.Is(unicode.C, r):
			fmt.Fprintf(b, `\U%08X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// writeYAML writes the fields of a mapping.
func writeYAML(b *strings.Builder, o object, indent string) {
	for _, f := range o {
		switch v := f.value.(type) {
		case object:
			b.WriteString(indent + f.key + ":\n")
			writeYAML(b, v, indent+"  ")
		case []string:
			b.WriteString(indent + f.key + ":\n")
			for _, s := range v {
				b.WriteString(indent + "  - " + quoteJSON(s) + "\n")
			}
		case string:
			b.WriteString(indent + f.key + ": " + quoteJSON(v) + "\n")
		default:
			fmt.Fprintf(b, "%s%s: %v\n", indent, f.key, v)
		}
	}
}
