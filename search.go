package docent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/index"
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

	Mode   string // Lexical, Hybrid or Semantic; "" means Hybrid where there are vectors
	Fusion string // WeightedFusion or ReciprocalFusion; "" means what suits the model
}

// MaxLimit is the most hits a query can ask for.
const MaxLimit = 50

// pool is how many candidates the index hands over for ranking, where ten hits
// are asked for. With a thousand, none of the evaluation sets scores higher by more
// than 0.003, and most score the same.
const pool = 30

// poolFor is that for so many hits: the fewer, the fewer can come among them. The
// sets score the same at five hits with 25 candidates as with 30.
func poolFor(limit int) int { return max(pool-10+max(limit, 5), 2*limit) }

// ErrStale is what Search returns, wrapped in a StaleError, when files behind the
// answer have changed since they were indexed.
var ErrStale = errors.New("files have changed")

// A StaleError names the files behind an answer that have changed or gone. Give
// them to RefreshFiles and ask again. With Options.Confirm
// it names none where nothing was found and the files were not compared just before:
// there may be new ones.
type StaleError struct{ Paths []string }

func (e *StaleError) Error() string {
	if len(e.Paths) == 0 {
		return "files may have changed since they were last compared"
	}
	return fmt.Sprintf("%v: %s", ErrStale, strings.Join(e.Paths, ", "))
}

func (e *StaleError) Unwrap() error { return ErrStale }

// Search answers a question. It may return a *StaleError, which a Keeper deals
// with.
func (l *Library) Search(ctx context.Context, q Query) (*Answer, error) {
	asked := time.Now()
	if err := checkBudget(q.Budget); err != nil {
		return nil, err
	}
	if q.File != "" && !doublestar.ValidatePattern(q.File) {
		return nil, fmt.Errorf("file pattern %q: not a valid glob", q.File)
	}
	if err := cmp.Or(checkExpand(q.Expand), q.checkMode()); err != nil {
		return nil, err
	}
	if l.stored != nil {
		return l.stored.answer(ctx, q)
	}
	iq := index.Parse(q.Text)
	limit := q.limit()
	k, n := poolFor(limit), limit
	switch {
	case q.Rerank:
		k, n = 2*pool, rerankPool
	case q.Budget > 0:
		k = max(k, 2*pool) // some will be passed over
		n = k
	}
	var hits []found
	var res index.Result
	var note string
	var err error
	if len(iq.Phrases) > 0 {
		hits, res, note, err = l.quoted(ctx, q, iq, n)
	} else {
		hits, res, note, err = l.answers(ctx, q, iq, k, n)
	}
	if err != nil {
		return nil, err
	}
	if q.Rerank {
		var more string
		if hits, more, err = l.rerank(ctx, q, hits); err != nil {
			return nil, err
		}
		note = strings.TrimPrefix(note+"; "+more, "; ")
	}
	if q.Limit == 0 && q.Budget > 0 {
		hits = worthwhile(hits)
	}
	a := &Answer{Query: q.Text, Hits: []Hit{}, Note: note, Freshness: l.Freshness(), leads: q.Leads, tokens: l.policy.Count}
	a.correct(res)
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
		if err := l.unsure(asked); err != nil {
			return nil, err
		}
		if err := l.miss(a, res); err != nil {
			return nil, err
		}
		if err := a.Miss.look(ctx, q, iq, l.Search); err != nil {
			return nil, err
		}
	}
	if q.Budget > 0 {
		a.words = index.NewTitles(res.Words)
		a.fit(q.Budget)
	}
	return a, nil
}

// limit is the most hits that are asked for.
func (q *Query) limit() int {
	switch {
	case q.Limit > 0:
		return q.Limit
	case q.Rerank:
		return 5
	case q.Budget > 0:
		return MaxLimit
	}
	return 3
}

