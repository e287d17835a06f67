//go:build unix

package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A report is the tables of one run, in Markdown. A ratio says how many times
// as much the peer takes: above 1 docent takes less.
type report struct {
	w         io.Writer
	noTargets bool // they are not for this corpus
	missed    []string
	met       int
	plots     []*plot
}

// section begins a table. The notes say what is compared with what.
func (r *report) section(title string, notes ...string) {
	fmt.Fprintf(r.w, "\n## %s\n\n", title)
	fmt.Fprintln(r.w, wrap(strings.Join(notes, " ")))
	fmt.Fprintf(r.w, "\n| measure | docent | peer | ratio | target | |\n|---|---|---|---|---|---|\n")
}

// A side is one of the two in a comparison.
type side struct {
	name string
	spread
}

// versus adds a comparison. least is the ratio to reach, 0 for none.
func (r *report) versus(what string, ours spread, theirs side, unit string, least float64) {
	if theirs.n == 0 {
		r.row(what, show(ours, unit), theirs.name+": not installed", "", "", "")
		return
	}
	ratio := theirs.mid / ours.mid
	target, verdict := "", ""
	if least > 0 && !r.noTargets {
		target = "≥ " + number(least) + "x"
		verdict = r.judge(what+" against "+theirs.name, ratio >= least)
	}
	r.row(what, show(ours, unit), theirs.name+" "+show(theirs.spread, unit), number(ratio)+"x", target, verdict)
}

// limit adds a measure that must stay under most, or 0 for none.
func (r *report) limit(what string, ours spread, unit string, most float64) {
	target, verdict := "", ""
	if most > 0 && !r.noTargets {
		target = "< " + number(most) + " " + unit
		verdict = r.judge(what, ours.mid < most)
	}
	r.row(what, show(ours, unit), "", "", target, verdict)
}

func (r *report) judge(what string, ok bool) string {
	if ok {
		r.met++
		return "met"
	}
	r.missed = append(r.missed, what)
	return "**missed**"
}

func (r *report) row(cells ...string) {
	for i := range cells {
		cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
	}
	fmt.Fprintf(r.w, "| %s |\n", strings.Join(cells, " | "))
}

// summary says how many targets were reached.
func (r *report) summary() {
	if r.noTargets {
		return
	}
	text := fmt.Sprintf("%d targets met, %d missed", r.met, len(r.missed))
	if len(r.missed) > 0 {
		text += ": " + strings.Join(r.missed, "; ")
	}
	fmt.Fprintf(r.w, "\n%s\n", wrap(text))
}

// wrap breaks text into lines of at most 120 columns, as in all documents.
func wrap(text string) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+n > 120:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// show gives a median, and in brackets the quartiles and how many there were.
func show(s spread, unit string) string {
	if s.n <= 1 {
		return number(s.mid) + " " + unit
	}
	return fmt.Sprintf("%s %s (%s–%s, n=%d)", number(s.mid), unit, number(s.low), number(s.high), s.n)
}

// number gives three digits, and no more than are before the point.
func number(f float64) string {
	switch {
	case f >= 100:
		return strconv.FormatFloat(f, 'f', 0, 64)
	case f >= 10:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 2, 64), ".00")
}
