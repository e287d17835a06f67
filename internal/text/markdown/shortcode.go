package markdown

import (
	"bytes"
	"strings"
)

// A shortcode is a line that is nothing else: {{< note >}}, {{% /note %}},
// {% note %} or {% endnote %}.
type shortcode struct {
	name, label []byte
	closes      bool
}

// shortcodeLine reads one, of the names that stand around text.
func shortcodeLine(line []byte) (s shortcode, ok bool) {
	n := len(line)
	if n < 5 || n > maxCall || line[0] != '{' || line[n-1] != '}' {
		return s, false
	}
	body := line[1 : n-1]
	liquid := body[0] == '%'
	if !liquid {
		if body[0] != '{' || body[len(body)-1] != '}' || len(body) < 5 {
			return s, false
		}
		body = body[1 : len(body)-1]
	}
	open, end := body[0], body[len(body)-1]
	if !(open == '%' && end == '%' || open == '<' && end == '>' && !liquid) || len(body) < 3 {
		return s, false
	}
	body = bytes.Trim(body[1:len(body)-1], " \t-")
	if bytes.IndexByte(body, '}') >= 0 {
		return s, false // more than one
	}
	if rest, cut := bytes.CutPrefix(body, []byte("/")); cut && !liquid {
		body, s.closes = bytes.TrimLeft(rest, " \t"), true
	} else if rest, cut := bytes.CutPrefix(body, []byte("end")); cut && liquid {
		body, s.closes = rest, true
	}
	at := wordLen(body)
	s.name = body[:at]
	if name := strings.ToLower(string(s.name[:min(at, 20)])); !enclosing[name] && !verbatim[name] {
		return s, false
	}
	s.label = shownLabel(body[at:])
	return s, true
}

// codeLanguage is the language of the code that the line of a shortcode opens: its first
// parameter, or its name.
func codeLanguage(line []byte) []byte {
	line = bytes.Trim(line, "{}<>% \t-")
	n := wordLen(line)
	if param := line[skipSpace(line, n):]; wordLen(param) > 0 {
		return param[:wordLen(param)]
	}
	return line[:n]
}

// inlineShortcode returns what a page shows of the shortcode that begins at i, and where the
// text goes on, or 0. One that says what a reader is to see has that as its text:
// {{< glossary_tooltip text="Pods" term_id="pod" >}}. Of others the values stand for what
// the site would put there, or the name if there are none. One that closes another shows nothing.
func inlineShortcode(s []byte, i int) (text span, values []span, after int) {
	if i+5 > len(s) || s[i+1] != '{' || s[i+2] != '<' && s[i+2] != '%' {
		return span{}, nil, 0
	}
	after = shortcodeEnd(s, i)
	if after < 0 {
		return span{}, nil, 0
	}
	in := func(part []byte) span {
		at := cap(s) - cap(part)
		return span{int32(at), int32(at + len(part))}
	}
	if value := quotedParam(s[i:after], `text="`, `caption="`, `title="`); value != nil {
		return in(value), nil, after
	}
	body := bytes.TrimSpace(s[i+3 : after-3])
	n := callName(body)
	for n < len(body) && body[n] == '-' {
		n += 1 + callName(body[n+1:])
	}
	switch name := lower(body[:min(n, 20)]); {
	case n == 0:
		return span{}, nil, 0
	case body[0] == '/' || verbatim[name]:
		return span{}, nil, after
	case ShortcodeHeading(string(body)) != "":
		return span{}, []span{in(body)}, after
	}
	for params := body[n:]; ; {
		key, value, rest := nextParam(params)
		if value == nil {
			break
		}
		if !isSetParam(key) && len(value) > 0 {
			values = append(values, in(value))
		}
		params = rest
	}
	if len(values) == 0 {
		values = append(values, in(body[:n]))
	}
	return span{}, values, after
}

// quotedParam is the value of the first of some parameters that there is.
func quotedParam(params []byte, names ...string) []byte {
	for _, name := range names {
		if i := bytes.Index(params, []byte(name)); i > 0 && isSpace(params[i-1]) {
			value := params[i+len(name):]
			if n := bytes.IndexByte(value, '"'); n > 0 {
				return value[:n]
			}
		}
	}
	return nil
}

// shownLabel is what a shortcode around text is about.
func shownLabel(params []byte) []byte {
	if value := quotedParam(params, `title="`, `name="`, `summary="`, `label="`); value != nil {
		return value
	}
	params = bytes.Trim(params, " \t")
	if n := len(params); n > 2 && params[0] == '"' && bytes.IndexByte(params[1:], '"') == n-2 {
		return params[1 : n-1]
	}
	return nil
}

// enclosing are the shortcodes that stand around text, by the names that themes and
// documentation sites have for them.
var enclosing = wordSet(`note tip important warning caution danger info hint alert callout notice
	admonition attention success error example question quote seealso todo details expand collapse tab tabs tabset tabpane`)

// verbatim are those that stand around code.
var verbatim = wordSet("highlight mermaid")
