package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/grep"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/filter"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// How grep works.
//
// What a pattern must contain is looked up in the index, which gives the chunks
// that may match; only those are read and matched. An expression that must
// contain nothing in particular is run over everything, for grepTime at most.
// Which lines match is what ripgrep would say. Of several plain words, the lines
// that hold all of them in another order follow.
const (
	// MaxMatches is how many matches Grep returns unless told otherwise.
	MaxMatches = 100

	grepTime  = 2 * time.Second       // for an expression without literals
	countTime = 50 * time.Millisecond // for counting what the limit leaves out
)

// Grep returns the lines that match a pattern, in the order of paths and lines. Lines
// that hold all words of a pattern, but not as it stands, come after those that match.
func Grep(ctx context.Context, v *snapshot.View, pattern string, o answer.GrepOptions) (*answer.Matches, error) {
	asked := time.Now()
	how := grep.Options{CaseSensitive: o.CaseSensitive, Word: o.Word, Fixed: o.Fixed}
	p, err := grep.Compile(pattern, how)
	if err != nil {
		return nil, &regexpError{err}
	}
	words, err := grep.ParseWords(pattern, how)
	if err != nil {
		return nil, &regexpError{err}
	}
	if err := snapshot.CheckGlob(o.Glob); err != nil {
		return nil, err
	}
	if v, err = filter.Where(ctx, v, o.Where, asked); err != nil {
		return nil, err
	}
	below, err := place.Below(v, o.Paths)
	if err != nil {
		return nil, err
	}
	wanted := func(path string) bool {
		return below(path) && (o.Glob == "" || snapshot.MatchPath([]string{o.Glob}, path))
	}
	if o.Limit == 0 {
		o.Limit = MaxMatches
	}
	g := &grepRun{v: v, o: o, wanted: wanted, out: &answer.Matches{Pattern: pattern, Matches: []answer.Match{}, Files: []answer.FileCount{}}, files: map[string]int{}}
	if err := g.run(ctx, p); err != nil {
		return nil, err
	}
	if words != nil {
		g.phrase = p
		if err := g.run(ctx, words); err != nil {
			return nil, err
		}
	}
	if err := g.stale.Err(); err != nil {
		return nil, err
	}
	if g.out.Total == 0 {
		if err := v.StaleMiss(asked); err != nil {
			return nil, err
		}
		if g.out.Miss, err = explainNoMatch(v, p, words, o.Glob, wanted); err != nil {
			return nil, err
		}
	}
	return g.out, nil
}

// A matcher finds lines: a pattern, or the words of one.
type matcher interface {
	Need() grep.Need
	Lines(ctx context.Context, text []byte, yield func(grep.Line) bool) error
}

// run adds the lines that m matches.
func (g *grepRun) run(ctx context.Context, m matcher) error {
	g.m = m
	set, some, err := need(g.v, m.Need())
	if err != nil {
		return err
	}
	if some {
		return g.candidates(ctx, set)
	}
	return g.everything(ctx)
}

// A regexpError is an ErrBadRegexp that says where the pattern goes wrong.
type regexpError struct{ err error }

func (e *regexpError) Error() string {
	return answer.ErrBadRegexp.Error() + ": " + strings.TrimPrefix(e.err.Error(), "invalid regex: ")
}

func (e *regexpError) Is(target error) bool { return target == answer.ErrBadRegexp }

func (e *regexpError) Unwrap() error { return e.err }

