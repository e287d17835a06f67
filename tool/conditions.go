package tool

import (
	"errors"
	"regexp"
	"slices"

	"github.com/docent-md/docent"
)

// conditions on files are parameters of every operation that looks through many.
type conditions struct {
	Where Strings `json:"where,omitempty" flag:"where" doc:"only files whose front matter meets this: status=draft, tag=security, date>2025-01; may be repeated"`
	Since string  `json:"changed_since,omitempty" flag:"changed-since" doc:"only files that were changed since: 30d, 2025-01-01, 'last week'"`
}

// list returns the conditions as a library reads them.
func (c conditions) list() []string {
	if c.Since == "" {
		return c.Where
	}
	return append(c.Where, docent.ChangedSince+c.Since)
}

// asCondition is what a path looks like that may be a condition.
var asCondition = regexp.MustCompile(`^-?[\w.-]+:[^:/\\]`)

// run asks about paths under conditions. Where there is no such document, paths that look
// like conditions, as tag:security does, are taken for some if documents have the field.
func run(paths, where []string, ask func(paths, where []string) (Answer, error)) (Answer, error) {
	out, err := ask(paths, where)
	if !errors.Is(err, docent.ErrNotFound) || !slices.ContainsFunc(paths, asCondition.MatchString) {
		return out, err
	}
	where = slices.Clone(where)
	var rest []string
	for _, p := range paths {
		if asCondition.MatchString(p) {
			where = append(where, p)
		} else {
			rest = append(rest, p)
		}
	}
	out, failed := ask(rest, where)
	if errors.Is(failed, docent.ErrNoField) {
		return nil, err
	}
	return out, failed
}
