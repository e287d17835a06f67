package filter

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/library/history"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// Where returns a view of the documents that meet all conditions. A field or value that
// no document has is a NotFoundError, which names the nearest; asked is when the question
// came, since which a document may have got it.
func Where(ctx context.Context, v *snapshot.View, where []string, asked time.Time) (*snapshot.View, error) {
	conditions := make([]Condition, len(where))
	for i, text := range where {
		var err error
		if conditions[i], err = Parse(text); err != nil {
			return nil, err
		}
	}
	return choose(ctx, v, conditions, asked)
}

// choose returns a view of the documents that meet all conditions.
func choose(ctx context.Context, v *snapshot.View, conditions []Condition, asked time.Time) (*snapshot.View, error) {
	var err error
	for i := range conditions {
		if since := conditions[i].since; !since.IsZero() {
			if v, err = changedSince(ctx, v, since); err != nil {
				return nil, err
			}
		}
	}
	conditions = slices.DeleteFunc(conditions, func(c Condition) bool { return !c.since.IsZero() })
	if len(conditions) == 0 {
		return v, nil
	}
	names, err := fieldNames(v)
	if err != nil {
		return nil, err
	}
	for _, c := range conditions {
		if !isKnown(names, c.Field) {
			err := &answer.NotFoundError{Name: c.Field, Nearest: nearest(c.Field, names), Err: answer.ErrNoField}
			return nil, cmp.Or(v.StaleMiss(asked), error(err))
		}
	}
	chosen := make([][]bool, len(v.Segments))
	met := make([]bool, len(conditions)) // by some document
	wanted := func(name string) bool {
		return slices.ContainsFunc(conditions, func(c Condition) bool { return isCalled(name, c.Field) })
	}
	err = eachFile(v, wanted, func(s *snapshot.Segment, row int, has []fields.Pair) {
		if chosen[s.Number] == nil {
			chosen[s.Number] = make([]bool, s.Table.Files())
		}
		all := true
		for i := range conditions {
			c := &conditions[i]
			holds := c.holds(has, asked)
			met[i] = met[i] || holds
			all = all && holds != c.Not
		}
		chosen[s.Number][row] = all
	})
	if err != nil {
		return nil, err
	}
	for i := range conditions {
		if c := &conditions[i]; !met[i] && c.op == "=" && !c.Not {
			err := noValue(v, c)
			return nil, cmp.Or(v.StaleMiss(asked), err)
		}
	}
	for i, s := range v.Segments {
		if chosen[i] == nil {
			chosen[i] = make([]bool, s.Table.Files())
		}
	}
	return v.Choose(chosen), nil
}

// changedSince returns a view of the documents that were changed since a time.
func changedSince(ctx context.Context, v *snapshot.View, since time.Time) (*snapshot.View, error) {
	byHome := map[*snapshot.View]map[string]bool{}
	for _, home := range v.Homes() {
		var err error
		if byHome[home], err = history.ChangedSince(ctx, home, since); err != nil {
			return nil, fmt.Errorf("changed since: %w", err)
		}
	}
	chosen := make([][]bool, len(v.Segments))
	for i, s := range v.Segments {
		chosen[i] = make([]bool, s.Table.Files())
		for row := range chosen[i] {
			path, err := s.Table.Path(row)
			if err != nil {
				return nil, err
			}
			chosen[i][row] = v.Has(i, row) && byHome[s.Home][path]
		}
	}
	return v.Choose(chosen), nil
}

// isCalled reports whether a field may be called so: whatever the case, in the singular or
// plural, as tag means tags.
func isCalled(field, name string) bool {
	field, name = strings.TrimSuffix(field, "s"), strings.TrimSuffix(name, "s")
	return strings.EqualFold(field, name)
}

// eachFile calls fn with those fields of every document that are wanted.
func eachFile(v *snapshot.View, wanted func(name string) bool, fn func(s *snapshot.Segment, row int, has []fields.Pair)) error {
	for i, s := range v.Segments {
		r, err := s.Fields()
		if err != nil {
			return err
		}
		names, err := r.NameSet(wanted)
		if err != nil {
			return err
		}
		for row := range s.Table.Files() {
			if s.Dead[row] || !v.Has(i, row) {
				continue
			}
			pairs, err := r.Some(row, names)
			if err != nil {
				return err
			}
			fn(s, row, pairs)
		}
	}
	return nil
}

// fieldNames returns the names of all fields, in order.
func fieldNames(v *snapshot.View) ([]string, error) {
	var all []string
	for _, s := range v.Segments {
		r, err := s.Fields()
		if err != nil {
			return nil, err
		}
		names, err := r.Names()
		if err != nil {
			return nil, err
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func isKnown(names []string, field string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return isCalled(name, field) })
}

// maxNearest is how many names or values are suggested.
const maxNearest = 3

func nearest(want string, names []string) []string { return words.Nearest(want, names, maxNearest) }

// noValue says that no document has a value, and what there is instead: the values most
// like it, else the most frequent.
func noValue(v *snapshot.View, c *Condition) error {
	f, err := List(v, c.Field)
	if err != nil {
		return err
	}
	var all []string
	for _, field := range f.Fields {
		for _, value := range field.Values {
			all = append(all, value.Value)
		}
	}
	near := nearest(c.want[0], all)
	if len(near) == 0 {
		near = all[:min(len(all), maxNearest)]
	}
	for i := range near {
		near[i] = c.Field + "=" + near[i]
	}
	return &answer.NotFoundError{Name: c.Field + "=" + strings.Join(c.want, ","), Nearest: near, Err: answer.ErrNoValue}
}
