package docent

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/catalog"
	"github.com/docent-md/docent/internal/index"
	"github.com/docent-md/docent/internal/rank"
)

// A Query is a question and how it shall be answered. Any text is a question.
type Query struct {
	Text    string
	Limit   int    // most hits; 0 means 3, or as many as the budget holds
	File    string // only files whose path matches this glob
	Budget  int    // most tokens of the whole answer; 0 means no limit
	Explain bool   // show the arithmetic
	Leads   bool   // the hits will be shown without their text

	References bool // show what each hit refers to
	Expand     int  // widen the answer by the sections that so many links lead to
	Rerank     bool // let the assistant put the best in order
}

// MaxLimit is the most hits a query can ask for.
const MaxLimit = 50

// pool is how many candidates the index hands over for ranking.
const pool = 100

// found is a candidate with its place.
type found struct {
	rank.Candidate
	num     uint32
	seg     *seg
	row     int
	chunk   catalog.Chunk
	file    catalog.File
	section catalog.Section // what it is named after
	named   int             // and the row of that
}

// ErrStale is what Search returns, wrapped in a StaleError, when files behind the
// answer have changed since they were indexed.
var ErrStale = errors.New("files have changed")

// A StaleError names the files behind an answer that have changed or gone. Give
// them to RefreshFiles and ask again.
type StaleError struct{ Paths []string }

func (e *StaleError) Error() string {
	return fmt.Sprintf("%v: %s", ErrStale, strings.Join(e.Paths, ", "))
}

func (e *StaleError) Unwrap() error { return ErrStale }

// Search answers a question. It may return a *StaleError, which a Keeper deals
// with.
func (l *Library) Search(ctx context.Context, q Query) (*Answer, error) {
	if err := checkBudget(q.Budget); err != nil {
		return nil, err
	}
	if q.File != "" && !doublestar.ValidatePattern(q.File) {
		return nil, fmt.Errorf("file pattern %q: not a valid glob", q.File)
	}
	if q.Expand < 0 || q.Expand > MaxExpand {
		return nil, fmt.Errorf("expand is %d: must lie between 0 and %d", q.Expand, MaxExpand)
	}
	iq := index.Parse(q.Text)
	hits, res, err := l.rank(q, iq, pool)
	if err != nil {
		return nil, err
	}
	note := ""
	if q.Rerank {
		if hits, note, err = l.rerank(ctx, q, hits); err != nil {
			return nil, err
		}
	}
	limit := q.Limit
	switch {
	case limit == 0 && q.Rerank:
		limit = 5
	case limit == 0 && q.Budget > 0:
		limit = MaxLimit
		hits = worthwhile(hits)
	case limit == 0:
		limit = 3
	}
	a := &Answer{Query: q.Text, Hits: []Hit{}, Note: note, Freshness: l.Freshness(), leads: q.Leads, tokens: l.policy.Count}
	seen := map[Change]bool{}
	for _, c := range res.Corrections {
		if ch := (Change{c.From, c.To}); !seen[ch] {
			seen[ch] = true
			a.Searched = append(a.Searched, ch)
		}
	}
	if err := l.load(ctx, a, hits, limit, q, iq); err != nil {
		return nil, err
	}
	if q.Expand > 0 {
		if err := l.expand(ctx, a, limit, q.Expand); err != nil {
			return nil, err
		}
	}
	if q.References {
		if err := l.Refer(ctx, a); err != nil {
			return nil, err
		}
	}
	if len(a.Hits) == 0 {
		if err := l.miss(a, q.Text, res); err != nil {
			return nil, err
		}
	}
	if q.Budget > 0 {
		a.fit(q.Budget)
	}
	return a, nil
}

// worthwhile drops the hits that are so far behind the best that nobody would
// pay for them.
func worthwhile(hits []found) []found {
	for i, h := range hits {
		if h.Final < 0.3*hits[0].Final {
			return hits[:i]
		}
	}
	return hits
}

// rank returns the candidates in their final order.
func (l *Library) rank(q Query, iq index.Query, k int) ([]found, index.Result, error) {
	globs := iq.Paths
	if q.File != "" {
		globs = append(globs, q.File)
	}
	opts := index.Options{Params: l.params()}
	if len(globs) > 0 {
		opts.Accept = l.accept(globs)
	}
	res, err := l.search.Top(iq, k, opts)
	if err != nil {
		return nil, res, err
	}
	hits := make([]found, len(res.Matches))
	for i, m := range res.Matches {
		if hits[i], err = l.place(m); err != nil {
			return nil, res, err
		}
	}
	hits, err = reorder(hits, q.Text, res, rank.DefaultParams())
	return hits, res, err
}

// params are the index's, with the weights of the config.
func (l *Library) params() index.Params {
	p := index.DefaultParams()
	b := l.corpus.config.Boost
	p.Title.Weight, p.Head.Weight, p.Body.Weight = b.Title, b.Headings, b.Body
	return p
}

// place finds the chunk of a match. What else there is to know of it is read by
// complete, for those that come near the top.
func (l *Library) place(m index.Match) (found, error) {
	s, row := l.locate(m.Num)
	f := found{num: m.Num, seg: s, row: row, Candidate: rank.Candidate{Score: m.Score.Float()}}
	var err error
	f.chunk, err = s.cat.Chunk(row)
	f.named = f.chunk.Section
	return f, err
}

// complete reads the file and the section of a candidate.
func (f *found) complete() error {
	if f.file.Path != "" {
		return nil
	}
	var err error
	if f.section, err = f.seg.cat.Section(f.chunk.Section); err != nil {
		return err
	}
	f.file, err = f.seg.cat.File(f.chunk.File)
	return err
}

