// Package mathml turns the TeX of formulas in documents into MathML, which browsers draw
// themselves: no script, no fonts.
//
// It knows what documentation uses: scripts, fractions, roots, accents, delimiters that
// grow, matrices and cases, Greek, the common symbols and alphabets. A formula with
// anything else is refused, so that its source can be shown instead of half of it. Every
// tag in the result is written out in this package, and all text is escaped.
package mathml

import (
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxSource = 4000 // bytes of a formula
	maxDepth  = 40   // of groups in groups
)

// From returns a formula as a <math> element. display says that it stands by itself. It
// reports false for one that it does not understand.
func From(tex string, display bool) (string, bool) {
	if len(tex) > maxSource || !utf8.ValidString(tex) {
		return "", false
	}
	p := &parser{rest: tex, display: display}
	row := p.row("")
	if p.failed || strings.TrimSpace(p.rest) != "" || row == "<mrow></mrow>" {
		return "", false
	}
	if display {
		return `<math display="block">` + row + "</math>", true
	}
	return "<math>" + row + "</math>", true
}

type parser struct {
	rest    string
	display bool
	depth   int
	failed  bool
}

func (p *parser) fail() string {
	p.failed, p.rest = true, ""
	return ""
}

// peek returns the next token without its spaces: a command with its backslash, or a
// character; "" at the end.
func (p *parser) peek() string {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	s := p.rest
	if s == "" {
		return ""
	}
	if s[0] == '%' { // a comment
		_, after, _ := strings.Cut(s, "\n")
		p.rest = after
		return p.peek()
	}
	if s[0] != '\\' {
		_, n := utf8.DecodeRuneInString(s)
		return s[:n]
	}
	n := 1
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
		n++
	}
	if n == 1 && len(s) > 1 {
		_, size := utf8.DecodeRuneInString(s[1:])
		n += size
	}
	return s[:n]
}

func (p *parser) next() string {
	t := p.peek()
	p.rest = p.rest[len(t):]
	return t
}

// row reads up to a token that ends it, which stays: "}" for a group, "&", "\\", "\end" or
// "\right" for others. end is one more.
func (p *parser) row(end string) string {
	if p.depth++; p.depth > maxDepth {
		return p.fail()
	}
	defer func() { p.depth-- }()
	var b strings.Builder
	n := 0
	for !p.failed {
		t := p.peek()
		if t == "" || t == "}" || t == "&" || t == `\\` || t == `\end` || t == `\right` || t == end {
			break
		}
		if atom := p.scripted(); atom != "" {
			b.WriteString(atom)
			n++
		}
	}
	if n == 1 {
		return b.String()
	}
	return "<mrow>" + b.String() + "</mrow>"
}

// group reads "{...}", or one atom: of a number, one digit.
func (p *parser) group() string {
	switch t := p.peek(); t {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return text("mn", p.next())
	case "", "}", "&", "^", "_":
		return p.fail()
	case "{":
		p.next()
		row := p.row("")
		if p.next() != "}" {
			return p.fail()
		}
		return row
	}
	if p.depth++; p.depth > maxDepth {
		return p.fail()
	}
	defer func() { p.depth-- }()
	return p.atom()
}

// raw reads the text of "{...}" as it is.
func (p *parser) raw() string {
	if p.next() != "{" {
		return p.fail()
	}
	depth := 1
	for i := range len(p.rest) {
		switch p.rest[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				s := p.rest[:i]
				p.rest = p.rest[i+1:]
				return s
			}
		}
	}
	return p.fail()
}

// scripted reads an atom with what stands above and below it.
func (p *parser) scripted() string {
	t := p.peek()
	base := "<mrow></mrow>"
	if t != "^" && t != "_" {
		base = p.atom()
	}
	limits := p.display && big[t] || t == `\lim` || t == `\max` || t == `\min` || t == `\sup` || t == `\inf`
	under, over := "", ""
	for !p.failed {
		switch t := p.peek(); t {
		case `\limits`:
			limits = true
			p.next()
			continue
		case `\nolimits`:
			limits = false
			p.next()
			continue
		case "_":
			if under != "" {
				return p.fail()
			}
			p.next()
			under = p.group()
			continue
		case "^":
			if over != "" {
				return p.fail()
			}
			p.next()
			over = p.group()
			continue
		case "'":
			prime := ""
			for p.peek() == "'" {
				p.next()
				prime += "′"
			}
			over = "<mrow><mo>" + prime + "</mo>" + over + "</mrow>"
			continue
		}
		break
	}
	names := [3]string{"msub", "msup", "msubsup"}
	if limits {
		names = [3]string{"munder", "mover", "munderover"}
	}
	switch {
	case under != "" && over != "":
		return element(names[2], base+under+over)
	case under != "":
		return element(names[0], base+under)
	case over != "":
		return element(names[1], base+over)
	}
	return base
}

func element(name, inner string) string { return "<" + name + ">" + inner + "</" + name + ">" }

func text(name, s string) string { return element(name, template.HTMLEscapeString(s)) }

// atom reads one thing without its scripts.
func (p *parser) atom() string {
	t := p.next()
	if t == "{" {
		p.rest = "{" + p.rest
		return p.group()
	}
	if t == "" || t == "}" {
		return p.fail()
	}
	if t[0] == '\\' {
		return p.command(t[1:])
	}
	r, _ := utf8.DecodeRuneInString(t)
	switch {
	case unicode.IsDigit(r):
		n := 0
		for n < len(p.rest) && (p.rest[n] >= '0' && p.rest[n] <= '9' || p.rest[n] == '.' && n+1 < len(p.rest) && p.rest[n+1] >= '0' && p.rest[n+1] <= '9') {
			n++
		}
		t += p.rest[:n]
		p.rest = p.rest[n:]
		return text("mn", t)
	case unicode.IsLetter(r):
		return text("mi", t)
	case t == "-":
		return "<mo>−</mo>"
	case t == "*":
		return "<mo>∗</mo>"
	case t == "~":
		return space["quad"]
	case t == "#" || t == "$":
		return p.fail()
	case strings.Contains("()[]|", t):
		return `<mo stretchy="false">` + t + "</mo>"
	}
	return text("mo", t)
}
