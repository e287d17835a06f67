// Package tool is the one table of docent's operations. Command-line flags and
// help, JSON schemas, the tool list for a model and the MCP tools all come from
// it: an operation is an input struct, a sentence and a function.
package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/docent-md/docent"
)

// An Answer is what an operation gives back. It prints itself once, so that
// people and models read the same text, and marshals to JSON for programs.
type Answer interface {
	WriteText(w io.Writer) error
}

// A Tool is one operation.
type Tool struct {
	Name  string
	Doc   string  // a sentence, for a list of tools
	Input []Field // in the order of the struct
	Off   bool    // not offered unless it is asked for by name

	run func(ctx context.Context, lib *docent.Library, params []byte) (Answer, error)
}

// ErrUnknown is what Call returns, wrapped, for a name that is not in the table.
var ErrUnknown = errors.New("unknown tool")

// A row of the table makes its Tool when it is asked for: whoever runs one
// operation reads the tags of one struct.
type row struct {
	name string
	off  bool
	make func() Tool
}

// define makes a row of a function. In is a struct whose fields carry the tags
// json (the parameter's name), doc (a phrase), flag ("name" or "name,n") and arg
// (a positional argument) and enum ("a,b,c").
func define[In any](name, doc string, run func(context.Context, *docent.Library, In) (Answer, error)) row {
	return row{name: name, make: func() Tool {
		t := Tool{Name: name, Doc: doc, Input: fieldsOf[In]()}
		t.run = func(ctx context.Context, lib *docent.Library, params []byte) (Answer, error) {
			var in In
			if err := decode(t, params, &in); err != nil {
				return nil, err
			}
			if lib.Stored() && !slices.Contains(docent.StoredTools, name) {
				return nil, fmt.Errorf("%s: %w", name, docent.ErrNotStored)
			}
			return run(ctx, lib, in)
		}
		return t
	}}
}

// onDemand makes the tool of a row one that is offered only when it is asked for.
func (r row) onDemand() row {
	r.off = true
	return r
}

func (r row) tool() Tool {
	t := r.make()
	t.Off = r.off
	return t
}

// All returns the table, in a fixed order, but for tools that are off.
func All() []Tool {
	var out []Tool
	for _, r := range table() {
		if !r.off {
			out = append(out, r.tool())
		}
	}
	return out
}

// Find returns the tool of that name, or of what a specification calls it.
func Find(name string) (Tool, error) {
	alias, _ := aliasOf(name)
	for _, r := range table() {
		if r.name == name || r.name == alias {
			return r.tool(), nil
		}
	}
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return Tool{}, fmt.Errorf("%w: %s (there are %s)", ErrUnknown, name, strings.Join(names, ", "))
}

// Call runs the operation of that name with its parameters as a JSON object.
func Call(ctx context.Context, lib *docent.Library, name string, params []byte) (Answer, error) {
	t, err := Find(name)
	if err != nil {
		return nil, err
	}
	return t.Call(ctx, lib, params)
}

// Call runs the operation.
func (t Tool) Call(ctx context.Context, lib *docent.Library, params []byte) (Answer, error) {
	return t.run(ctx, lib, params)
}

// decode reads parameters strictly: a model repairs itself with what the error
// says, so the error names what is wrong and what there is.
func decode(t Tool, params []byte, into any) error {
	if len(bytes.TrimSpace(params)) == 0 {
		params = []byte("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(params, &given); err != nil {
		return fmt.Errorf("%s: parameters must be a JSON object: %w", t.Name, err)
	}
	if translate(t.Name, given) {
		var err error
		if params, err = json.Marshal(given); err != nil {
			return err
		}
	}
	names := make([]string, len(t.Input))
	for i, f := range t.Input {
		names[i] = f.Name
		value, ok := given[f.Name]
		if f.Required && (!ok || string(value) == `""`) {
			return fmt.Errorf("%s: parameter %q is missing: %s", t.Name, f.Name, f.Doc)
		}
		if ok && len(f.Enum) > 0 {
			var s string
			if json.Unmarshal(value, &s) == nil && s != "" && !slices.Contains(f.Enum, s) {
				return fmt.Errorf("%s: parameter %q is %q: must be one of %s", t.Name, f.Name, s, strings.Join(f.Enum, ", "))
			}
		}
	}
	for name := range given {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s: unknown parameter %q (there are %s)", t.Name, name, strings.Join(names, ", "))
		}
	}
	err := json.Unmarshal(params, into)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s: parameter %q is a %s: must be of type %s", t.Name, wrong.Field, wrong.Value, kindName(wrong.Type))
	}
	return err
}
