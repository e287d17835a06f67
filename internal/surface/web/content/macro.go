package content

import (
	"bytes"
	"strings"
)

// Macros of MDN, {{name("word", "word")}}, are resolved by its own build. Here they read as
// the words that a reader would see, or as nothing where that is a table or a frame. What
// other sites put in double braces is shown as a name that stands for something.

// macroWords are what macros without words of their own say.
var macroWords = map[string]string{
	"optional_inline": "Optional", "readonlyinline": "Read only", "experimental_inline": "Experimental", "deprecated_inline": "Deprecated",
	"non-standard_inline": "Non-standard", "securecontext_inline": "Secure context",
	"availableinworkers": "Available in Web Workers.", "securecontext_header": "Available in secure contexts only.",
	"seecompattable": "Experimental.", "deprecated_header": "Deprecated.", "non-standard_header": "Non-standard.",
	"compat": "", "specifications": "", "apiref": "", "defaultapisidebar": "", "inheritancediagram": "", "embedlivesample": "",
	"interactiveexample": "", "csssyntax": "", "csssyntaxraw": "", "cssinfo": "", "svginfo": "", "previousnext": "", "previousmenunext": "",
	"previous": "", "next": "", "nextmenu": "", "previousmenu": "", "js_property_attributes": "", "embedghlivesample": "",
	"subpageswithsummaries": "", "listsubpages": "", "listgroups": "", "apilistalpha": "", "css_ref": "", "jsref": "", "embedyoutube": "",
}

// linkMacros lead to a page; their last words are its name.
var linkMacros = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`domxref jsxref cssxref htmlelement svgelement mathmlelement svgattr htmlattrxref httpheader
		httpstatus httpmethod glossary event webextapiref csp rfc bug livesamplelink xsltref exsltref`) {
		m[name] = true
	}
	return m
}()

// macroText is what a reader sees of a call, name("a", "b"); ok says whether it is a macro
// of MDN.
func macroText(call string) (text string, ok bool) {
	name, rest, _ := strings.Cut(strings.TrimSpace(call), "(")
	name = strings.ToLower(strings.TrimSpace(name))
	if text, ok = macroWords[name]; ok {
		return text, true
	}
	args := macroArgs(strings.TrimSuffix(strings.TrimSpace(rest), ")"))
	if !linkMacros[name] || len(args) == 0 {
		return "", false
	}
	if len(args) > 1 && args[1] != "" && name != "rfc" {
		return args[1], true
	}
	text = args[0]
	switch name {
	case "domxref", "webextapiref", "jsxref":
		text = strings.ReplaceAll(strings.TrimPrefix(text, "Global_Objects/"), "/", ".")
	case "htmlelement", "svgelement", "mathmlelement":
		text = "<" + text + ">"
	case "rfc":
		text = "RFC " + text
	}
	return text, true
}

// maxMacro is the length of the longest macro.
const maxMacro = 500

// withMacros returns a text of HTML in which macros read as their words.
func withMacros(s []byte) []byte {
	if !bytes.Contains(s, []byte("{{")) {
		return s
	}
	var out []byte
	for {
		at := bytes.Index(s, []byte("{{"))
		if at < 0 {
			return append(out, s...)
		}
		out = append(out, s[:at]...)
		s = s[at:]
		end := bytes.Index(s[:min(len(s), maxMacro)], []byte("}}"))
		if end < 0 {
			out, s = append(out, s[:2]...), s[2:]
			continue
		}
		if text, ok := macroText(string(s[2:end])); ok {
			out, s = append(out, text...), s[end+2:]
		} else {
			out, s = append(out, s[:2]...), s[2:]
		}
	}
}

// macroArgs splits the arguments of a macro.
func macroArgs(s string) []string {
	var out []string
	for s != "" && len(out) < 8 {
		s = strings.TrimLeft(s, " \t\r\n,")
		if s == "" {
			break
		}
		if q := s[0]; q == '"' || q == '\'' {
			v, rest, ok := strings.Cut(s[1:], s[:1])
			if !ok {
				break
			}
			out = append(out, v)
			s = rest
			continue
		}
		v, rest, _ := strings.Cut(s, ",")
		out = append(out, strings.TrimSpace(v))
		s = rest
	}
	return out
}
