package markdown

import "bytes"

// Two template languages stand in documentation text. Hugo's shortcodes,
// {{< name "word" key="value" >}} and {{% ... %}}, and MDN's macros,
// {{name("word", "word")}}. A reader sees the words, not the name.

// maxCall is the length of the longest shortcode or macro. What "{{" opens may
// be looked for in vain at every second byte, so it is not large.
const maxCall = 1024

// shortcodeEnd returns the offset after the shortcode that begins at i with
// "{{<" or "{{%", or -1.
func shortcodeEnd(s []byte, i int) int {
	close := []byte(">}}")
	if s[i+2] == '%' {
		close = []byte("%}}")
	}
	e := min(len(s), i+maxCall)
	n := bytes.Index(s[i+3:e], close)
	if n < 0 {
		return -1
	}
	return i + 3 + n + 3
}

// callEnd returns the offset after the shortcode, macro or other "{{...}}" that
// begins at i, or -1. Calls do not nest.
func callEnd(s []byte, i int) int {
	e := min(len(s), i+maxCall)
	for j := i + 2; j+1 < e; j++ {
		n := bytes.IndexByte(s[j:e-1], '}')
		if n < 0 {
			return -1
		}
		open := bytes.IndexByte(s[j:j+n], '{')
		if open >= 0 && s[j+open+1] == '{' {
			return -1
		}
		if j += n; s[j+1] == '}' {
			return j + 2
		}
	}
	return -1
}

// appendCall appends the words of the call s, which is all of "{{...}}".
func appendCall(dst, s []byte) []byte {
	body := bytes.TrimSpace(s[2 : len(s)-2])
	if len(body) == 0 {
		return dst
	}
	if body[0] == '<' || body[0] == '%' {
		body = bytes.TrimSpace(bytes.Trim(body, "<>%"))
		return appendParams(dst, body[callName(body):])
	}
	if from, to := macroArgs(body); from > 0 {
		return appendArgs(dst, body[from:to])
	}
	if callName(body) == len(body) {
		return dst // a macro without words, or a variable
	}
	return append(dst, body...)
}

// macroArgs returns where the arguments of `name("a", "b")` stand in body, or
// zeros when it is no such call.
func macroArgs(body []byte) (from, to int) {
	n := callName(body)
	open := skipSpace(body, n)
	if n == 0 || open+1 >= len(body) || body[open] != '(' || body[len(body)-1] != ')' {
		return 0, 0
	}
	return open + 1, len(body) - 1
}

// callName returns the length of the name that a call begins with.
func callName(b []byte) int {
	n := 0
	for n < len(b) && (isWord(b[n]) || b[n] == '/' || b[n] == '.' || b[n] == '*') {
		n++
	}
	return n
}

// appendArgs appends the quoted arguments of a macro. Numbers are sizes, and an
// argument that begins with "#" is a place on a page.
func appendArgs(dst, args []byte) []byte {
	mark := len(dst)
	for i := 0; i < len(args); i++ {
		q := args[i]
		if q != '"' && q != '\'' {
			continue
		}
		n := bytes.IndexByte(args[i+1:], q)
		if n < 0 {
			break
		}
		arg := args[i+1 : i+1+n]
		i += n + 1
		if n == 0 || arg[0] == '#' {
			continue
		}
		if len(dst) > mark {
			dst = append(dst, ' ')
		}
		dst = append(dst, arg...)
	}
	return dst
}

// isShownParam reports whether a shortcode parameter holds what a reader sees. When
// a shortcode has one such, its other parameters are settings.
func isShownParam(name string) bool {
	switch name {
	case "text", "title", "caption", "alt", "summary", "label", "description":
		return true
	}
	return false
}

// isSetParam reports whether a parameter never is text.
func isSetParam(name string) bool {
	switch name {
	case "src", "class", "id", "width", "height", "link", "href", "style", "align", "url", "lang",
		"type", "theme":
		return true
	}
	return false
}

// appendParams appends the values of a shortcode's parameters.
func appendParams(dst, params []byte) []byte {
	mark := len(dst)
	shown := false
	for {
		key, value, rest := nextParam(params)
		if value == nil {
			return dst
		}
		params = rest
		if isShownParam(key) && !shown {
			shown = true
			dst = dst[:mark]
		} else if shown && !isShownParam(key) || isSetParam(key) || string(value) == "/" {
			continue
		}
		if len(dst) > mark {
			dst = append(dst, ' ')
		}
		dst = append(dst, value...)
	}
}

// nextParam takes the first of a shortcode's parameters. Its value is nil where there is
// none, and its key "" where it has no name.
func nextParam(params []byte) (key string, value, rest []byte) {
	params = bytes.TrimLeft(params, " \t\r\n,")
	if len(params) == 0 {
		return "", nil, nil
	}
	if n := wordLen(params); n > 0 && n < len(params) && params[n] == '=' {
		key = lower(params[:n])
		params = params[n+1:]
	}
	if len(params) > 0 && (params[0] == '"' || params[0] == '`' || params[0] == '\'') {
		if e := bytes.IndexByte(params[1:], params[0]); e >= 0 {
			return key, params[1 : 1+e], params[e+2:]
		}
		return key, params[1:], nil
	}
	e := 0
	for e < len(params) && !isSpace(params[e]) {
		e++
	}
	return key, params[:e], params[e:]
}
