package tool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/docent-md/docent"
)

// An operation defines a Tool. In is a struct whose fields carry the tags json (the
// parameter's name), doc (a phrase), flag ("name" or "name,n") or arg (a positional
// argument; "name..." takes all that are left), enum ("a,b,c"), min ("0" where zero has
// a meaning) and alias (other names that calls may have for the parameter: "a,b"). What
// several operations share is a struct that they embed.
//
// An operation is a composite literal without maps or calls, which costs a program
// nothing when it starts. The tags are read when the tool is asked for.
type operation[In any] struct {
	Tool
	// Translate rewrites parameters that specifications know by other names, where an
	// alias will not do, and reports whether it did; nil means nothing to do.
	Translate func(given map[string]json.RawMessage) bool
	Run       func(ctx context.Context, lib *docent.Library, in In) (Answer, error)
}

// A row of the table is an operation, whatever its input.
type row interface {
	about() *Tool // without Input
	tool() Tool
}

func (o *operation[In]) about() *Tool { return &o.Tool }

func (o *operation[In]) tool() Tool {
	t := o.Tool
	t.Input = fieldsOf[In]()
	t.run = func(ctx context.Context, lib *docent.Library, params []byte) (Answer, error) {
		in, err := o.decode(t.Input, params)
		if err != nil {
			return nil, err
		}
		a, err := o.Run(ctx, lib, in)
		if errors.Is(err, docent.ErrUnsupported) {
			err = fmt.Errorf("%s: %w", t.Name, err)
		}
		return a, err
	}
	return t
}

// decode reads parameters strictly: a model repairs itself with what the error
// says, so the error names what is wrong and what there is.
func (o *operation[In]) decode(fields []Field, params []byte) (in In, err error) {
	if len(bytes.TrimSpace(params)) == 0 {
		params = []byte("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(params, &given); err != nil {
		return in, fmt.Errorf("%s: parameters must be a JSON object: %w", o.Name, err)
	}
	if o.translate(fields, given) {
		if params, err = json.Marshal(given); err != nil {
			return in, err
		}
	}
	if err := o.check(fields, given); err != nil {
		return in, err
	}
	err = json.Unmarshal(params, &in)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		name := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:] // without the struct it is embedded in
		err = fmt.Errorf("%s: parameter %q is a %s: must be of type %s", o.Name, name, wrong.Value, kindName(wrong.Type))
	}
	return in, err
}

// check compares the names and the enumerated values of parameters with fields.
func (o *operation[In]) check(fields []Field, given map[string]json.RawMessage) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
		value, ok := given[f.Name]
		if f.Required && (!ok || string(value) == `""`) {
			return fmt.Errorf("%s: parameter %q is missing: %s", o.Name, f.Name, f.Doc)
		}
		if ok && len(f.Enum) > 0 {
			var s string
			if json.Unmarshal(value, &s) == nil && s != "" && !slices.Contains(f.Enum, s) {
				return fmt.Errorf("%s: parameter %q is %q: must be one of %s", o.Name, f.Name, s, strings.Join(f.Enum, ", "))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) { // of several always the same
		if !slices.Contains(names, name) {
			return &UnknownParameterError{Tool: o.Name, Parameter: name, Known: names}
		}
	}
	return nil
}

// An UnknownParameterError is returned for a parameter that an operation does not have.
type UnknownParameterError struct {
	Tool      string
	Parameter string
	Known     []string // the parameters that there are
}

func (e *UnknownParameterError) Error() string {
	return fmt.Sprintf("%s: unknown parameter %q (there are %s)", e.Tool, e.Parameter, strings.Join(e.Known, ", "))
}

// translate gives parameters the names that the operation has for them, and reports
// whether it changed any.
func (o *operation[In]) translate(fields []Field, given map[string]json.RawMessage) bool {
	changed := o.Translate != nil && o.Translate(given)
	for _, f := range fields {
		for _, alias := range f.Aliases {
			if value, ok := given[alias]; ok && given[f.Name] == nil {
				given[f.Name] = value
				delete(given, alias)
				changed = true
			}
		}
	}
	return changed
}

// A Field is one parameter of an operation.
type Field struct {
	Name     string // in JSON
	Doc      string
	Kind     string   // string, integer, boolean or array (of strings), as JSON schemas say
	Flag     string   // on the command line; "" when it is an argument
	Short    string   // one letter for the flag, or ""
	Arg      bool     // a positional argument
	Rest     bool     // all arguments that are left, joined; an array has them one by one
	Required bool     // arguments are, unless json says omitempty
	ZeroOK   bool     // the number may be given as 0
	Enum     []string // the values it can have; nil means any
	Aliases  []string // other names that calls may have for it
}

// fieldsOf reads the parameters off the tags of a struct and of those embedded in it.
func fieldsOf[In any]() []Field {
	var fields []Field
	for _, f := range reflect.VisibleFields(reflect.TypeFor[In]()) {
		if f.Anonymous {
			continue // its fields follow
		}
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
		fields = append(fields, field)
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

	Items *Property `json:"items,omitempty"` // of an array
}

// NewProperty describes a parameter.
func NewProperty(f Field) Property {
	p := Property{Type: f.Kind, Description: f.Doc, Enum: f.Enum}
	if f.Kind == "array" {
		p.Items = &Property{Type: "string"}
	}
	return p
}

// Strings are several values of one parameter. A call may give a single one as a string.
type Strings []string

// UnmarshalJSON reads a list of strings, or one string.
func (s *Strings) UnmarshalJSON(b []byte) error {
	var one string
	var all []string
	if json.Unmarshal(b, &one) == nil {
		if strings.HasPrefix(one, "[\"") && json.Unmarshal([]byte(one), &all) == nil { // as some models write it
			*s = all
			return nil
		}
		*s = Strings{one}
		return nil
	}
	if err := json.Unmarshal(b, &all); err != nil {
		return errors.New("a parameter that takes several values must be a list of strings")
	}
	*s = all
	return nil
}

// Schema returns the schema of the tool's parameters.
func (t Tool) Schema() Schema {
	s := Schema{Type: "object", Properties: map[string]Property{}}
	for _, f := range t.Input {
		s.Properties[f.Name] = NewProperty(f)
		if f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

// AgentDoc returns what a model is told of the tool.
func (t Tool) AgentDoc() string {
	return cmp.Or(t.Agent.Doc, strings.ToUpper(t.Doc[:1])+t.Doc[1:]+".")
}

// AgentSchema returns the schema with the parameters that a model is shown.
func (t Tool) AgentSchema() Schema {
	s := t.Schema()
	if t.Agent.Params == nil {
		return s
	}
	all := s.Properties
	s.Properties = map[string]Property{}
	for _, p := range t.Agent.Params {
		shown := all[p.Name]
		shown.Description = p.Doc
		s.Properties[p.Name] = shown
	}
	return s
}
