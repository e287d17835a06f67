package human

import (
	"strconv"
	"strings"
	"time"
)

// WhenForms are examples of the times that When understands, to be said to
// those who typed another.
const WhenForms = "2024-05-01, '2024-05-01 15:04', today, yesterday, monday, 'last week', 3d, '2 hours ago'"

// dateLayouts are the dates and times that are understood, by their parts; what is
// not given is the first: a date is its midnight.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
	time.DateOnly, "2006/01/02", "2006-01",
}

// subtract goes back n units of time, which have their English names or short forms.
func subtract(t time.Time, n int, unit string) (time.Time, bool) {
	switch unit {
	case "min", "mins", "minute", "minutes", "m":
		return t.Add(time.Duration(-n) * time.Minute), true
	case "h", "hr", "hrs", "hour", "hours":
		return t.Add(time.Duration(-n) * time.Hour), true
	case "d", "day", "days":
		return t.AddDate(0, 0, -n), true
	case "w", "wk", "wks", "week", "weeks":
		return t.AddDate(0, 0, -7*n), true
	case "mo", "month", "months":
		return t.AddDate(0, -n, 0), true
	case "y", "yr", "yrs", "year", "years":
		return t.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}

// When reads a time in the past as people type it. Days begin at midnight
// where now is; "last week" is seven days ago. It is stricter than git, which takes
// whatever it cannot read for this moment.
func When(text string, now time.Time) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, layout := range dateLayouts {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, true
		}
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" .-_", r) })
	year, month, day := now.Date()
	midnight := time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	switch {
	case len(words) == 1 && words[0] == "today":
		return midnight, true
	case len(words) == 1 && words[0] == "yesterday":
		return midnight.AddDate(0, 0, -1), true
	case len(words) == 1 && words[0] != "last":
		if t, ok := weekday(words[0], midnight); ok {
			return t, true
		}
	case len(words) == 2 && words[0] == "last":
		if t, ok := weekday(words[1], midnight); ok {
			return t, true
		}
		words = []string{"1", words[1]}
	}
	return parseAgo(words, now)
}

// weekday is the last midnight before today that began such a day: "monday", "mon".
func weekday(word string, midnight time.Time) (time.Time, bool) {
	for n := 1; n <= 7; n++ {
		t := midnight.AddDate(0, 0, -n)
		name := strings.ToLower(t.Weekday().String())
		if word == name || word == name[:3] {
			return t, true
		}
	}
	return time.Time{}, false
}

// maxUnits keeps the result within the range of a time.
const maxUnits = 1_000_000

// parseAgo reads "3 days", "3d", "a week ago".
func parseAgo(words []string, now time.Time) (time.Time, bool) {
	if n := len(words); n > 0 && words[n-1] == "ago" {
		words = words[:n-1]
	}
	if len(words) == 1 {
		at := strings.IndexFunc(words[0], func(r rune) bool { return r < '0' || r > '9' })
		if at <= 0 {
			return time.Time{}, false
		}
		words = []string{words[0][:at], words[0][at:]}
	}
	if len(words) != 2 {
		return time.Time{}, false
	}
	n, err := strconv.Atoi(words[0])
	if words[0] == "a" || words[0] == "an" || words[0] == "one" {
		n, err = 1, nil
	}
	if err != nil || n < 0 || n > maxUnits {
		return time.Time{}, false
	}
	t, ok := subtract(now, n, words[1])
	return t, ok && t.Year() >= 1970 // before which nothing was committed
}
