//go:build unix

package main

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// A plot is a figure of bars, one a rival, written as SVG that follows the reader's
// light or dark theme.
type plot struct {
	file, title, unit string
	names             []string
	values            []float64
}

// plot adds a bar to the plot of a file.
func (r *report) plot(file, title, unit, name string, value float64) {
	for _, p := range r.plots {
		if p.file == file {
			p.names, p.values = append(p.names, name), append(p.values, value)
			return
		}
	}
	r.plots = append(r.plots, &plot{file, title, unit, []string{name}, []float64{value}})
}

// writePlots writes the plots into a folder, if one is named.
func (r *report) writePlots(dir string) error {
	if dir == "" {
		return nil
	}
	for _, p := range r.plots {
		if err := os.WriteFile(filepath.Join(dir, p.file+".svg"), []byte(p.svg()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

const (
	plotWidth = 752
	plotLeft  = 262 // where bars begin
	plotRow   = 34
	plotTop   = 52
)

func (p *plot) svg() string {
	var b strings.Builder
	height := plotTop + plotRow*len(p.names) + 12
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
<style>
text { font: 15px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600 } .bar { fill: #9aa4b2 } .ours { fill: #0b7a75 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .bar { fill: #5b6675 } .ours { fill: #2fb5ad } }
</style>
<text class="title" x="12" y="28">%s</text>
`, plotWidth, height, html.EscapeString(p.title), html.EscapeString(p.title))
	for i, name := range p.names {
		y := plotTop + i*plotRow
		class := "bar"
		if strings.HasPrefix(name, "docent") || strings.HasSuffix(name, " files") {
			class = "ours"
		}
		w := p.width(p.values[i])
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", plotLeft-12, y+17, html.EscapeString(name))
		fmt.Fprintf(&b, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"22\" rx=\"3\"/>", class, plotLeft, y, w)
		fmt.Fprintf(&b, "<text x=\"%.0f\" y=\"%d\">%s</text>\n", plotLeft+w+8, y+17, strings.TrimSpace(number(p.values[i])+" "+p.unit))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// width is that of a bar: times by their logarithm, as they differ a thousandfold;
// shares as they are.
func (p *plot) width(value float64) float64 {
	most, least := 0., math.Inf(1)
	for _, v := range p.values {
		most, least = max(most, v), min(least, v)
	}
	const room = plotWidth - plotLeft - 90
	if p.unit == "" {
		return room * value / most
	}
	low := math.Log(least / 2)
	return room * (math.Log(value) - low) / (math.Log(most) - low)
}
