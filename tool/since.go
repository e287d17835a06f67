package tool

import "github.com/docent-md/docent"

// whereSince adds to conditions that a file was changed since a time; "" adds nothing.
func whereSince(where []string, since string) []string {
	if since == "" {
		return where
	}
	return append(where, docent.ChangedSince+since)
}
