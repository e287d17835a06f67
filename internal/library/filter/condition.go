// Package filter chooses documents by what they say of themselves: the fields of their
// front matter, and tags.
package filter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/glob"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/words"
)

// A Condition says what a document must have in a field. Parse reads it.
//
//	status=draft, status:draft        this value, whatever the case
//	status=draft,review               one of these
//	tag=auth                          also a tag under it: auth/jwt
//	date=2025-01                      also a day of that month
//	version=1.*                       by a glob
//	status!=draft, -status:draft      not this value; also a document without the field
//	date>2025-01, weight<=3           dates, numbers or text in order; see compare
//	date>30d                          after a time as people type it
//	status, !status                   any value, or none
//	changed since 30d                 the file was changed since then: see package history
type Condition struct {
	Text  string // as it was written
	Field string
	Not   bool
	op    string // "=", ">", ">=", "<", "<="; "" for any value
	want  []string
	since time.Time // of a Condition on when the file was changed; else zero
}

// Changed begins a condition on when a file was changed.
const Changed = "changed since "

// HasTimes reports whether a condition is on when files were changed.
func HasTimes(where []string) bool {
	return slices.ContainsFunc(where, func(text string) bool { return strings.HasPrefix(text, Changed) })
}

// operators, longest first.
var operators = []string{":>=", ":<=", ":!=", "!=", ">=", "<=", "==", ":>", ":<", ":=", ":!", ":", "=", ">", "<"}

// Parse reads a condition.
func Parse(text string) (Condition, error) {
	c := Condition{Text: strings.TrimSpace(text)}
	rest := c.Text
	if when, ok := strings.CutPrefix(rest, Changed); ok {
		if c.since, ok = human.When(when, time.Now()); !ok {
			return c, fmt.Errorf("%q is no time: understood are %s", when, human.WhenForms)
		}
		return c, nil
	}
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "!") {
		c.Not, rest = true, rest[1:]
	}
	end := strings.IndexAny(rest, ":=!<>")
	if end < 0 {
		c.Field = strings.TrimSpace(rest)
	} else {
		c.Field, rest = strings.TrimSpace(rest[:end]), rest[end:]
	}
	if !isName(c.Field) {
		return c, fmt.Errorf("condition %q: must be like status=draft, tag=security or date>2025-01", text)
	}
	if end < 0 {
		return c, nil
	}
	for _, op := range operators {
		if value, ok := strings.CutPrefix(rest, op); ok {
			op = strings.TrimPrefix(op, ":")
			if strings.HasPrefix(op, "!") {
				c.Not = !c.Not
			}
			if c.op = "="; op == ">" || op == ">=" || op == "<" || op == "<=" {
				c.op = op
			}
			return c, c.setValue(value)
		}
	}
	return c, fmt.Errorf("condition %q: no comparison begins with %q", text, rest[:1])
}

func (c *Condition) setValue(value string) error {
	value = strings.TrimSpace(value)
	if bare, ok := unquote(value); ok {
		c.want = []string{bare}
		return nil
	}
	if c.op == "=" {
		for v := range strings.SplitSeq(value, ",") {
			if v = strings.TrimSpace(v); v != "" {
				c.want = append(c.want, v)
			}
		}
	} else if value != "" {
		c.want = []string{value}
	}
	if len(c.want) == 0 {
		return fmt.Errorf("condition %q: a value is missing", c.Text)
	}
	if c.op == "=" && len(c.want) == 1 && c.want[0] == "*" {
		c.op = ""
	}
	return nil
}

func unquote(s string) (string, bool) {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1], true
	}
	return s, false
}

// isName reports whether a field can be called so.
func isName(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-. ", r)) {
			return false
		}
	}
	return s != ""
}

// holds reports whether one of the values that a document has for the field is wanted.
func (c *Condition) holds(has []fields.Pair, now time.Time) bool {
	for _, p := range has {
		if !isCalled(p.Name, c.Field) {
			continue
		}
		if c.op == "" {
			return true
		}
		for _, want := range c.want {
			if c.isWanted(p.Value, want, now) {
				return true
			}
		}
	}
	return false
}

func (c *Condition) isWanted(have, want string, now time.Time) bool {
	switch c.op {
	case "=":
		return equals(have, want)
	case ">":
		return compare(have, want, now) > 0
	case ">=":
		return compare(have, want, now) >= 0
	case "<":
		return compare(have, want, now) < 0
	}
	return compare(have, want, now) <= 0
}

// equals reports whether a value is what is wanted, lies under it, or in it.
func equals(have, want string) bool {
	have, want = strings.ToLower(have), strings.ToLower(want)
	if have == want || strings.TrimPrefix(want, "#") == have {
		return true
	}
	if strings.ContainsAny(want, "*?") && glob.Match(want, have) {
		return true
	}
	if under, ok := strings.CutPrefix(have, want); ok {
		return under[0] == '/' || isDate(want) && strings.ContainsRune("-t ", rune(under[0]))
	}
	x, err := strconv.ParseFloat(have, 64)
	y, errY := strconv.ParseFloat(want, 64)
	return err == nil && errY == nil && x == y
}

// compare orders a value and what is wanted: as dates, as precisely as the latter is
// given, so that no day of January is after 2025-01; as numbers; else as text, in which
// numbers count as such.
func compare(have, want string, now time.Time) int {
	if isDate(have) {
		if !isDate(want) {
			if t, ok := human.When(want, now); ok {
				want = t.Format(time.DateOnly)
			}
		}
		if isDate(want) {
			have = strings.ReplaceAll(have, " ", "T")
			want = strings.ReplaceAll(want, " ", "T")
			return strings.Compare(have[:min(len(have), len(want))], want)
		}
	}
	x, err := strconv.ParseFloat(have, 64)
	y, errY := strconv.ParseFloat(want, 64)
	if err == nil && errY == nil {
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return words.CompareNatural(strings.ToLower(have), strings.ToLower(want))
}

// isDate reports whether a text begins like 2025-01, or is a year.
func isDate(s string) bool {
	for i := range min(len(s), 7) {
		if i == 4 != (s[i] == '-') || i != 4 && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return len(s) == 4 || len(s) >= 7
}
