package filter

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/docent-md/docent/internal/library/snapshot"
)

// Question is Where for a question too, which may hold conditions among its words:
// tag:security, status:draft, date:>2025-01, -status:draft. Only a field that documents
// have makes one; what else has a colon in it is words, as it always was. The rest is the
// question without them; note says which words look like a condition and are none.
func Question(ctx context.Context, v *snapshot.View, text string, where []string, asked time.Time) (_ *snapshot.View, rest, note string, err error) {
	if n := v.Narrowed; n != nil {
		return v, n.Text, n.Note, nil
	}
	if v, err = Where(ctx, v, where, asked); err != nil {
		return nil, "", "", err
	}
	if !HasConditions(text) {
		return v, text, "", nil
	}
	items := split(text)
	if v.IsPartial() {
		note, err = withoutFields(items)
		return v, text, note, err
	}
	names, err := fieldNames(v)
	if err != nil {
		return v, text, "", err
	}
	var conditions []Condition
	var kept []string
	for _, item := range items {
		c, ok := asCondition(item)
		switch {
		case !ok:
		case isKnown(names, c.Field):
			conditions = append(conditions, c)
			continue
		default:
			near := nearest(c.Field, names)
			switch {
			case note != "":
			case len(near) > 0:
				note = fmt.Sprintf("no document has a field %q, so it counts as a word: the nearest are %s", c.Field, strings.Join(near, ", "))
			case isCalled("tags", c.Field): // nobody writes that for words
				note = fmt.Sprintf("no document has tags: %q counts as words", item)
			}
		}
		kept = append(kept, item)
	}
	if len(conditions) == 0 {
		return v, text, note, nil
	}
	v, err = choose(ctx, v, conditions, asked)
	return v, strings.Join(kept, " "), note, err
}

// HasConditions reports whether some words of a question may be conditions.
func HasConditions(text string) bool {
	return slices.ContainsFunc(split(text), func(item string) bool { _, ok := asCondition(item); return ok })
}

// withoutFields is what becomes of conditions in a question for a cluster, which keeps no
// front matter: those on tags are refused, and others, which may be words, are noted.
func withoutFields(items []string) (note string, err error) {
	for _, item := range items {
		switch c, ok := asCondition(item); {
		case !ok:
		case isCalled("tags", c.Field):
			return "", fmt.Errorf("%s: %w", item, snapshot.ErrUnsupported)
		case note == "":
			note = fmt.Sprintf("a cluster keeps no front matter: %q counts as words", item)
		}
	}
	return note, nil
}

// asCondition reads an item of a question that may be a condition.
func asCondition(item string) (Condition, bool) {
	name, value, ok := strings.Cut(strings.TrimPrefix(item, "-"), ":")
	switch {
	case !ok || value == "" || !isName(name) || strings.ContainsRune(name, ' '),
		value[0] == ':' || value[0] == '/' || value[0] == '\\', // std::move, https://, c:\
		name == "path" || name == "title":                      // operators of their own
		return Condition{}, false
	}
	c, err := Parse(item)
	return c, err == nil
}

// split divides a question at spaces that are not quoted.
func split(text string) []string {
	var out []string
	quoted, from := false, 0
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case !quoted && unicode.IsSpace(r):
			if from < i {
				out = append(out, text[from:i])
			}
			from = i + len(string(r))
		}
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}
