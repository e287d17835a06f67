package harness

import (
	"regexp"
	"strings"
)

// A Reply is what a model said, in the form that Rules ask for.
type Reply struct {
	Answer   string
	Sources  []string // as they stand there
	Abstains bool     // it says that the documentation has no answer
}

// Models set the words in bold, quote them or put a dash before.
var (
	answerLine = regexp.MustCompile(`(?im)^[\s>*_#-]*answer[*_ ]*:[*_ ]*`)
	sourceLine = regexp.MustCompile(`(?im)^[\s>*_#-]*sources?[*_ ]*:[*_ ]*(.*)$`)
	refusal    = regexp.MustCompile(`(?im)^[\s>*_#"-]*not in the docs\b`)
)

// ParseReply reads a reply. One that does not keep to the form is an answer without a
// source.
func ParseReply(text string) Reply {
	var r Reply
	for _, m := range sourceLine.FindAllStringSubmatch(text, -1) {
		for _, one := range strings.FieldsFunc(m[1], func(c rune) bool { return c == ',' || c == ';' || c == ' ' || c == '\t' }) {
			one = strings.Trim(one, "`*_<>()[]\"'.\r")
			if one != "" && !strings.EqualFold(one, "and") && !strings.EqualFold(one, "none") {
				r.Sources = append(r.Sources, one)
			}
		}
	}
	if len(r.Sources) == 0 && refusal.MatchString(text) {
		r.Abstains = true
		return r
	}
	r.Answer = sourceLine.ReplaceAllString(text, "")
	if at := answerLine.FindStringIndex(r.Answer); at != nil {
		r.Answer = r.Answer[at[1]:]
	}
	r.Answer = strings.TrimSpace(r.Answer)
	return r
}
