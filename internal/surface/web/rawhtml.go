package web

import (
	"html"
	"strings"

	"github.com/docent-md/docent/internal/text/markdown"
)

// tag drops an inline tag, except a line break.
func (p *pageWriter) tag(n *markdown.Piece) {
	if len(n.Text) > 20 {
		return
	}
	if s := strings.ToLower(string(n.Text)); strings.HasPrefix(s, "<br") && strings.Trim(s[3:], " /") == ">" {
		p.raw("<br>")
	}
}

// htmlBlock writes the text of a block of HTML, without its tags.
func (p *pageWriter) htmlBlock(n *markdown.Piece) {
	words := withoutTags(string(n.Text))
	if words == "" {
		return
	}
	p.around(`<div class="from-html">`, words, "</div>\n")
}

// withoutTags returns the text between the tags and comments of HTML, without scripts
// and styles. The caller escapes it like any other text.
func withoutTags(s string) string {
	b := &strings.Builder{}
	for s != "" {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:open])
		s = s[open:]
		end := ">"
		lower := strings.ToLower(s[:min(len(s), 8)])
		switch {
		case strings.HasPrefix(s, "<!--"):
			end = "-->"
		case strings.HasPrefix(lower, "<script"):
			end = "</script>"
		case strings.HasPrefix(lower, "<style"):
			end = "</style>"
		}
		_, rest, ok := cutFold(s, end)
		if !ok {
			break
		}
		s = rest
	}
	var kept []string
	for l := range strings.SplitSeq(html.UnescapeString(b.String()), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// cutFold is strings.Cut for an ASCII separator in any case.
func cutFold(s, sep string) (before, after string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}
