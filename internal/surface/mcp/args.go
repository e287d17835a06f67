package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/docent-md/docent/tool"
)

// arguments are a call's, by name.
type arguments map[string]json.RawMessage

// parse reads the arguments of a call as models write them: numbers and truth
// values may come as text, whole numbers with a fraction of nothing, and what
// is not given may be given as null.
func (v *toolView) parse(raw json.RawMessage) (arguments, error) {
	args := arguments{}
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, fmt.Errorf("%s: arguments must be a JSON object", v.name)
		}
	}
	if args == nil {
		args = arguments{}
	}
	for name, value := range args {
		value = bytes.TrimSpace(value)
		f, _, ok := v.field(name)
		if string(value) == "null" {
			delete(args, name)
			continue
		}
		if !ok {
			continue // the operation says what there is
		}
		switch f.Kind {
		case "integer":
			args[name] = wholeNumber(value)
		case "boolean":
			args[name] = truth(value)
		}
	}
	return args, nil
}

// wholeNumber reads "5" and 5.0 as 5, and leaves alone what is no number.
func wholeNumber(v json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(v, &s) != nil {
		s = string(v)
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e9 {
		return v
	}
	return json.RawMessage(strconv.FormatInt(int64(f), 10))
}

// truth reads "true" as true.
func truth(v json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return v
	}
	if b, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(s))); err == nil {
		return json.RawMessage(strconv.FormatBool(b))
	}
	return v
}

// integer returns a number that was given.
func (a arguments) integer(name string) (int, bool) {
	v, given := a[name]
	var n int
	err := json.Unmarshal(v, &n)
	return n, given && err == nil
}

// truth reports whether a parameter was given as true.
func (a arguments) truth(name string) bool { return string(a[name]) == "true" }

// cut returns a text that was given, and takes it out.
func (a arguments) cut(name string) string {
	var s string
	_ = json.Unmarshal(a[name], &s)
	delete(a, name)
	return s
}

// first takes the first of a list for a parameter that is not given.
func (a arguments) first(list, one string) {
	var all tool.Strings
	if a[one] != nil || json.Unmarshal(a[list], &all) != nil || len(all) == 0 {
		return
	}
	a.put(one, all[0])
	delete(a, list)
	if len(all) > 1 {
		a.put(list, all[1:])
	}
}

// put sets a parameter.
func (a arguments) put(name string, value any) {
	a[name], _ = json.Marshal(value)
}
