package browse

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/grep"
)

// match adds a matching line of a span.
func (g *grepRun) match(c *candidate, data []byte, span doc.Span, line grep.Line) error {
	at := span.Start + line.Start
	table := g.v.Segments[c.Seg].Table
	var failed error
	// The section is the last that begins at or before the line.
	i := sort.Search(c.Info.Sections, func(i int) bool {
		s, err := table.Section(c.Info.FirstSection + i)
		failed = cmp.Or(failed, err)
		return s.Span.Start > at
	}) - 1
	if failed != nil || i < 0 {
		return cmp.Or(failed, fmt.Errorf("%w: %s", doctable.ErrFormat, c.Path))
	}
	section, err := table.Section(c.Info.FirstSection + i)
	if err != nil {
		return err
	}
	trail, err := table.Trail(c.Info, c.Info.FirstSection+i)
	if err != nil {
		return err
	}
	price, err := g.priceOf(c, data, i)
	if err != nil {
		return err
	}
	number := line.Number - 1 + lineOf(table, c, span, data)
	m := answer.Match{
		Path: c.Path, Line: number, Content: string(data[at : span.Start+line.End]),
		Section: doc.Ref{Path: c.Path, Anchor: section.Anchor}.String(), Tokens: price, Headings: trail, Words: g.phrase != nil,
	}
	m.Before = linesBefore(data, at, number, g.o.Before)
	m.After = linesAfter(data, span.Start+line.End, number, g.o.After)
	g.out.Matches = append(g.out.Matches, m)
	return nil
}

// A sectionAt is a section of a file.
type sectionAt struct{ seg, row int }

// priceOf is what a section costs with those under it. Matches of one section come one
// after another, so the last price is kept.
func (g *grepRun) priceOf(c *candidate, data []byte, i int) (int, error) {
	at := sectionAt{c.Seg, c.Info.FirstSection + i}
	if g.priced == at && g.price > 0 {
		return g.price, nil
	}
	table := g.v.Segments[c.Seg].Table
	section, err := table.Section(at.row)
	if err != nil {
		return 0, err
	}
	end := section.Span.End
	for row := at.row + 1; row < c.Info.FirstSection+c.Info.Sections; row++ {
		under, err := table.Section(row)
		if err != nil {
			return 0, err
		}
		if under.Level <= section.Level {
			break
		}
		end = under.Span.End
	}
	if section.Span.Start > end || end > len(data) {
		return 0, fmt.Errorf("%w: %s", doctable.ErrFormat, c.Path)
	}
	g.priced, g.price = at, g.v.Policy.Count(data[section.Span.Start:end])
	return g.price, nil
}

// lineOf is the number of the line a span begins with.
func lineOf(table *doctable.Reader, c *candidate, span doc.Span, data []byte) int {
	if span.Start == 0 {
		return 1
	}
	for _, row := range c.chunks {
		if ch, err := table.Chunk(row); err == nil && ch.Span.Start == span.Start {
			return ch.Lines.Start
		}
	}
	return 1 + bytes.Count(data[:span.Start], []byte("\n"))
}

// linesBefore are up to n lines before the one with that number, which begins at
// data[start].
func linesBefore(data []byte, start, number, n int) []answer.ContextLine {
	var out []answer.ContextLine
	for number > 1 && start > 0 && len(out) < n {
		end := start - 1 // the line's own ending
		start = bytes.LastIndexByte(data[:end], '\n') + 1
		number--
		out = append(out, answer.ContextLine{Line: number, Content: string(data[start:end])})
	}
	slices.Reverse(out)
	return out
}

// linesAfter are up to n lines after the one with that number, which ends before
// the newline at data[end].
func linesAfter(data []byte, end, number, n int) []answer.ContextLine {
	var out []answer.ContextLine
	for end+1 < len(data) && len(out) < n {
		start := end + 1
		end = len(data)
		if i := bytes.IndexByte(data[start:], '\n'); i >= 0 {
			end = start + i
		}
		number++
		out = append(out, answer.ContextLine{Line: number, Content: string(data[start:end])})
	}
	return out
}
