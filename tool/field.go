package tool

import (
	"reflect"
	"strings"
)

// A Field is one parameter of an operation.
type Field struct {
	Name     string // in JSON
	Doc      string
	Kind     string   // string, integer or boolean, as JSON schemas say
	Flag     string   // on the command line; "" when it is an argument
	Short    string   // one letter for the flag, or ""
	Arg      bool     // a positional argument
	Rest     bool     // all arguments that are left, joined
	Required bool     // arguments are, unless json says omitempty
	ZeroOK   bool     // the number may be given as 0
	Enum     []string // the values it can have; nil means any
	Aliases  []string // other names that calls may have for it
}

// fieldsOf reads the parameters off the tags of a struct.
func fieldsOf[In any]() []Field {
	t := reflect.TypeFor[In]()
	fields := make([]Field, t.NumField())
	for i := range fields {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		field := Field{Name: name, Doc: f.Tag.Get("doc"), Kind: kindName(f.Type)}
		field.Flag, field.Short, _ = strings.Cut(f.Tag.Get("flag"), ",")
		var arg string
		arg, field.Arg = f.Tag.Lookup("arg")
		field.Rest = strings.HasSuffix(arg, "...")
		field.Required = field.Arg && !strings.Contains(options, "omitempty")
		field.ZeroOK = f.Tag.Get("min") == "0"
		field.Enum = splitTag(f.Tag.Get("enum"))
		field.Aliases = splitTag(f.Tag.Get("alias"))
		fields[i] = field
	}
	return fields
}

// splitTag returns the values of a tag with commas; nil for an empty tag.
func splitTag(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, ",")
}

// kindName is the name a JSON schema has for a Go type.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Slice:
		return "array"
	}
	return "string"
}

// A Schema is the JSON schema of a tool's parameters, in the portable subset
// that every model provider reads.
type Schema struct {
	Type       string              `json:"type"`
	Properties map[string]Property `json:"properties"`
	Required   []string            `json:"required,omitempty"`
}

// A Property is one parameter in a Schema.
type Property struct {
	Type        string   `json:"type"`
	Description string   `json:"description,omitempty"`
	Enum        []string `json:"enum,omitempty"`
}

// Schema returns the schema of the tool's parameters.
func (t Tool) Schema() Schema {
	s := Schema{Type: "object", Properties: map[string]Property{}}
	for _, f := range t.Input {
		s.Properties[f.Name] = Property{Type: f.Kind, Description: f.Doc, Enum: f.Enum}
		if f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}
