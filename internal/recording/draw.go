package main

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Sizes of the terminal, in characters and pixels; times in seconds.
const (
	columns    = 100
	charWidth  = 7.8
	lineHeight = 18
	margin     = 16
	perChar    = 0.04 // typing
	pause      = 0.4  // between return and output
	perLine    = 0.25 // reading
	between    = 2.0
)

// draw returns the session as an SVG. The scenes lie over each other, and each is shown
// in its turn; whoever asked their system for less motion sees the first one.
func draw(scenes []scene) string {
	rows, total := 0, 0.
	for _, s := range scenes {
		rows = max(rows, len(folded(s.lines))+2)
		total += length(s)
	}
	width, height := columns*charWidth+2*margin, float64(rows*lineHeight+2*margin)
	b := &strings.Builder{}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img" aria-label="A session at the terminal: %s">`+"\n",
		width, height, escaped(scenes[0].command))
	b.WriteString("<style>\ntext{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d6deeb;white-space:pre}\n" +
		".p{fill:#7fdbca}.c{fill:#fff}.r{fill:#82aaff}.q{fill:#7f93a8}.w{fill:#ecc48d}\n.s{visibility:hidden}\n")
	at := 0.
	for i, s := range scenes {
		percent := func(seconds float64) float64 { return 100 * seconds / total }
		end := at + length(s)
		typed := at + perChar*float64(utf8.RuneCountInString(s.command))
		fmt.Fprintf(b, "#s%d{animation:s%d %.2fs step-end infinite}@keyframes s%d{0%%{visibility:%s}%.3f%%{visibility:visible}%.3f%%{visibility:hidden}}\n",
			i, i, total, i, shownAt(i == 0), percent(at), percent(end))
		fmt.Fprintf(b, "#o%d{animation:o%d %.2fs step-end infinite}@keyframes o%d{0%%{opacity:0}%.3f%%{opacity:1}}\n", i, i, total, i, percent(typed+pause))
		fmt.Fprintf(b, "#t%d{animation:t%d %.2fs linear infinite}@keyframes t%d{0%%,%.3f%%{width:0}%.3f%%,100%%{width:%.1fpx}}\n",
			i, i, total, i, percent(at), percent(typed), charWidth*float64(utf8.RuneCountInString(s.command)+1))
		at = end
	}
	b.WriteString("@media (prefers-reduced-motion:reduce){*{animation:none!important}#s0{visibility:visible}}\n</style>\n")
	fmt.Fprintf(b, `<rect width="%.0f" height="%.0f" rx="8" fill="#011627"/>`+"\n", width, height)
	for i, s := range scenes {
		fmt.Fprintf(b, `<g id="s%d" class="s">`+"\n", i)
		fmt.Fprintf(b, `<clipPath id="k%d"><rect id="t%d" x="%.1f" y="0" width="%.0f" height="%d"/></clipPath>`+"\n",
			i, i, margin+2*charWidth, width, margin+lineHeight+6)
		fmt.Fprintf(b, `<text x="%d" y="%d" class="p">$</text>`+"\n", margin, margin+lineHeight)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" class="c" clip-path="url(#k%d)">%s</text>`+"\n", margin+2*charWidth, margin+lineHeight, i, escaped(s.command))
		fmt.Fprintf(b, `<g id="o%d">`+"\n", i)
		for n, line := range folded(s.lines) {
			if line != "" {
				fmt.Fprintf(b, `<text x="%d" y="%d"%s>%s</text>`+"\n", margin, margin+(n+2)*lineHeight, class(line), escaped(line))
			}
		}
		b.WriteString("</g>\n</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func shownAt(first bool) string {
	if first {
		return "visible"
	}
	return "hidden"
}

// length is how long a scene is shown.
func length(s scene) float64 {
	return perChar*float64(utf8.RuneCountInString(s.command)) + pause + between + perLine*float64(len(s.lines))
}

// folded cuts lines that are longer than the terminal is wide.
func folded(lines []string) []string {
	var out []string
	for _, line := range lines {
		runes := []rune(line)
		for len(runes) > columns {
			out = append(out, string(runes[:columns]))
			runes = runes[columns:]
		}
		out = append(out, string(runes))
	}
	return out
}

// class colours citations, warnings and what is said about the answer.
func class(line string) string {
	switch {
	case strings.HasPrefix(line, "# ["):
		return ` class="r"`
	case strings.HasPrefix(line, "weak match"), strings.HasPrefix(line, "same"):
		return ` class="w"`
	case strings.HasPrefix(line, "index "), strings.HasPrefix(line, "more:"), strings.HasPrefix(line, "left out:"), strings.HasPrefix(line, "["), line == "---":
		return ` class="q"`
	}
	return ""
}

func escaped(s string) string {
	b := &strings.Builder{}
	if err := xml.EscapeText(b, []byte(s)); err != nil {
		return ""
	}
	return b.String()
}