// need evaluates what a pattern needs. ok is false when any text may match.
func need(v *snapshot.View, n grep.Need) (set *index.Set, ok bool, err error) {
	switch n.Op {
	case grep.NeedLiteral:
		return v.Searcher.MayContain(index.Literal{Text: n.Literal.Text, Left: n.Literal.Left, Right: n.Literal.Right})
	case grep.NeedAll:
		for _, sub := range n.Sub {
			s, some, err := need(v, sub)
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
			s, some, err := need(v, sub)
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

// A grepRun is one call of Grep.
type grepRun struct {
	v      *snapshot.View
	o      answer.GrepOptions
	wanted func(path string) bool
	m      matcher
	phrase *grep.Pattern // what it matches is there already; nil means nothing is
	out    *answer.Matches
	files  map[string]int // where a path is in out.Files
	stale  snapshot.Stale
	until  time.Time // when counting ends; zero while matches are returned
	priced sectionAt // the section priced last
	price  int
}

// a candidate is a file with the chunks of it that may match; none means all.
type candidate struct {
	snapshot.File
	chunks []int
}

// candidates looks at the chunks of a set, file by file.
func (g *grepRun) candidates(ctx context.Context, set *index.Set) error {
	byFile := map[[2]int]*candidate{}
	var files []*candidate
	add := func(seg, row int) (*candidate, error) {
		key := [2]int{seg, row}
		if c, ok := byFile[key]; ok {
			return c, nil
		}
		k, err := g.v.File(seg, row)
		if err != nil {
			return nil, err
		}
		c := &candidate{File: k}
		byFile[key] = c
		files = append(files, c)
		return c, nil
	}
	for num := range set.All() {
		s, row := g.v.Locate(num)
		seg := slices.Index(g.v.Segments, s)
		ch, err := s.Table.Chunk(row)
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
	for i, s := range g.v.Segments {
		rows, err := s.Table.Split()
		if err != nil {
			return err
		}
		for _, row := range rows {
			if s.Dead[row] {
				continue
			}
			c, err := add(i, row)
			if err != nil {
				return err
			}
			c.chunks = nil
		}
	}
	slices.SortFunc(files, func(a, b *candidate) int { return cmp.Compare(a.Path, b.Path) })
	for _, c := range files {
		if more, err := g.file(ctx, c); err != nil || !more {
			return err
		}
	}
	return nil
}

// everything looks at all files, for a while.
func (g *grepRun) everything(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, grepTime)
	defer cancel()
	files, err := g.v.Files()
	if err != nil {
		return err
	}
	for i, k := range files {
		more, err := g.file(ctx, &candidate{File: k})
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
func (g *grepRun) file(ctx context.Context, c *candidate) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if !g.until.IsZero() && time.Now().After(g.until) {
		g.out.Partial = "more were not counted"
		return false, nil
	}
	if !g.v.Has(c.Seg, c.Row) || !g.wanted(c.Path) || g.o.PerFile > 0 && g.count(c.Path) >= g.o.PerFile {
		return true, nil
	}
	data, err := g.v.SettledText(c.File)
	if g.stale.Skip(err) {
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
	before := g.count(c.Path)
	var failed error
	for _, s := range spans {
		part := data[s.Start:s.End]
		err := g.m.Lines(ctx, part, func(line grep.Line) bool {
			if g.phrase != nil && g.phrase.Match(part[line.Start:line.End]) {
				return true
			}
			count++
			g.out.Total++
			switch {
			case g.o.CountOnly:
			case !g.full():
				if failed = g.match(c, data, s, line); failed != nil {
					return false
				}
			case g.until.IsZero():
				g.until = time.Now().Add(countTime)
			}
			return g.o.PerFile <= 0 || before+count < g.o.PerFile
		})
		if err = cmp.Or(err, failed); err != nil {
			return false, err
		}
		if g.o.PerFile > 0 && before+count >= g.o.PerFile {
			break
		}
	}
	g.add(c.Path, count)
	return true, nil
}

// count is how many lines of a file match so far.
func (g *grepRun) count(path string) int {
	if i, ok := g.files[path]; ok {
		return g.out.Files[i].Count
	}
	return 0
}

// add counts lines of a file.
func (g *grepRun) add(path string, count int) {
	if count == 0 {
		return
	}
	i, ok := g.files[path]
	if !ok {
		i = len(g.out.Files)
		g.files[path] = i
		g.out.Files = append(g.out.Files, answer.FileCount{Path: path})
	}
	g.out.Files[i].Count += count
}

func (g *grepRun) full() bool { return g.o.Limit > 0 && len(g.out.Matches) >= g.o.Limit }

// spans are the parts of a file to search: its candidate chunks, or all.
func (g *grepRun) spans(c *candidate, size int) ([]doc.Span, error) {
	if c.chunks == nil {
		return []doc.Span{{Start: 0, End: size}}, nil
	}
	slices.Sort(c.chunks)
	table := g.v.Segments[c.Seg].Table
	var spans []doc.Span
	for _, row := range c.chunks {
		ch, err := table.Chunk(row)
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
