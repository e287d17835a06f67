package filter

import (
	"slices"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/engine/fields"
)

func TestConditions(t *testing.T) {
	now := time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC)
	has := []fields.Pair{
		{Name: "status", Value: "Draft"},
		{Name: "tags", Value: "auth/jwt"},
		{Name: "tags", Value: "keys"},
		{Name: "date", Value: "2025-06-01"},
		{Name: "weight", Value: "10"},
		{Name: "version", Value: "v1.10"},
		{Name: "author.name", Value: "Jane Doe"},
		{Name: "done", Value: "true"},
		{Name: "at", Value: "2025-01-31T10:00:00"},
	}
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a value, whatever the case", "status=draft", true},
		{"as in a question", "Status:DRAFT", true},
		{"another value", "status=final", false},
		{"one of several", "status=final, draft", true},
		{"not", "status!=draft", false},
		{"not another", "status!=final", true},
		{"not, as in a question", "-status:draft", false},
		{"without the field, not", "-owner:jane", true},
		{"tag means tags", "tag:keys", true},
		{"with its mark", "tag:#keys", true},
		{"a tag under it", "tag:auth", true},
		{"the beginning of a word is no tag", "tag:key", false},
		{"a glob", "version=v1.*", true},
		{"spaces and quotes", `author.name:"jane doe"`, true},
		{"spaces", "author.name=jane doe", true},
		{"any value", "status", true},
		{"any value, as in a question", "status:*", true},
		{"no value", "!status", false},
		{"no such field", "!owner", true},
		{"a month", "date=2025-06", true},
		{"another month", "date=2025-05", false},
		{"a year", "date=2025", true},
		{"after a month", "date>2025-05", true},
		{"no day of a month is after it", "date>2025-06", false},
		{"from a month on", "date>=2025-06", true},
		{"until a month", "at<=2025-01", true},
		{"before a day", "date<2025-06-02", true},
		{"in the last 30 days", "date:>30d", true},
		{"in the last week", "date>1w", false},
		{"numbers are no text", "weight>9", true},
		{"numbers in text too", "version>v1.9", true},
		{"a number, equal", "weight=10.0", true},
		{"truth", "done=true", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cond, err := Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := cond.holds(has, now) != cond.Not; got != c.want {
				t.Errorf("%s: %v", c.text, got)
			}
		})
	}
	for _, bad := range []string{"", "=draft", "status=", "status!", "3=4", "a b?c"} {
		if c, err := Parse(bad); err == nil {
			t.Errorf("%q is taken for %+v", bad, c)
		}
	}
}

// Code and addresses have colons, and are words.
func TestWhatIsNoCondition(t *testing.T) {
	for _, item := range []string{"std::move", "https://x.org", `c:\keys`, "path:docs/**", "title:keys", "10:30", "a:", ":a", "x"} {
		if c, ok := asCondition(item); ok {
			t.Errorf("%q is taken for %+v", item, c)
		}
	}
	if got := split(`a  b:"c d" "e f"`); !slices.Equal(got, []string{"a", `b:"c d"`, `"e f"`}) {
		t.Errorf("split: %q", got)
	}
}
