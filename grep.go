package docent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/grep"
	"github.com/docent-md/docent/internal/engine/index"
)

// How grep works.
//
// What a pattern must contain is looked up in the index, which gives the chunks
// that may match; only those are read and matched. An expression that must
// contain nothing in particular is run over everything, for grepTime at most.
// Which lines match is what ripgrep would say.
const (
	// MaxMatches is how many matches Grep returns unless told otherwise.
	MaxMatches = 100

	grepTime  = 2 * time.Second       // for an expression without literals
	countTime = 50 * time.Millisecond // for counting what the limit leaves out
)

// GrepOptions say how a pattern is meant and what is returned. The zero value
// is an expression in which case does not matter.
type GrepOptions struct {
	Glob          string // only files whose path matches
	CaseSensitive bool
	Word          bool // only whole words
	Fixed         bool // the pattern is plain text
	Before, After int  // lines of context
	PerFile       int  // most matches of a file; 0 means no limit
	Limit         int  // most matches; 0 means MaxMatches, less than 0 no limit
}

// A Match is a line that matches.
type Match struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Content string `json:"content"`
	Section string `json:"section"` // Ref of the section it stands in

	Headings []string      `json:"headings"` // that section's breadcrumb
	Before   []ContextLine `json:"before,omitempty"`
	After    []ContextLine `json:"after,omitempty"`
}

// A ContextLine is a line near a match.
type ContextLine struct {
	Line    int    `json:"line"`
	Content string `json:"content"`
}

// FileCount is how many lines of a file match.
type FileCount struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// Matches are the lines that match a pattern, by path and line.
type Matches struct {
	Pattern string      `json:"pattern"`
	Matches []Match     `json:"matches"`
	Files   []FileCount `json:"files"` // of the files looked at that match
	Total   int         `json:"total"` // matching lines, returned or not
	Partial string      `json:"partial,omitempty"`
}

// Grep returns the lines that match a pattern, in the order of paths and lines.
func (l *Library) Grep(pattern string, o GrepOptions) ([]Match, error) {
	m, err := l.GrepAll(context.Background(), pattern, o)
	if err != nil {
		return nil, err
	}
	return m.Matches, nil
}

// GrepAll is Grep with counts.
func (l *Library) GrepAll(ctx context.Context, pattern string, o GrepOptions) (*Matches, error) {
	asked := time.Now()
	p, err := grep.Compile(pattern, grep.Options{CaseSensitive: o.CaseSensitive, Word: o.Word, Fixed: o.Fixed})
	if err != nil {
		return nil, &regexpError{err}
	}
	if o.Glob != "" && !doublestar.ValidatePattern(o.Glob) {
		return nil, fmt.Errorf("file pattern %q: not a valid glob", o.Glob)
	}
	if o.Limit == 0 {
		o.Limit = MaxMatches
	}
	g := &grepping{l: l, p: p, o: o, out: &Matches{Pattern: pattern, Matches: []Match{}, Files: []FileCount{}}}
	set, some, err := l.need(p.Need())
	if err != nil {
		return nil, err
	}
	if some {
		err = g.candidates(ctx, set)
	} else {
		err = g.everything(ctx)
	}
	if err != nil {
		return nil, err
	}
	if len(g.stale) > 0 {
		return nil, &StaleError{g.stale}
	}
	if g.out.Total == 0 {
		if err := l.unsure(asked); err != nil {
			return nil, err
		}
	}
	return g.out, nil
}

// A regexpError is an ErrBadRegexp that says where the pattern goes wrong.
type regexpError struct{ err error }

func (e *regexpError) Error() string {
	return ErrBadRegexp.Error() + ": " + strings.TrimPrefix(e.err.Error(), "invalid regex: ")
}

func (e *regexpError) Is(target error) bool { return target == ErrBadRegexp }
func (e *regexpError) Unwrap() error        { return e.err }

