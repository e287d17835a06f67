package markdown

import (
	"bytes"
	"strings"
)

// Documentation is often a template too: Jinja of MkDocs, Liquid of Jekyll and GitBook. What
// its build would put there is not known here. So {{ name }} is a piece of its own, which a
// page shows as a name that stands for something; {% statements %} and {# comments #} are not
// shown, but for the name of a file that is included. What stands between {% raw %} and
// {% endraw %} is shown as it is written, and so is code. Braces of anything else are text:
// {{#handlebars}}, ${{ github }}.

// A templatePart is a part of a template.
type templatePart struct {
	after   int  // the offset after it
	shown   span // the name that is shown in its place; may be empty
	literal bool // what follows is shown as it is written
}

// templateAt returns the part of a template that begins with the "{" at i, if one does. Literal
// is that of the part before.
func templateAt(s []byte, i int, literal bool) (part templatePart, ok bool) {
	if i+4 > len(s) {
		return part, false
	}
	switch s[i+1] {
	case '%':
		return statementAt(s, i, literal)
	case '#':
		end := bytes.Index(s[i+2:min(len(s), i+maxCall)], []byte("#}"))
		return hiddenPart(s, i, i+2+end+2, literal), !literal && end >= 1 && isSpace(s[i+2])
	case '{':
		part.shown, part.after = callAt(s, i)
		return part, !literal && part.after > 0
	}
	return part, false
}

// callAt returns where {{ name }} has its name, and the offset after it, or 0.
func callAt(s []byte, i int) (name span, after int) {
	if i > 0 && (s[i-1] == '{' || s[i-1] == '$') {
		return span{}, 0
	}
	at := skipSpace(s, i+2)
	if at >= len(s) || !isLetter(s[at]) && s[at] != '_' {
		return span{}, 0
	}
	end := callEnd(s, i)
	if end < 0 || end < len(s) && s[end] == '}' || bytes.ContainsAny(s[at:end], "`<\\") {
		return span{}, 0
	}
	return span{int32(at), int32(at + len(bytes.TrimRight(s[at:end-2], " \t\n")))}, end
}

// statementAt returns the part {% name ... %}.
func statementAt(s []byte, i int, literal bool) (part templatePart, ok bool) {
	end := bytes.Index(s[i+2:min(len(s), i+maxCall)], []byte("%}"))
	if end < 0 {
		return part, false
	}
	after := i + 2 + end + 2
	body := bytes.Trim(s[i+2:i+2+end], " \t\n-+")
	n := wordLen(body)
	switch name := strings.ToLower(string(body[:min(n, 20)])); {
	case name == "endraw" || name == "endverbatim":
		return hiddenPart(s, i, after, false), true
	case literal:
		return part, false
	case name == "raw" || name == "verbatim":
		return hiddenPart(s, i, after, true), true
	case inclusions[name]:
		if file := includedName(body[n:]); len(file) > 0 {
			at := cap(s) - cap(file)
			return templatePart{after: after, shown: span{int32(at), int32(at + len(file))}}, true
		}
	case !statements[name] && !statements[strings.TrimPrefix(name, "end")]:
		return part, false
	}
	return hiddenPart(s, i, after, false), true
}

// hiddenPart is a part that is not shown, with its line if nothing else is on it.
func hiddenPart(s []byte, i, after int, literal bool) templatePart {
	if (i == 0 || s[i-1] == '\n') && after < len(s) && s[after] == '\n' {
		after++
	}
	return templatePart{after: after, literal: literal}
}

// includedName is the first of the parameters of a statement: the name of a file.
func includedName(params []byte) []byte {
	params = bytes.TrimLeft(params, " \t\n")
	if len(params) > 1 && (params[0] == '"' || params[0] == '\'') {
		name, _, _ := bytes.Cut(params[1:], params[:1])
		return name
	}
	n := 0
	for n < len(params) && !isSpace(params[n]) && params[n] != '\n' {
		n++
	}
	return params[:n]
}

// inclusions are statements in whose place something is shown that has a name.
var inclusions = wordSet("include include_relative include-markdown includemarkdown render data embed file link post_url")

// statements are those around which, or in whose place, nothing is shown of its own; what
// ends them is called the same, behind "end".
var statements = wordSet(`if elsif elif else unless case when for break continue cycle tablerow ifversion ifchanged
	set assign capture increment decrement with block macro call filter import from extends autoescape do trans
	comment liquid code columns column content-ref stepper step`)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		m[word] = true
	}
	return m
}
