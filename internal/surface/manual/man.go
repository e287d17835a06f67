package manual

import (
	"fmt"
	"strings"
)

// Man returns the page as a man page of section 1. It has no date, so that the same
// program always writes the same page.
func (p Page) Man(version string) string {
	b := &strings.Builder{}
	p.head(b, version)
	p.body(b, ".SH")
	for _, part := range p.Parts {
		fmt.Fprintf(b, ".SH %s\n", roff(strings.ToUpper(part.Name)))
		part.body(b, ".SS")
	}
	fmt.Fprintf(b, ".SH SEE ALSO\n\\fBdocent\\fR(1)\n")
	return b.String()
}

func (p Page) head(b *strings.Builder, version string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"%s\" \"docent manual\"\n", strings.ToUpper(roff(p.File())), roff("docent "+version))
	fmt.Fprintf(b, ".nh\n.ad l\n.SH NAME\n%s \\- %s\n", roff(p.File()), roff(p.Short))
}

func (p Page) body(b *strings.Builder, heading string) {
	fmt.Fprintf(b, "%s SYNOPSIS\n%s\n", heading, text(p.Usage))
	fmt.Fprintf(b, "%s DESCRIPTION\n", heading)
	for _, part := range blocks(p.Long) {
		if part.literal {
			literal(b, strings.Join(part.lines, "\n"))
			continue
		}
		b.WriteString(".PP\n")
		for _, line := range part.lines {
			fmt.Fprintln(b, text(line))
		}
	}
	if len(p.Flags) > 0 {
		fmt.Fprintf(b, "%s OPTIONS\n", heading)
		for _, f := range p.Flags {
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(f.Name), text(f.About))
		}
	}
	if p.Example != "" {
		fmt.Fprintf(b, "%s EXAMPLES\n", heading)
		literal(b, p.Example)
	}
}

// Overview returns the man page of the program itself: what it is, its commands by
// group, and sections such as EXIT STATUS.
func Overview(p Page, version string, groups []Group, sections []Section) string {
	b := &strings.Builder{}
	p.head(b, version)
	p.body(b, ".SH")
	b.WriteString(".SH COMMANDS\n")
	for _, g := range groups {
		fmt.Fprintf(b, ".SS %s\n", roff(g.Title))
		for _, sub := range g.Pages {
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR(1)\n%s\n", roff(sub.File()), text(sub.Short))
		}
	}
	for _, s := range sections {
		fmt.Fprintf(b, ".SH %s\n", roff(s.Title))
		for _, item := range s.Items {
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(item.Name), text(item.About))
		}
	}
	return b.String()
}

// A Section is a heading of a man page and a list of named things.
type Section struct {
	Title string
	Items []Flag
}

func literal(b *strings.Builder, lines string) {
	b.WriteString(".PP\n.RS 4\n.nf\n")
	for line := range strings.SplitSeq(lines, "\n") {
		fmt.Fprintln(b, text(strings.TrimPrefix(line, "  ")))
	}
	b.WriteString(".fi\n.RE\n")
}

// roff writes a text so that troff prints it as it is, inside a line.
func roff(s string) string {
	return roffEscape.Replace(s)
}

var roffEscape = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// text is roff for the beginning of a line, where a full stop would be a request.
func text(s string) string {
	if strings.HasPrefix(s, ".") {
		return `\&` + roff(s)
	}
	return roff(s)
}