// need evaluates what a pattern needs. ok is false when any text may match.
func (l *Library) need(n grep.Need) (set *index.Set, ok bool, err error) {
	switch n.Op {
	case grep.NeedLiteral:
		return l.search.MayContain(index.Literal{Text: n.Literal.Text, Left: n.Literal.Left, Right: n.Literal.Right})
	case grep.NeedAll:
		for _, sub := range n.Sub {
			s, some, err := l.need(sub)
			switch {
			case err != nil:
				return nil, false, err
			case !some:
			case set == nil:
				set = s
			default:
				set.Intersect(s)
			}
		}
		return set, set != nil, nil
	case grep.NeedOne:
		for _, sub := range n.Sub {
			s, some, err := l.need(sub)
			if err != nil || !some {
				return nil, false, err
			}
			if set == nil {
				set = &index.Set{}
			}
			set.Union(s)
		}
		return set, set != nil, nil
	}
	return nil, false, nil
}

// grepping is one call of Grep.
type grepping struct {
	l     *Library
	p     *grep.Pattern
	o     GrepOptions
	out   *Matches
	stale []string
	until time.Time // when counting ends; zero while matches are returned
}

// a candidate is a file with the chunks of it that may match; none means all.
type candidate struct {
	known
	chunks []int
}

// candidates looks at the chunks of a set, file by file.
func (g *grepping) candidates(ctx context.Context, set *index.Set) error {
	byFile := map[[2]int]*candidate{}
	var files []*candidate
	add := func(seg, row int) (*candidate, error) {
		key := [2]int{seg, row}
		if c, ok := byFile[key]; ok {
			return c, nil
		}
		k, err := g.l.known(seg, row)
		if err != nil {
			return nil, err
		}
		c := &candidate{known: k}
		byFile[key] = c
		files = append(files, c)
		return c, nil
	}
	for num := range set.All() {
		s, row := g.l.locate(num)
		seg := slices.Index(g.l.segs, s)
		ch, err := s.cat.Chunk(row)
		if err != nil {
			return err
		}
		c, err := add(seg, ch.File)
		if err != nil {
			return err
		}
		c.chunks = append(c.chunks, row)
	}
	// Where a line was divided between chunks neither may have all of a match.
	for i, s := range g.l.segs {
		rows, err := s.cat.Split()
		if err != nil {
			return err
		}
		for _, row := range rows {
			if s.dead[row] {
				continue
			}
			c, err := add(i, row)
			if err != nil {
				return err
			}
			c.chunks = nil
		}
	}
	slices.SortFunc(files, func(a, b *candidate) int { return cmp.Compare(a.path, b.path) })
	for _, c := range files {
		if more, err := g.file(ctx, c); err != nil || !more {
			return err
		}
	}
	return nil
}

