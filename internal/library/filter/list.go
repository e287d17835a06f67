package filter

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// someValues is how many values of a field are listed beside those of others.
const someValues = 10

// List says which fields the documents have, those of most documents first, each with
// its most frequent values. Of a field that is named, all values are listed.
func List(v *snapshot.View, name string) (*answer.Fields, error) {
	asked := time.Now()
	out := &answer.Fields{Fields: []answer.Field{}}
	byName := map[string]*counter{}
	err := eachFile(v, func(_ *snapshot.Segment, _ int, has []fields.Pair) {
		out.Files++
		if len(has) > 0 {
			out.With++
		}
		last := ""
		for _, p := range has {
			if name != "" && !isCalled(p.Name, name) {
				continue
			}
			c := byName[p.Name]
			if c == nil {
				c = &counter{values: map[string]int{}}
				byName[p.Name] = c
			}
			if p.Name != last { // the values of a field come together
				c.files++
			}
			last = p.Name
			c.values[p.Value]++
		}
	})
	if err != nil {
		return nil, err
	}
	for field, c := range byName {
		all := c.list()
		f := answer.Field{Name: field, Files: c.files, Distinct: len(all), Values: all}
		if name == "" {
			f.Values = all[:min(len(all), someValues)]
		}
		out.Fields = append(out.Fields, f)
	}
	slices.SortFunc(out.Fields, func(a, b answer.Field) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Name, b.Name))
	})
	if name != "" && len(out.Fields) == 0 {
		names, err := fieldNames(v)
		if err != nil {
			return nil, err
		}
		err = &answer.NotFoundError{Name: name, Nearest: nearest(name, names), Err: answer.ErrNoField}
		return nil, cmp.Or(v.StaleMiss(asked), err)
	}
	return out, nil
}

// A counter counts the documents that have a field, and each of its values.
type counter struct {
	files  int
	values map[string]int
}

// list returns the values, the most frequent first, whatever their case, in the spelling that comes
// first in the order of letters.
func (c *counter) list() []answer.FieldValue {
	byFold := map[string]answer.FieldValue{}
	for value, n := range c.values {
		key := strings.ToLower(value)
		v, ok := byFold[key]
		if !ok || value < v.Value {
			v.Value = value
		}
		v.Files += n
		byFold[key] = v
	}
	out := make([]answer.FieldValue, 0, len(byFold))
	for _, v := range byFold {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b answer.FieldValue) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Value, b.Value))
	})
	return out
}
