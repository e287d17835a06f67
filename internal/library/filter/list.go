package filter

import (
	"cmp"
	"maps"
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
	all := func(string) bool { return true }
	err := eachFile(v, all, func(_ *snapshot.Segment, _ int, has []fields.Pair) {
		out.Files++
		if len(has) > 0 {
			out.With++
		}
		for i, p := range has {
			if name != "" && !isCalled(p.Name, name) {
				continue
			}
			c := byName[p.Name]
			if c == nil {
				c = &counter{values: map[string]answer.FieldValue{}}
				byName[p.Name] = c
			}
			same := func(q fields.Pair) bool { return q.Name == p.Name }
			if !slices.ContainsFunc(has[:i], same) {
				c.files++
			}
			again := func(q fields.Pair) bool { return same(q) && strings.EqualFold(q.Value, p.Value) }
			c.add(p.Value, !slices.ContainsFunc(has[:i], again))
		}
	})
	if err != nil {
		return nil, err
	}
	for field, c := range byName {
		values := c.list()
		f := answer.Field{Name: field, Files: c.files, Distinct: len(values), Values: values}
		if name == "" {
			f.Values = values[:min(len(values), someValues)]
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

// A counter counts the documents that have a field, and those that have each of its
// values, whatever the case. A value is spelt as comes first in the order of letters.
type counter struct {
	files  int
	values map[string]answer.FieldValue // in lower case
}

func (c *counter) add(value string, isNew bool) {
	key := strings.ToLower(value)
	v, ok := c.values[key]
	if !ok || value < v.Value {
		v.Value = value
	}
	if isNew {
		v.Files++
	}
	c.values[key] = v
}

// list returns the values, the most frequent first.
func (c *counter) list() []answer.FieldValue {
	return slices.SortedFunc(maps.Values(c.values), func(a, b answer.FieldValue) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Value, b.Value))
	})
}
