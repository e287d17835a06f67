package mathml

import (
	"html/template"
	"strings"
)

// command reads what follows a command.
func (p *parser) command(name string) string {
	switch name {
	case "frac", "dfrac", "tfrac", "cfrac":
		return element("mfrac", p.group()+p.group())
	case "binom":
		return `<mrow><mo>(</mo><mfrac linethickness="0">` + p.group() + p.group() + "</mfrac><mo>)</mo></mrow>"
	case "sqrt":
		return p.root()
	case "text", "textrm", "textit", "textbf", "texttt", "mbox", "hbox", "textsf":
		return text("mtext", strings.NewReplacer(`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\$`, "$", "~", " ", "$", "").Replace(p.raw()))
	case "operatorname", "mathrm", "mathop", "mathsf", "mathtt", "mathit", "mathbf", "boldsymbol", "mathbb", "mathcal", "mathfrak", "mathscr", "bm":
		return p.alphabet(name)
	case "left":
		return p.delimited()
	case "begin":
		return p.environment()
	case "tag":
		return "<mtext>&#8195;(" + template.HTMLEscapeString(p.raw()) + ")</mtext>"
	case "label", "color", "hspace", "vspace":
		p.raw()
		return ""
	case "displaystyle", "textstyle", "scriptstyle", "nonumber", "notag", "middle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr":
		return ""
	case "overset", "stackrel":
		over := p.group()
		return element("mover", p.group()+over)
	case "underset":
		under := p.group()
		return element("munder", p.group()+under)
	case "not":
		if t := p.peek(); t == "=" || t == `\in` || t == `\equiv` {
			p.next()
			return "<mo>" + map[string]string{"=": "≠", `\in`: "∉", `\equiv`: "≢"}[t] + "</mo>"
		}
		return p.fail()
	case "pmod":
		return "<mrow><mo>(</mo><mi>mod</mi><mspace width=\"0.3em\"></mspace>" + p.group() + "<mo>)</mo></mrow>"
	}
	return p.symbol(name)
}

// symbol is a command that is a sign, or puts one over or under what follows.
func (p *parser) symbol(name string) string {
	if mark, ok := accents[name]; ok {
		tag := "mover"
		if name == "underline" || name == "underbrace" {
			tag = "munder"
		}
		return element(tag, p.group()+"<mo>"+mark+"</mo>")
	}
	if s, ok := space[name]; ok {
		return s
	}
	if s, ok := identifiers[name]; ok {
		return text("mi", s)
	}
	if functions[name] {
		return text("mi", name)
	}
	if s, ok := operators[name]; ok {
		return text("mo", s)
	}
	return p.fail()
}

// alphabet reads letters in another alphabet.
func (p *parser) alphabet(name string) string {
	raw := p.rest
	if p.peek() != "{" {
		return p.styled(name, p.next())
	}
	s := p.raw()
	if p.failed {
		return ""
	}
	if strings.ContainsAny(s, `\^_{}&`) { // more than letters: as it is
		if s == "" || len(raw) < len(s) {
			return p.fail()
		}
		p.rest = "{" + s + "}" + p.rest
		return p.group()
	}
	return p.styled(name, s)
}

// styled writes letters in another alphabet, by the characters that Unicode has for them.
func (p *parser) styled(name, s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "*")
	if s == "" || s[0] == '\\' {
		return p.fail()
	}
	upper, lower := rune(0), rune(0)
	switch name {
	case "mathbf", "boldsymbol", "bm":
		upper, lower = 0x1D400, 0x1D41A
	case "mathbb":
		upper, lower = 0x1D538, 0x1D552
	case "mathcal", "mathscr":
		upper, lower = 0x1D49C, 0x1D4B6
	case "mathfrak":
		upper, lower = 0x1D504, 0x1D51E
	case "mathtt":
		upper, lower = 0x1D670, 0x1D68A
	default:
		return `<mi mathvariant="normal">` + template.HTMLEscapeString(s) + "</mi>"
	}
	var b strings.Builder
	for _, r := range s {
		switch special, ok := letterlike[name+string(r)]; {
		case ok:
			b.WriteString(special)
		case r >= 'A' && r <= 'Z':
			b.WriteRune(upper + r - 'A')
		case r >= 'a' && r <= 'z':
			b.WriteRune(lower + r - 'a')
		default:
			b.WriteRune(r)
		}
	}
	return text("mi", b.String())
}

// delimiter reads what stands behind \left or \right.
func (p *parser) delimiter() string {
	t := p.next()
	switch t {
	case ".":
		return ""
	case `\{`, `\lbrace`:
		return "{"
	case `\}`, `\rbrace`:
		return "}"
	case `\|`:
		return "‖"
	case "(", ")", "[", "]", "|", "/", "<", ">":
		return t
	}
	if len(t) > 1 {
		if s, ok := operators[t[1:]]; ok {
			return s
		}
	}
	return p.fail()
}

// delimited reads \left( ... \right).
func (p *parser) delimited() string {
	open := p.delimiter()
	row := p.row("")
	if p.failed || p.next() != `\right` {
		return p.fail()
	}
	return fenced(open, row, p.delimiter())
}

func fenced(open, inner, end string) string {
	out := "<mrow>"
	if open != "" {
		out += `<mo fence="true" stretchy="true">` + template.HTMLEscapeString(open) + "</mo>"
	}
	out += inner
	if end != "" {
		out += `<mo fence="true" stretchy="true">` + template.HTMLEscapeString(end) + "</mo>"
	}
	return out + "</mrow>"
}

// fences stand around the environments that have them.
var fences = map[string][2]string{
	"matrix": {}, "smallmatrix": {}, "array": {}, "aligned": {}, "align": {}, "split": {}, "gathered": {}, "gather": {}, "equation": {}, "alignedat": {}, "eqnarray": {},
	"pmatrix": {"(", ")"}, "bmatrix": {"[", "]"}, "vmatrix": {"|", "|"}, "Vmatrix": {"‖", "‖"}, "Bmatrix": {"{", "}"}, "cases": {"{", ""},
}

// maxCells bounds the cells of a formula's table.
const maxCells = 400

// environment reads \begin{name} ... \end{name}.
func (p *parser) environment() string {
	written := p.raw()
	name := strings.TrimSuffix(written, "*")
	around, ok := fences[name]
	if !ok {
		return p.fail()
	}
	if name == "array" || name == "alignedat" {
		p.raw()
	}
	var b strings.Builder
	b.WriteString("<mtable><mtr><mtd>")
	for cells := 0; !p.failed; cells++ {
		if cells > maxCells {
			return p.fail()
		}
		b.WriteString(p.row(""))
		switch p.next() {
		case "&":
			b.WriteString("</mtd><mtd>")
			continue
		case `\\`:
			if p.peek() == `\end` {
				continue
			}
			b.WriteString("</mtd></mtr><mtr><mtd>")
			continue
		case `\end`:
			if p.raw() != written {
				return p.fail()
			}
			return fenced(around[0], b.String()+"</mtd></mtr></mtable>", around[1])
		}
		return p.fail()
	}
	return p.fail()
}

// root reads a square root, or one with the index in brackets.
func (p *parser) root() string {
	if p.peek() != "[" {
		return element("msqrt", p.group())
	}
	p.next()
	index := p.row("]")
	if p.next() != "]" {
		return p.fail()
	}
	return element("mroot", p.group()+index)
}
