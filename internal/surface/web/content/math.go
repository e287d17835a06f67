package content

import (
	"github.com/docent-md/docent/internal/surface/web/mathml"
	"github.com/docent-md/docent/internal/text/markdown"
)

// math writes a formula, as its source where it is not understood.
func (p *page) math(n *markdown.Piece) {
	switch formula, ok := mathml.From(string(n.Text), n.Display); {
	case ok && n.Display:
		p.raw(`<div class="formula" tabindex="0" role="group" aria-label="formula">` + formula + "</div>\n")
	case ok:
		p.raw(formula)
	case n.Display:
		p.around(`<div class="code"><pre tabindex="0"><code data-lang="tex">`, string(n.Text), "</code></pre></div>\n")
	default:
		p.around("<code>", string(n.Text), "</code>")
	}
}
