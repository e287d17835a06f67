package content

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/docent-md/docent/internal/text/markdown"
)

// code writes a block of code with its language, title and lines that are pointed out.
// Colours and the button that copies it are the script's. It reports
// whether lines have numbers, which lead to places whose ids begin with prefix.
func (p *page) code(n *markdown.Piece, prefix string) (numbers bool) {
	info := string(n.Info)
	lang := codeName(info)
	switch lang {
	case "math":
		p.math(&markdown.Piece{Text: n.Text, Display: true})
		return false
	case "mermaid":
		p.diagram(n.Text)
		return false
	}
	p.raw(`<div class="code">`)
	title := clip(codeTitle(info), 200)
	switch {
	case title != "":
		p.around(`<p class="code-title">`, title, "</p>")
	case lang != "" && lang != "text":
		p.around(`<p class="code-lang" aria-hidden="true">`, lang, "</p>")
	}
	p.around(`<pre tabindex="0"><code data-lang="`, lang, `">`)
	marked := codeLines(info)
	annotated := isAnnotated(info, n.Text)
	if len(marked) == 0 && lang != "diff" && !annotated {
		p.text(n.Text)
		p.raw("</code></pre></div>\n")
		return false
	}
	number := 0
	for line := range bytes.Lines(n.Text) {
		number++
		class := ""
		switch {
		case marked.has(number):
			class = "hl"
		case lang == "diff" && line[0] == '+':
			class = "add"
		case lang == "diff" && line[0] == '-':
			class = "cut"
		}
		if class != "" {
			p.raw(`<span class="line ` + class + `">`)
		}
		if !annotated {
			p.text(line)
		} else if p.annotatedLine(line, strings.Contains(info, ".annotate"), prefix) {
			numbers = true
		}
		if class != "" {
			p.raw("</span>")
		}
	}
	p.raw("</code></pre></div>\n")
	return numbers
}

// codeName returns the language of an info string: "js" of "js {1,3} live", "py" of
// "{ .py .annotate }".
func codeName(info string) string {
	info = strings.TrimLeft(info, "{ .")
	end := strings.IndexFunc(info, func(r rune) bool {
		return !(r == '-' || r == '_' || r == '+' || r == '#' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	if end >= 0 {
		if info[end] == '=' { // title="..." without a language
			return ""
		}
		info = info[:end]
	}
	return strings.ToLower(info[:min(len(info), 20)])
}

// codeTitle returns what a block of code is called: title="x", filename="x", or in
// brackets [x] as VitePress has it.
func codeTitle(info string) string {
	for _, key := range []string{"title=", "filename=", "name="} {
		if _, v, ok := strings.Cut(info, key); ok && v != "" {
			if v[0] == '"' || v[0] == '\'' {
				v, _, _ = strings.Cut(v[1:], v[:1])
				return v
			}
			return strings.Fields(v + " ")[0]
		}
	}
	if _, v, ok := strings.Cut(info, " ["); ok {
		if name, _, ok := strings.Cut(v, "]"); ok {
			return name
		}
	}
	return ""
}

// lineRanges are the lines of a block of code that are pointed out.
type lineRanges [][2]int

func (r lineRanges) has(n int) bool {
	for _, x := range r {
		if n >= x[0] && n <= x[1] {
			return true
		}
	}
	return false
}

// codeLines reads them: {1,3-5}, or hl_lines="1 3-5" of MkDocs.
func codeLines(info string) lineRanges {
	list := ""
	if _, v, ok := strings.Cut(info, "hl_lines="); ok && len(v) > 1 {
		list, _, _ = strings.Cut(v[1:], v[:1])
	} else if _, v, ok := strings.Cut(info, "{"); ok {
		list, _, _ = strings.Cut(v, "}")
	}
	var out lineRanges
	for part := range strings.FieldsFuncSeq(clip(list, 200), func(r rune) bool { return r == ',' || r == ' ' }) {
		from, to, both := strings.Cut(part, "-")
		a, err := strconv.Atoi(from)
		b := a
		if both && err == nil {
			b, err = strconv.Atoi(to)
		}
		if err != nil {
			return nil
		}
		out = append(out, [2]int{a, b})
	}
	return out
}

// diagram writes the source of a diagram, which the script of the page draws.
func (p *page) diagram(source []byte) {
	p.diagrams = true
	p.raw(`<div class="code" data-diagram><pre tabindex="0"><code data-lang="mermaid">`)
	p.text(source)
	p.raw("</code></pre></div>\n")
}
