package human

import (
	"testing"
	"time"
)

func TestParseWhen(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2024, 5, 15, 15, 4, 5, 0, zone) // a Wednesday
	for text, want := range map[string]string{
		"today":                "2024-05-15 00:00:00",
		"Yesterday":            "2024-05-14 00:00:00",
		"monday":               "2024-05-13 00:00:00",
		"last Mon":             "2024-05-13 00:00:00",
		"wednesday":            "2024-05-08 00:00:00",
		"last week":            "2024-05-08 15:04:05",
		"last month":           "2024-04-15 15:04:05",
		"last year":            "2023-05-15 15:04:05",
		"3d":                   "2024-05-12 15:04:05",
		"3 days":               "2024-05-12 15:04:05",
		"2 hours ago":          "2024-05-15 13:04:05",
		"2.weeks.ago":          "2024-05-01 15:04:05",
		"a week ago":           "2024-05-08 15:04:05",
		"10m":                  "2024-05-15 14:54:05",
		"6mo":                  "2023-11-15 15:04:05",
		"2024-05-01":           "2024-05-01 00:00:00",
		"2024/05/01":           "2024-05-01 00:00:00",
		"2024-05":              "2024-05-01 00:00:00",
		"2024-05-01 10:30":     "2024-05-01 10:30:00",
		"2024-05-01T10:30:20":  "2024-05-01 10:30:20",
		"2024-05-01T10:30:20Z": "2024-05-01 12:30:20",
		"frobnicate":           "",
		"3":                    "",
		"last":                 "",
		"last frob":            "",
		"ago":                  "",
		"":                     "",
		"3 frobs ago":          "",
		"-3d":                  "2024-05-12 15:04:05",
		"99999999999999999d":   "",
		"1000000 years ago":    "",
		"2024-13-01":           "",
		"0.1.2":                "",
	} {
		got := ""
		if at, ok := When(text, now); ok {
			got = at.In(zone).Format(time.DateTime)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
