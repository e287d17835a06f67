package content

import (
	"strings"

	"github.com/docent-md/docent/internal/text/markdown"
)

// Callouts, admonitions and alerts are boxes with a colour and a label, whatever dialect
// they are written in; those that fold are <details>. Tabs are sections beside each other,
// which the script of the page makes tabs of: without it they follow one another.

// boxes writes quotes and boxes.
type boxes struct {
	*page
	ends   []string // closing tags of those that are open
	folded []bool   // whether the label of each is a summary
}

// quote writes the beginning or end of a quote or box.
func (x *boxes) quote(n *markdown.Piece) {
	if n.Close {
		if last := len(x.ends) - 1; last >= 0 {
			x.raw(x.ends[last])
			x.ends, x.folded = x.ends[:last], x.folded[:last]
		}
		return
	}
	open, end, folds := "<blockquote>\n", "</blockquote>\n", false
	switch kind := strings.ToLower(clip(string(n.Info), 20)); {
	case n.Alert == "":
	case n.Kind == markdown.BoxPiece && (kind == "" || kind == "tab"):
		open, end = `<section class="tab">`, "</section>\n"
	case n.Kind == markdown.BoxPiece && (kind == "tabs" || kind == "tabset" || kind == "tabpane" || kind == "code-group"):
		open, end = `<div class="tabs">`, "</div>\n"
		n.Plain = false
	case n.Fold != markdown.NoFold:
		open, end, folds = `<details class="callout is-`+n.Alert+`">`, "</details>\n", true
		if n.Fold == markdown.Unfolded {
			open = `<details open class="callout is-` + n.Alert + `">`
		}
	default:
		open, end = `<div class="callout is-`+n.Alert+`">`, "</div>\n"
	}
	x.raw(open)
	if n.Alert != "" && n.Plain && len(n.Info) > 0 {
		tag := labelTags(folds)
		x.around(tag[0], kindName(string(n.Info)), tag[1])
	}
	x.ends, x.folded = append(x.ends, end), append(x.folded, folds)
}

// label writes the beginning or end of what a box is about.
func (x *boxes) label(n *markdown.Piece) {
	folds := len(x.folded) > 0 && x.folded[len(x.folded)-1]
	x.put(labelTags(folds), n)
}

func labelTags(folds bool) [2]string {
	if folds {
		return [2]string{`<summary class="label">`, "</summary>\n"}
	}
	return [2]string{`<p class="label">`, "</p>\n"}
}

// kindName is the label of a box that has none: "Note".
func kindName(kind string) string {
	kind = strings.ToLower(clip(kind, 40))
	if kind == "" {
		return ""
	}
	return strings.ToUpper(kind[:1]) + kind[1:]
}