func checkExpand(n int) error {
	if n < 0 || n > MaxExpand {
		return fmt.Errorf("expand is %d: must lie between 0 and %d", n, MaxExpand)
	}
	return nil
}

// correct says which words were read as others.
func (a *Answer) correct(res index.Result) {
	for _, c := range res.Corrections {
		if ch := (Change{c.From, c.To}); !slices.Contains(a.Searched, ch) {
			a.Searched = append(a.Searched, ch)
		}
	}
}

// worthwhile drops the hits that are so far behind the best that nobody would
// pay for them.
func worthwhile[T interface{ final() float64 }](hits []T) []T {
	for i, h := range hits {
		if h.final() < 0.3*hits[0].final() {
			return hits[:i]
		}
	}
	return hits
}

// rank returns the n best of k candidates in their final order.
func (l *Library) rank(q Query, iq index.Query, k, n int) ([]found, index.Result, error) {
	opts := l.options(q, iq)
	opts.Few, opts.Near = max(2*n, fewest), closeEnough
	res, err := l.search.Top(iq, k, opts)
	if err != nil {
		return nil, res, err
	}
	hits, err := l.arrange(q.Text, res, n)
	return hits, res, err
}

// options say how the index is asked.
func (l *Library) options(q Query, iq index.Query) index.Options {
	globs := iq.Paths
	if q.File != "" {
		globs = append(globs, q.File)
	}
	o := index.Options{Params: l.params()}
	if len(globs) > 0 {
		o.Accept = l.accept(globs)
	}
	return o
}

// params are the index's, with the weights of the config.
func (l *Library) params() index.Params {
	p := index.DefaultParams()
	b := l.corpus.config.Boost
	p.Title.Weight, p.Head.Weight, p.Body.Weight = b.Title, b.Headings, b.Body
	return p
}

// accept tells whether a text's file matches all globs.
func (l *Library) accept(globs []string) func(uint32) bool {
	known := map[uint64]bool{}
	return func(num uint32) bool {
		s, row := l.locate(num)
		file, err := s.cat.FileOf(row)
		if err != nil {
			return false
		}
		k := s.page(file)
		if ok, seen := known[k]; seen {
			return ok
		}
		p, err := s.cat.Path(file)
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
	a.Hits = make([]Hit, 0, min(limit, len(hits)))
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
		if !ok {
			continue
		}
		if q.Explain {
			if hit.Explain, err = l.explain(h, iq, hit.Body); err != nil {
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

// slugWords gives the words of a text, in lower case, one space apart.
func slugWords(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, notWord), " "))
}

// sameWords reports whether the words of two texts are the same, whatever their
// case.
func sameWords(a, b string) bool {
	for {
		a, b = strings.TrimLeftFunc(a, notWord), strings.TrimLeftFunc(b, notWord)
		if a == "" || b == "" {
			return a == b
		}
		i, j := strings.IndexFunc(a, notWord), strings.IndexFunc(b, notWord)
		if i < 0 {
			i = len(a)
		}
		if j < 0 {
			j = len(b)
		}
		if !strings.EqualFold(a[:i], b[:j]) {
			return false
		}
		a, b = a[i:], b[j:]
	}
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }

// places is the most that Places returns.
const places = 1000

// Places returns where the best answers to a question stand, without reading
// them: what an evaluation wants, hundreds of hits for thousands of questions.
func (l *Library) Places(ctx context.Context, q Query) ([]doc.Ref, error) {
	if err := q.checkMode(); err != nil {
		return nil, err
	}
	if l.stored != nil {
		return l.stored.placesOf(ctx, q)
	}
	hits, _, _, err := l.answers(ctx, q, index.Parse(q.Text), places, places)
	if err != nil {
		return nil, err
	}
	refs := make([]doc.Ref, len(hits))
	for i, h := range hits {
		refs[i] = doc.Ref{Path: h.file.Path, Anchor: h.section.Anchor, Lines: h.chunk.Lines}
	}
	return refs, nil
}
