package graph

import (
	"strings"
	"sync"
)

// MDN writes most of its links as macros whose name says under which slug the
// page is and whose argument gives the rest of it: {{domxref("Window.fetch()")}}
// leads to Web/API/Window/fetch. The second argument is the text shown, the third
// an anchor. Slugs are moved now and then (CSS properties went from Web/CSS/ to
// Web/CSS/Reference/Properties/), so any path that begins and ends right
// is accepted after the one that fits exactly.

// macros are the macros that are links, in lower case: where their pages lie.
// Of several places the first is preferred.
var macros = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"domxref":       {"web/api"},
		"jsxref":        {"web/javascript/reference/global-objects", "web/javascript/reference", "web/javascript"},
		"cssxref":       {"web/css/reference/properties", "web/css"},
		"htmlelement":   {"web/html/reference/elements", "web/html/element", "web/html"},
		"svgelement":    {"web/svg/reference/element", "web/svg/element"},
		"svgattr":       {"web/svg/reference/attribute", "web/svg/attribute"},
		"mathmlelement": {"web/mathml/reference/element", "web/mathml/element"},
		"httpheader":    {"web/http/reference/headers", "web/http/headers"},
		"httpmethod":    {"web/http/reference/methods", "web/http/methods"},
		"httpstatus":    {"web/http/reference/status", "web/http/status"},
		"csp":           {"web/http/reference/headers/content-security-policy", "web/http/headers/content-security-policy"},
		"glossary":      {"glossary"},
		"webextapiref":  {"mozilla/add-ons/webextensions/api"},
		"rfc":           nil,
	}
})

// isSlugMacro reports whether the arguments of a macro are slugs, each a link of its
// own.
func isSlugMacro(name string) bool {
	switch name {
	case "previous", "next", "previousnext", "nextmenu", "previousmenu", "previousmenunext":
		return true
	}
	return false
}

func isLinkMacro(name string) bool {
	_, ok := macros()[name]
	return ok || isSlugMacro(name)
}

type macroCall struct {
	name string // in lower case
	args [4]string
	n    int // how many arguments there are
}

// parseCall takes a macro apart; what is none has no arguments.
func parseCall(s string) (c macroCall) {
	open := strings.IndexByte(s, '(')
	if open < 0 {
		return c
	}
	c.name = strings.ToLower(strings.TrimSpace(s[:open]))
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s[open+1:]), ")"))
	for s != "" && c.n < len(c.args) {
		var arg string
		if q := s[0]; q == '"' || q == '\'' {
			if end := strings.IndexByte(s[1:], q); end >= 0 {
				arg, s = s[1:1+end], s[end+2:]
			} else {
				arg, s = s[1:], ""
			}
			_, s, _ = strings.Cut(s, ",")
		} else {
			arg, s, _ = strings.Cut(s, ",")
			arg = strings.TrimSpace(arg)
		}
		c.args[c.n] = arg
		c.n++
		s = strings.TrimSpace(s)
	}
	return c
}

func (c *macroCall) shown() string {
	if c.args[1] != "" && !isSlugMacro(c.name) {
		return unescape(c.args[1])
	}
	return unescape(c.args[0])
}

func (p *plan) macro(target string) {
	c := parseCall(target)
	arg := unescape(c.args[0])
	if isSlugMacro(c.name) {
		p.path = strings.Trim(arg, "/")
		p.try(try{kind: ending, path: p.path})
		return
	}
	places, ok := macros()[c.name]
	if !ok {
		return
	}
	if c.name == "rfc" {
		p.state = External
		return
	}
	_, p.anchor, _ = strings.Cut(arg, "#")
	if p.anchor == "" {
		p.anchor = strings.TrimPrefix(c.args[2], "#")
	}
	slug := macroSlug(c.name, arg)
	if slug == "" {
		return
	}
	p.folder, p.path = places[0], slug
	if c.name == "cssxref" {
		p.cssValue(arg, slug)
	}
	key := fold(slug)
	for _, place := range places {
		p.tries = append(p.tries, try{kind: under, path: slug, key: key, prefix: place})
	}
}

// cssValue tries the page of a type or function, which has a slug of its own where
// a property has the same name: <color> is color_value, url() is url_function.
func (p *plan) cssValue(arg, slug string) {
	const values = "web/css/reference/values"
	switch {
	case strings.HasPrefix(arg, "<"):
		p.try(try{kind: under, path: slug + "_value", prefix: values})
	case strings.HasSuffix(arg, "()"):
		p.try(try{kind: under, path: slug + "_function", prefix: values})
	default:
		return
	}
	p.try(try{kind: under, path: slug, prefix: values})
}

// macroSlug returns the end of the slug that an argument means.
func macroSlug(name, arg string) string {
	arg, _, _ = strings.Cut(arg, "#")
	arg = strings.TrimSuffix(strings.TrimSpace(arg), "()")
	switch name {
	case "domxref", "webextapiref":
		arg = strings.ReplaceAll(arg, "()", "")
		arg = strings.ReplaceAll(arg, ".prototype.", ".")
		arg = strings.ReplaceAll(arg, ".", "/")
	case "jsxref":
		arg = strings.ReplaceAll(arg, "()", "")
		arg = strings.ReplaceAll(arg, ".prototype.", ".")
		if !strings.Contains(arg, "..") && !strings.Contains(arg, "/") {
			arg = strings.ReplaceAll(arg, ".", "/")
		}
	case "cssxref":
		arg = strings.Trim(arg, "<>")
		arg = strings.TrimSuffix(arg, "()")
	case "htmlelement":
		arg = strings.Trim(arg, "<>")
		if len(arg) == 2 && arg[0]|0x20 == 'h' && '1' <= arg[1] && arg[1] <= '6' {
			arg = "Heading_Elements"
		}
	}
	return strings.Trim(arg, "/ ")
}

// wiki plans for [[target#heading]]. As in Obsidian, a name may be given with
// some of its folders or none, and the nearest file of that name is meant; other
// wikis go by titles, and notes have aliases.
func (p *plan) wiki(src, target string) {
	target, anchor, _ := strings.Cut(target, "#")
	target = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(target), `\`))
	p.anchor, p.words = strings.TrimSpace(anchor), true
	if target == "" {
		p.self = true
		return
	}
	dir := ""
	relative := strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../")
	if relative {
		dir = folder(src)
	}
	full, ok := join(dir, target)
	if !ok {
		p.state = Outside
		return
	}
	p.path = full
	p.state = missingState(full, false)
	if isAsset(full) {
		p.state = Asset
	}
	if full == "" {
		return
	}
	if relative {
		p.exact(full, false, false)
		return
	}
	p.named(full, false)
	p.tries = append(p.tries, try{kind: titled, key: foldText(target)})
}
