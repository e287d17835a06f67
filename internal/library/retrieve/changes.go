package retrieve

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/text/words"
)

// Changes says whether a question asks for changes.
type Changes int

// The degrees; each includes those before it.
const (
	NoChanges    Changes = iota
	AboutChanges         // about versions or changes: logs of them do not yield to guides
	WhatIsNew            // what is new here: files that changed lately come first
)

// changeWords are in questions about versions and changes.
var changeWords = []string{
	"added", "breaking", "change", "changed", "changelog", "changes", "deprecated", "deprecation", "fixed", "history",
	"introduced", "latest", "migrate", "migrating", "migration", "new", "newest", "recent", "recently", "release", "released",
	"releases", "removed", "since", "upgrade", "upgrading", "version", "versions",
}

// newFrames are in questions about what is new: words that follow each other, with
// alternatives. "The latest version" is a thing that documents are about.
var newFrames = [][][]string{
	{{"what"}, {"s", "is", "are"}, {"new"}},
	{{"what"}, {"s"}, {"changed"}},
	{{"whats"}, {"new", "changed"}},
	{{"what"}, {"is", "are"}, {"the"}, {"latest"}},
	{{"what"}, {"has", "have"}, {"changed"}},
	{{"what"}, {"has", "have"}, {"recently"}, {"changed"}},
	{{"what"}, {"has", "have"}, {"recently"}, {"been"}, {"added", "changed", "updated"}},
	{{"what"}, {"has", "have"}, {"been"}, {"added", "changed", "updated"}},
	{{"recently", "lately"}, {"added", "changed", "updated"}},
	{{"added", "changed", "updated"}, {"recently", "lately"}},
	{{"latest", "recent", "newest"}, {"changes", "updates", "additions", "news", "pages", "docs", "documents"}},
}

// AsksForChanges says whether a question asks for changes: by its words, or because it
// names a version, such as 1.29.
func AsksForChanges(question string) Changes {
	asked := strings.Fields(words.Slug(question))
	about := NoChanges
	for i, w := range asked {
		if slices.ContainsFunc(newFrames, func(frame [][]string) bool { return begins(asked[i:], frame) }) {
			return WhatIsNew
		}
		if _, found := slices.BinarySearch(changeWords, w); found {
			about = AboutChanges
		}
	}
	for i := 1; i+1 < len(question); i++ {
		if question[i] == '.' && isDigit(question[i-1]) && isDigit(question[i+1]) {
			return AboutChanges
		}
	}
	return about
}

// begins reports whether words begin with a frame.
func begins(words []string, frame [][]string) bool {
	if len(words) < len(frame) {
		return false
	}
	for i, alternatives := range frame {
		if !slices.Contains(alternatives, words[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
