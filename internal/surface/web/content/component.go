package content

import (
	"strings"

	"github.com/docent-md/docent/internal/text/markdown"
)

// component writes the tags of MDX that are known, as HTML is.
func (x *markup) component(s string) {
	if t := strings.TrimLeft(s, " \t"); strings.HasPrefix(t, "import ") || strings.HasPrefix(t, "export ") {
		return
	}
	if name, ok := strings.CutPrefix(s, ":::"); ok { // what mkdocstrings writes about an object
		name, _, _ = strings.Cut(name, "\n")
		x.around(`<p class="object"><code>`, strings.TrimSpace(name), "</code></p>\n")
		return
	}
	x.block(s)
}

// components are those that are known.
var components = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`tabs codegroup cardgroup steps tabitem tab note tip info warning caution danger check
		admonition callout aside accordion expandable card step`) {
		m[name] = true
	}
	return m
}()

// componentTag writes the tag of a component, and reports whether it is one that is
// known: Tabs and TabItem of Docusaurus, boxes and cards of Mintlify and Starlight.
func (x *markup) componentTag(t tag) bool {
	if !components[t.name] {
		return false
	}
	open, end, label, inSummary := "", "", "", false
	switch t.name {
	case "tabs", "codegroup", "cardgroup", "steps":
		open, end = `<div class="tabs">`, "</div>\n"
	case "tabitem", "tab":
		open, end = `<section class="tab">`, "</section>\n"
		label = firstValue(t, "label", "title", "value")
	case "note", "tip", "info", "warning", "caution", "danger", "check", "admonition", "callout", "aside":
		kind := t.name
		if v := firstValue(t, "type", "variant"); v != "" && len(v) <= 20 {
			kind = strings.ToLower(v)
		}
		open, end = `<div class="callout is-`+markdown.AlertName(kind)+`">`, "</div>\n"
		if label = firstValue(t, "title"); label == "" {
			label = kindName(kind)
		}
	case "accordion", "expandable":
		open, end = `<details class="callout is-note"><summary class="label">`, "</details>\n"
		inSummary, label = true, firstValue(t, "title")
	default:
		open, end = "<div>", "</div>\n"
		label = firstValue(t, "title")
	}
	switch {
	case t.end:
		if i := x.since(" " + t.name + " "); i >= 0 {
			x.closeFrom(i)
		}
	case !x.full() && !t.empty:
		x.raw(open)
		if inSummary {
			x.around("", label, "</summary>\n")
		} else if label != "" {
			x.around(`<p class="label">`, clip(label, 200), "</p>\n")
		}
		x.push(t.name, end)
	}
	return true
}

func firstValue(t tag, names ...string) string {
	for _, name := range names {
		if v, _ := t.value(name); v != "" {
			return v
		}
	}
	return ""
}
