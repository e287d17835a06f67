package search

import "testing"

// Only questions about what is new prefer the new: "the latest version" is a subject.
func TestAsksForNew(t *testing.T) {
	for text, want := range map[string]bool{
		"what's new in routing":                    true,
		"what is new about keys":                   true,
		"what has changed in the API":              true,
		"recently added commands":                  true,
		"pages updated lately":                     true,
		"latest changes to auth":                   true,
		"how do I install the latest version":      false,
		"create a new key":                         false,
		"what changed files does the hook get":     false,
		"most recent backup":                       false,
		"how to get notified when a file changes?": false,
	} {
		if got := asksForNew().MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
