package manual

import (
	"fmt"
	"strings"
)

// Markdown returns the page as Markdown.
func (p Page) Markdown() string {
	b := &strings.Builder{}
	p.markdown(b, "#")
	return b.String()
}

func (p Page) markdown(b *strings.Builder, level string) {
	fmt.Fprintf(b, "%s %s\n", level, p.Name)
	for _, part := range blocks(p.Long) {
		b.WriteByte('\n')
		if part.literal {
			fence(b, strings.Join(part.lines, "\n"))
			continue
		}
		for _, line := range part.lines {
			fmt.Fprintln(b, escape.Replace(line))
		}
	}
	for _, note := range p.Notes {
		fmt.Fprintf(b, "\n%s\n", note)
	}
	fmt.Fprintf(b, "\n%s# Usage\n\n", level)
	fence(b, p.Usage)
	if p.Example != "" {
		fmt.Fprintf(b, "\n%s# Examples\n\n", level)
		fence(b, p.Example)
	}
	if len(p.Flags) > 0 {
		fmt.Fprintf(b, "\n%s# Flags\n\n| flag | what it does |\n|---|---|\n", level)
		for _, f := range p.Flags {
			fmt.Fprintf(b, "| `%s` | %s |\n", f.Name, strings.ReplaceAll(escape.Replace(f.About), "|", `\|`))
		}
	}
	for _, part := range p.Parts {
		b.WriteByte('\n')
		part.markdown(b, level+"#")
	}
}

// escape keeps help texts from being read as HTML or emphasis.
var escape = strings.NewReplacer("<", `\<`, "*", `\*`, "[", `\[`)

func fence(b *strings.Builder, text string) {
	b.WriteString("```text\n")
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(b, strings.TrimPrefix(line, "  "))
	}
	b.WriteString("```\n")
}

// Index returns the page that lists all pages, in groups: a name and its pages.
func Index(title, about string, groups []Group) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# %s\n\n%s\n", title, about)
	for _, g := range groups {
		fmt.Fprintf(b, "\n## %s\n\n| command | what it does |\n|---|---|\n", g.Title)
		for _, p := range g.Pages {
			fmt.Fprintf(b, "| [`%s`](%s.md) | %s |\n", p.Name, p.File(), escape.Replace(p.Short))
		}
	}
	return b.String()
}

// A Group is a heading with the pages under it.
type Group struct {
	Title string
	Pages []Page
}
