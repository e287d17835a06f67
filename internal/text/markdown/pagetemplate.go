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

// template handles the "{" at i if it belongs to a template, and returns the offset after
// what does, or 0.
func (w *pageReader) template(i, from int) int {
	s := w.s
	if i+4 > len(s) {
		return 0
	}
	switch s[i+1] {
	case '%':
		return w.statement(i, from)
	case '#':
		end := bytes.Index(s[i+2:min(len(s), i+maxCall)], []byte("#}"))
		if w.literal || end < 1 || !isSpace(s[i+2]) {
			return 0
		}
		return w.hideTemplate(i, i+2+end+2, from)
	case '{':
		return w.call(i, from)
	}
	return 0
}

// call handles {{ name }}.
func (w *pageReader) call(i, from int) int {
	s := w.s
	if w.literal || i > 0 && (s[i-1] == '{' || s[i-1] == '$') {
		return 0
	}
	at := skipSpace(s, i+2)
	if at >= len(s) || !isLetter(s[at]) && s[at] != '_' {
		return 0
	}
	end := callEnd(s, i)
	if end < 0 || end < len(s) && s[end] == '}' || bytes.ContainsAny(s[at:end], "`<\\") {
		return 0
	}
	w.flush(from, i)
	w.push(tok{kind: CallPiece, span: span{int32(at), int32(at + len(bytes.TrimRight(s[at:end-2], " \t\n")))}})
	return end
}

// statement handles {% name ... %}.
func (w *pageReader) statement(i, from int) int {
	s := w.s
	end := bytes.Index(s[i+2:min(len(s), i+maxCall)], []byte("%}"))
	if end < 0 {
		return 0
	}
	after := i + 2 + end + 2
	body := bytes.Trim(s[i+2:i+2+end], " \t\n-+")
	n := wordLen(body)
	switch name := strings.ToLower(string(body[:min(n, 20)])); {
	case name == "endraw" || name == "endverbatim":
		w.literal = false
	case w.literal:
		return 0
	case name == "raw" || name == "verbatim":
		w.literal = true
	case inclusions[name]:
		if file := includedName(body[n:]); len(file) > 0 {
			w.flush(from, i)
			at := cap(s) - cap(file)
			w.push(tok{kind: CallPiece, span: span{int32(at), int32(at + len(file))}})
			return after
		}
	case !statements[name] && !statements[strings.TrimPrefix(name, "end")]:
		return 0
	}
	return w.hideTemplate(i, after, from)
}

// hideTemplate leaves out what stands between i and after, with its line if nothing else is on it.
func (w *pageReader) hideTemplate(i, after, from int) int {
	w.flush(from, i)
	if (i == 0 || w.s[i-1] == '\n') && after < len(w.s) && w.s[after] == '\n' {
		after++
	}
	return after
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
