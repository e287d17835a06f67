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
	if len(s.name) == 0 || len(s.name) > 20 || !enclosing[strings.ToLower(string(s.name))] {
		return s, false
	}
	s.label = shownLabel(body[at:])
	return s, true
}

// shortcodeText is what a reader is to see of the shortcode that begins at i, and where
// the text goes on: {{< glossary_tooltip text="Pods" term_id="pod" >}}. Of those that do
// not say it, it has nothing.
func shortcodeText(s []byte, i int) (text span, after int) {
	if i+5 > len(s) || s[i+1] != '{' || s[i+2] != '<' && s[i+2] != '%' {
		return span{}, 0
	}
	end := shortcodeEnd(s, i)
	if end < 0 {
		return span{}, 0
	}
	value := quotedParam(s[i:end], `text="`, `caption="`, `title="`)
	if value == nil {
		return span{}, 0
	}
	at := cap(s) - cap(value)
	return span{int32(at), int32(at + len(value))}, end
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
var enclosing = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`note tip important warning caution danger info hint alert callout notice
		admonition attention success error example question quote seealso todo details expand collapse tab tabs tabset tabpane`) {
		m[name] = true
	}
	return m
}()
