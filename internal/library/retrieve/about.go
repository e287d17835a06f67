package retrieve

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// What a question is about.
//
// "What is a Pod" asks for the page that opens with Pods, not for the one that mentions
// them most. And few questions ask for a log of changes, which mentions everything.

// overviewFrames are what people ask with who do not know a thing yet: the words before
// its name, and those after it.
var overviewFrames = []struct{ before, after string }{
	{"what is", ""},
	{"what s", ""},
	{"what are", ""},
	{"what does", "do"},
	{"what does", "mean"},
	{"what do", "do"},
	{"define", ""},
	{"definition of", ""},
	{"introduction to", ""},
	{"intro to", ""},
	{"overview of", ""},
	{"getting started with", ""},
	{"get started with", ""},
	{"", "overview"},
}

// maxName is how many words the name of a thing has at most: more of them describe it.
const maxName = 3

// asksWhat returns the name of the thing when a question asks what it is; else "".
func asksWhat(question string) string {
	text := words.Slug(question)
	for _, f := range overviewFrames {
		rest, ok := strings.CutPrefix(text+" ", strings.TrimLeft(f.before+" ", " "))
		if !ok {
			continue
		}
		rest, ok = strings.CutSuffix(" "+strings.TrimSpace(rest), strings.TrimRight(" "+f.after, " "))
		name := strings.Fields(rest)
		for len(name) > 1 && slices.Contains([]string{"a", "an", "the"}, name[0]) {
			name = name[1:]
		}
		if ok && len(name) > 0 && len(name) <= maxName {
			return strings.Join(name, " ")
		}
	}
	return ""
}

// named are the words of a question with a weight for those of a name alone, so that a
// title that is the name answers the whole question.
func named(info []index.WordInfo, name string) []index.WordInfo {
	in := strings.Fields(name)
	out := slices.Clone(info)
	for i := range out {
		if w := &out[i]; !slices.Contains(in, w.Text) && !w.Extra {
			w.Weight = 0
		}
	}
	return out
}

// frontNames are what the page is called that says what all of the documents are about.
var frontNames = []string{"readme", "index", "introduction", "overview", "home"}

// isFront reports whether a page is the front of the documents, or of a part of them.
func isFront(file string) bool {
	return strings.Count(file, "/") < 2 && slices.Contains(frontNames, words.Slug(snapshot.TrimExt(path.Base(file))))
}

// A log of changes is known by the name of its file or of a folder above it. Names that
// are words of every day count in capitals alone, as projects write them: MDN has pages
// on History.
var (
	logNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:.* )?(?:change ?logs?|release ?notes?|releases|what ?s ?new|migration ?logs?)(?: .*)?$`)
	})
	logFiles = []string{"HISTORY", "CHANGES", "NEWS", "RELEASES"}
)

// isLog reports whether a file keeps a log of changes.
func isLog(file string) bool {
	if slices.Contains(logFiles, snapshot.TrimExt(path.Base(file))) {
		return true
	}
	for name := range strings.SplitSeq(snapshot.TrimExt(file), "/") {
		// Few names are worth an expression.
		if lower := strings.ToLower(name); strings.Contains(lower, "change") || strings.Contains(lower, "release") ||
			strings.Contains(lower, "new") || strings.Contains(lower, "log") {
			if logNames().MatchString(words.Slug(name)) {
				return true
			}
		}
	}
	return false
}