// everything looks at all files, for a while.
func (g *grepping) everything(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, grepTime)
	defer cancel()
	files, err := g.l.live()
	if err != nil {
		return err
	}
	for i, k := range files {
		more, err := g.file(ctx, &candidate{known: k})
		if errors.Is(err, context.DeadlineExceeded) {
			g.out.Partial = fmt.Sprintf("stopped after %v and %d of %d files: the expression holds no text to look for; add a word, or name fewer files", grepTime, i, len(files))
			return nil
		}
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// file looks at one file, and reports whether to go on.
func (g *grepping) file(ctx context.Context, c *candidate) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if !g.until.IsZero() && time.Now().After(g.until) {
		g.out.Partial = "more were not counted"
		return false, nil
	}
	if g.o.Glob != "" && !matchAll([]string{g.o.Glob}, c.path) {
		return true, nil
	}
	data, err := g.l.settledText(c.known)
	if errors.Is(err, ErrStale) {
		g.stale = append(g.stale, c.path)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	spans, err := g.spans(c, len(data))
	if err != nil {
		return false, err
	}
	count := 0
	var failed error
	for _, s := range spans {
		err := g.p.Lines(ctx, data[s.Start:s.End], func(line grep.Line) bool {
			count++
			g.out.Total++
			if g.full() {
				if g.until.IsZero() {
					g.until = time.Now().Add(countTime)
				}
			} else if failed = g.match(c, data, s, line); failed != nil {
				return false
			}
			return g.o.PerFile <= 0 || count < g.o.PerFile
		})
		if err = cmp.Or(err, failed); err != nil {
			return false, err
		}
		if g.o.PerFile > 0 && count >= g.o.PerFile {
			break
		}
	}
	if count > 0 {
		g.out.Files = append(g.out.Files, FileCount{c.path, count})
	}
	return true, nil
}

func (g *grepping) full() bool { return g.o.Limit > 0 && len(g.out.Matches) >= g.o.Limit }

// spans are the stretches of a file to look at: its candidate chunks, or all.
func (g *grepping) spans(c *candidate, size int) ([]doc.Span, error) {
	if c.chunks == nil {
		return []doc.Span{{Start: 0, End: size}}, nil
	}
	slices.Sort(c.chunks)
	cat := g.l.segs[c.seg].cat
	var spans []doc.Span
	for _, row := range c.chunks {
		ch, err := cat.Chunk(row)
		if err != nil {
			return nil, err
		}
		if ch.Span.End > size || ch.Span.Start > ch.Span.End {
			return nil, fmt.Errorf("%w: chunk %d", doctable.ErrFormat, row)
		}
		if n := len(spans); n > 0 && spans[n-1].End == ch.Span.Start {
			spans[n-1].End = ch.Span.End
			continue
		}
		spans = append(spans, ch.Span)
	}
	return spans, nil
}

// match adds a matching line of a span.
func (g *grepping) match(c *candidate, data []byte, span doc.Span, line grep.Line) error {
	at := span.Start + line.Start
	cat := g.l.segs[c.seg].cat
	var failed error
	// The section is the last that begins at or before the line.
	i := sort.Search(c.file.Sections, func(i int) bool {
		s, err := cat.Section(c.file.FirstSection + i)
		failed = cmp.Or(failed, err)
		return s.Span.Start > at
	}) - 1
	if failed != nil || i < 0 {
		return cmp.Or(failed, fmt.Errorf("%w: %s", doctable.ErrFormat, c.path))
	}
	section, err := cat.Section(c.file.FirstSection + i)
	if err != nil {
		return err
	}
	trail, err := cat.Trail(c.file, c.file.FirstSection+i)
	if err != nil {
		return err
	}
	number := line.Number - 1 + lineOf(cat, c, span, data)
	m := Match{
		Path: c.path, Line: number, Content: string(data[at : span.Start+line.End]),
		Section: doc.Ref{Path: c.path, Anchor: section.Anchor}.String(), Headings: trail,
	}
	m.Before = linesBefore(data, at, number, g.o.Before)
	m.After = linesAfter(data, span.Start+line.End, number, g.o.After)
	g.out.Matches = append(g.out.Matches, m)
	return nil
}

// lineOf is the number of the line a span begins with.
func lineOf(cat *doctable.Reader, c *candidate, span doc.Span, data []byte) int {
	if span.Start == 0 {
		return 1
	}
	for _, row := range c.chunks {
		if ch, err := cat.Chunk(row); err == nil && ch.Span.Start == span.Start {
			return ch.Lines.Start
		}
	}
	return 1 + bytes.Count(data[:span.Start], []byte("\n"))
}

// linesBefore are up to n lines before the one with that number, which begins at
// data[start].
func linesBefore(data []byte, start, number, n int) []ContextLine {
	var out []ContextLine
	for number > 1 && start > 0 && len(out) < n {
		end := start - 1 // the line's own ending
		start = bytes.LastIndexByte(data[:end], '\n') + 1
		number--
		out = append(out, ContextLine{number, string(data[start:end])})
	}
	slices.Reverse(out)
	return out
}

// linesAfter are up to n lines after the one with that number, which ends before
// the newline at data[end].
func linesAfter(data []byte, end, number, n int) []ContextLine {
	var out []ContextLine
	for end+1 < len(data) && len(out) < n {
		start := end + 1
		end = len(data)
		if i := bytes.IndexByte(data[start:], '\n'); i >= 0 {
			end = start + i
		}
		number++
		out = append(out, ContextLine{number, string(data[start:end])})
	}
	return out
}