// closeEnough is the share of the best score under which titles are not looked
// at: no title could bring such a candidate to the top.
const closeEnough = 0.5

// weigh matches the titles in a candidate with the question, and names it after
// the section whose title does best: small sections are merged into one chunk,
// and the reader should see the one that was asked for.
func (f *found) weigh(titles *index.Titles) error {
	f.Match = titles.Match(f.section.Title)
	last := f.file.FirstSection + f.file.Sections
	for i := f.chunk.Section + 1; i < last && f.chunk.Part == 0; i++ {
		s, err := f.seg.cat.Section(i)
		if err != nil {
			return err
		}
		if s.Span.Start >= f.chunk.Span.End {
			break
		}
		if m := titles.Match(s.Title); m > f.Match && !s.Bare {
			f.Match, f.section, f.named = m, s, i
		}
	}
	return nil
}

// reorder ranks candidates by what is known of all of them.
func reorder(hits []found, text string, res index.Result, p rank.Params) ([]found, error) {
	if len(hits) == 0 {
		return hits, nil
	}
	titles := index.NewTitles(res.Words)
	name := slugWords(text)
	pages := map[pageKey]int{}
	cs := make([]rank.Candidate, len(hits))
	for i := range hits {
		h := &hits[i]
		if h.Score >= closeEnough*hits[0].Score {
			if err := errors.Join(h.complete(), h.weigh(titles)); err != nil {
				return nil, err
			}
			h.Path = titles.Cover(h.file.Path)
			h.Named = h.chunk.Section == h.file.FirstSection && isNamed(h.file.Path, text, name)
		}
		key := pageKey{h.seg, h.chunk.File}
		page, ok := pages[key]
		if !ok {
			page = len(pages)
			pages[key] = page
		}
		h.At, h.Page = i, page
		cs[i] = h.Candidate
	}
	rank.Order(cs, p)
	out := make([]found, len(cs))
	for i, c := range cs {
		out[i] = hits[c.At]
		out[i].Candidate = c
	}
	return out, nil
}

// pageKey is a file of a segment.
type pageKey struct {
	seg *seg
	row int
}

// isNamed reports whether a file has the question for its name, with or without
// its ending.
func isNamed(file, text, words string) bool {
	base := path.Base(file)
	return strings.EqualFold(base, text) || slugWords(strings.TrimSuffix(base, path.Ext(base))) == words
}

// accept tells whether a text's file matches all globs.
func (l *Library) accept(globs []string) func(uint32) bool {
	known := map[pageKey]bool{}
	return func(num uint32) bool {
		s, row := l.locate(num)
		c, err := s.cat.Chunk(row)
		if err != nil {
			return false
		}
		k := pageKey{s, c.File}
		if ok, seen := known[k]; seen {
			return ok
		}
		p, err := s.cat.Path(c.File)
		known[k] = err == nil && matchAll(globs, p)
		return known[k]
	}
}

// matchAll reports whether a path matches all globs. A glob without a slash
// matches file names, one that names a folder all that is in it, and one that
// begins with "!" what the rest of it does not.
func matchAll(globs []string, p string) bool {
	for _, g := range globs {
		if g, not := strings.CutPrefix(g, "!"); not {
			if matchAll([]string{g}, p) {
				return false
			}
			continue
		}
		g = strings.TrimPrefix(g, "./")
		ok := doublestar.MatchUnvalidated(g, p) ||
			!strings.Contains(g, "/") && doublestar.MatchUnvalidated(g, path.Base(p)) ||
			doublestar.MatchUnvalidated(strings.TrimSuffix(g, "/")+"/**", p)
		if !ok {
			return false
		}
	}
	return true
}

// load reads the text of the best hits and checks that it is what was indexed.
func (l *Library) load(ctx context.Context, a *Answer, hits []found, limit int, q Query, iq index.Query) error {
	reader := newPageReader(l)
	for _, h := range hits {
		if len(a.Hits) == limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		hit, ok, err := reader.hit(h)
		if err != nil {
			return err
		}
		if !ok || !hasPhrases(hit.Body, iq.Phrases) {
			continue
		}
		if q.Explain {
			if hit.Explain, err = l.explain(h, iq); err != nil {
				return err
			}
		}
		a.Hits = append(a.Hits, hit)
	}
	if len(reader.stale) > 0 {
		return &StaleError{reader.stale}
	}
	return nil
}

// hasPhrases reports whether text holds every phrase, whatever its case and
// spacing.
func hasPhrases(text string, phrases []string) bool {
	if len(phrases) == 0 {
		return true
	}
	flat := " " + slugWords(text) + " "
	for _, p := range phrases {
		if !strings.Contains(flat, " "+slugWords(p)+" ") {
			return false
		}
	}
	return true
}

// slugWords gives the words of a text, in lower case, one space apart.
func slugWords(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, notWord), " "))
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }

// Places returns where the best answers to a question stand, without reading
// them: what an evaluation wants, hundreds of hits for thousands of questions.
func (l *Library) Places(text string) ([]doc.Ref, error) {
	hits, _, err := l.rank(Query{Text: text}, index.Parse(text), 10*pool)
	if err != nil {
		return nil, err
	}
	refs := make([]doc.Ref, len(hits))
	for i, h := range hits {
		if err := h.complete(); err != nil {
			return nil, err
		}
		refs[i] = doc.Ref{Path: h.file.Path, Anchor: h.section.Anchor, Lines: h.chunk.Lines}
	}
	return refs, nil
}
