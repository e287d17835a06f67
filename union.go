package docent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/config"
	"github.com/docent-md/docent/internal/embed"
	"github.com/docent-md/docent/internal/index"
)

// A Union answers from several named indexes at once. Their segments are searched
// as if they were those of one index, so that a word weighs what it weighs in all
// of them together and scores can be compared. It serves one goroutine.
type Union struct {
	names  []string
	left   []string // names of those that could not be opened
	libs   []*Library
	opts   Options
	joined *Library
}

// Union opens the indexes that names mean: "all", or names with commas between them.
// Of all, those that cannot be opened are left out, and a note says so.
func (c *Catalogue) Union(ctx context.Context, names string, o Options) (*Union, error) {
	var wanted []string
	named := map[string]bool{}
	for n := range strings.SplitSeq(names, ",") {
		n = strings.TrimSpace(n)
		if n == All {
			all, err := c.List()
			if err != nil {
				return nil, err
			}
			if len(all) == 0 {
				return nil, fmt.Errorf("%w: there are none (docent index --name docs <folder> makes one)", ErrNoIndex)
			}
			for _, x := range all {
				wanted = append(wanted, x.Name)
			}
			continue
		}
		wanted, named[n] = append(wanted, n), true
	}
	slices.Sort(wanted)
	u := &Union{opts: o}
	var missing error
	for _, n := range slices.Compact(wanted) {
		lib, err := c.Open(ctx, n, o)
		if err != nil && (named[n] || ctx.Err() != nil) {
			return nil, errors.Join(err, u.Close())
		}
		if err != nil {
			missing = cmp.Or(missing, err)
			u.left = append(u.left, n)
			o.note("left out: %v", err)
			continue
		}
		u.names, u.libs = append(u.names, n), append(u.libs, lib)
	}
	if len(u.libs) == 0 {
		return nil, missing
	}
	if err := u.join(); err != nil {
		return nil, errors.Join(err, u.Close())
	}
	return u, nil
}

// Search answers a question from one or several named indexes, shortlisting them
// when the question is put to all.
func (c *Catalogue) Search(ctx context.Context, names string, q Query, o Options) (*Answer, error) {
	u, err := c.Union(ctx, names, o)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	if strings.TrimSpace(names) == All {
		err := u.whole(ctx, func() error { return c.Shortlist(u, q.Text) })
		if err != nil {
			return nil, err
		}
	}
	return u.Search(ctx, q)
}

// whole runs fn, and again when indexes turned out to be damaged and were made anew.
func (u *Union) whole(ctx context.Context, fn func() error) error {
	err := fn()
	for try := 0; Damaged(err) && try < 3; try++ {
		if err = u.mend(ctx, err); err == nil {
			err = fn()
		}
	}
	return err
}

// mend makes the indexes anew that are damaged, as err says of one of them.
func (u *Union) mend(ctx context.Context, err error) error {
	mended := false
	for i, l := range u.libs {
		if l.snap == nil || l.snap.Verify() == nil {
			continue
		}
		u.opts.note("the index %s is damaged and is made anew: %v", u.names[i], err)
		next, rerr := Rebuild(ctx, l, u.opts)
		if rerr != nil {
			return rerr
		}
		_ = l.Close()
		u.libs[i], mended = next, true
	}
	if !mended {
		return err
	}
	return u.join()
}

// Catalogue is that of the project the library belongs to.
func (l *Library) Catalogue() (*Catalogue, error) { return ProjectCatalogue(l.corpus.dir) }

// Close closes the indexes.
func (u *Union) Close() error {
	var all []error
	for _, l := range u.libs {
		all = append(all, l.Close())
	}
	return errors.Join(all...)
}

// Names are the names of the indexes.
func (u *Union) Names() []string { return u.names }

// join puts the segments of all indexes beside each other.
func (u *Union) join() error {
	j := &Library{corpus: &corpus{config: config.Default()}}
	for i, l := range u.libs {
		for _, s := range l.segs {
			j.segs = append(j.segs, &seg{
				file: s.file, cat: s.cat, idx: s.idx, dead: s.dead, links: s.links, code: s.code, meaning: s.meaning,
				owner: &owner{number: i, lib: l, seg: s},
			})
		}
	}
	u.joined = j
	return j.prepare()
}

// An owner is the index that a segment of a union belongs to.
type owner struct {
	number int
	lib    *Library
	seg    *seg
}

// Shortlist narrows the union to the indexes that a question is most likely
// answered from: by the best that the words find in each, and by what each is about.
func (c *Catalogue) Shortlist(u *Union, q string) error {
	if len(u.names) <= shortlist {
		return nil
	}
	all, err := c.List()
	if err != nil {
		return err
	}
	words, err := u.evidence(q)
	if err != nil {
		return err
	}
	about := make([]float64, len(u.names))
	v := embed.Base()
	m, err := embed.NewModel(v, nil)
	if err != nil {
		return err
	}
	e := m.NewEncoder()
	e.Add(q, 1)
	asked := e.Vector()
	for i, name := range u.names {
		at := slices.IndexFunc(all, func(n NamedIndex) bool { return n.Name == name })
		if at < 0 {
			continue
		}
		about[i] = float64(dotFloats(floats(&asked), all[at].Centroid))
		if d := all[at].Description; d != "" {
			dv := m.Embed(name + " " + d)
			about[i] = max(about[i], float64(embed.Cosine(&asked, &dv)))
		}
	}
	order := make([]int, len(u.names))
	for i := range order {
		order[i] = i
	}
	total := func(i int) float64 { return relative(words, i) + aboutWeight*relative(about, i) }
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := total(a), total(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return a - b
	})
	keep := order[:shortlist]
	slices.Sort(keep)
	for i, l := range u.libs {
		if !slices.Contains(keep, i) {
			_ = l.Close()
		}
	}
	var names []string
	var libs []*Library
	for _, i := range keep {
		names, libs = append(names, u.names[i]), append(libs, u.libs[i])
	}
	u.names, u.libs = names, libs
	return u.join()
}

// aboutWeight is how much the centroid weighs beside the words in a shortlist.
const aboutWeight = 0.5

// relative is a value as a share of the largest.
func relative(values []float64, i int) float64 {
	most := slices.Max(values)
	if most <= 0 {
		return 0
	}
	return max(values[i]/most, 0)
}

func dotFloats(a, b []float32) float32 {
	var sum float32
	for i := range min(len(a), len(b)) {
		sum += a[i] * b[i]
	}
	return sum
}

// evidence is the best score by words in each index, with common statistics.
func (u *Union) evidence(q string) ([]float64, error) {
	out := make([]float64, len(u.names))
	hits, _, err := u.joined.rank(Query{Text: q}, index.Parse(q), 20*len(u.names), 20*len(u.names))
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		i := h.seg.owner.number
		out[i] = max(out[i], h.Final)
	}
	return out, nil
}

// Search answers a question from all of the indexes. Hits carry the name of theirs,
// and their Refs begin with it.
func (u *Union) Search(ctx context.Context, q Query) (*Answer, error) {
	for range 5 {
		var a *Answer
		var stale map[int][]string
		err := u.whole(ctx, func() (err error) {
			a, stale, err = u.search(ctx, q)
			return err
		})
		if err != nil || len(stale) == 0 {
			return a, err
		}
		for i, paths := range stale {
			next, err := u.libs[i].RefreshFiles(ctx, paths, u.opts)
			if err != nil {
				return nil, err
			}
			if next != u.libs[i] {
				_ = u.libs[i].Close()
				u.libs[i] = next
			}
		}
		if err := u.join(); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("files keep changing: try again")
}

func (u *Union) search(ctx context.Context, q Query) (*Answer, map[int][]string, error) {
	if q.Rerank || q.Expand > 0 {
		return nil, nil, errors.New("named indexes are searched without reranking and expanding")
	}
	if err := errors.Join(checkBudget(q.Budget), q.checkMode(), checkGlob(q.File)); err != nil {
		return nil, nil, err
	}
	alike, err := u.alike()
	if err != nil {
		return nil, nil, err
	}
	asked := q.Mode
	if !alike {
		q.Mode = Lexical
	}
	limit := q.Limit
	switch {
	case limit == 0 && q.Budget > 0:
		limit = MaxLimit
	case limit == 0:
		limit = 3
	}
	iq := index.Parse(q.Text)
	hits, res, note, err := u.joined.answers(ctx, q, iq, 2*pool, max(limit, pool))
	if err != nil {
		return nil, nil, err
	}
	if q.Limit == 0 && q.Budget > 0 {
		hits = worthwhile(hits)
	}
	if !alike && asked != "" && asked != Lexical {
		note = "searched by words only: not all of these indexes have vectors of one kind"
	}
	a := &Answer{Query: q.Text, Hits: []Hit{}, Note: note, Freshness: u.freshness(), leads: q.Leads, tokens: u.joined.policy.Count}
	a.correct(res)
	stale := map[int][]string{}
	readers := make([]*pageReader, len(u.libs))
	for _, h := range hits {
		if len(a.Hits) == limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		own := h.seg.owner
		if readers[own.number] == nil {
			readers[own.number] = newPageReader(own.lib)
		}
		h.seg = own.seg
		hit, ok, err := readers[own.number].hit(h)
		if err != nil {
			return nil, nil, err
		}
		if ok && hasPhrases(hit.Body, iq.Phrases) {
			hit.from(u.names[own.number])
			a.Hits = append(a.Hits, hit)
		}
	}
	for i, r := range readers {
		if r != nil && len(r.stale) > 0 {
			stale[i] = r.stale
		}
	}
	if len(stale) > 0 {
		return nil, stale, nil
	}
	if len(a.Hits) == 0 {
		if err := u.joined.miss(a, q.Text, res); err != nil {
			return nil, nil, err
		}
	}
	if q.References {
		if err := u.refer(ctx, a); err != nil {
			return nil, nil, err
		}
	}
	if q.Budget > 0 {
		a.fit(q.Budget)
	}
	return a, nil, nil
}

// refer adds to the hits what they refer to, each in its own index.
func (u *Union) refer(ctx context.Context, a *Answer) error {
	for i, l := range u.libs {
		var at []int
		of := &Answer{}
		for k, h := range a.Hits {
			if h.Index == u.names[i] {
				at, of.Hits = append(at, k), append(of.Hits, h)
			}
		}
		if len(at) == 0 {
			continue
		}
		if err := l.Refer(ctx, of); err != nil {
			return err
		}
		for n, k := range at {
			a.Hits[k].References = of.Hits[n].References
			indexPrefix(u.names[i] + ":").references(a.Hits[k].References)
		}
	}
	return nil
}

// from says of a hit which index it comes from.
func (h *Hit) from(name string) {
	h.Index, h.Snippet = name, snippetOf(h.Body)
	h.Source = fmt.Sprintf("%s#L%d-L%d", h.File, h.Lines[0], h.Lines[1])
	h.Ref, h.Citation = name+":"+h.Ref, name+":"+h.Citation
	h.record.SectionID = name + ":" + h.record.SectionID
	if h.record.ParentID != nil {
		id := name + ":" + *h.record.ParentID
		h.record.ParentID = &id
	}
}

// maxSnippet is how much of a chunk a snippet shows, in bytes.
const maxSnippet = 1200

func snippetOf(body string) string {
	if len(body) <= maxSnippet {
		return body
	}
	return strings.ToValidUTF8(body[:maxSnippet], "") + "..."
}

// alike reports whether all indexes have vectors whose likenesses can be compared:
// those of tables of words, or of one endpoint.
func (u *Union) alike() (bool, error) {
	var first string
	for i, l := range u.libs {
		m, err := l.segs[0].meaning()
		if err != nil || m == nil {
			return false, err
		}
		kind := "table"
		if m.model.Kind == remoteModel {
			kind = m.model.Fingerprint
		}
		if i > 0 && kind != first {
			return false, nil
		}
		first = kind
	}
	return true, nil
}

func (u *Union) freshness() string {
	files, seen := 0, map[string]bool{}
	for _, l := range u.libs {
		files += l.fileCount()
		if f := l.fresh(); f.note != "" || f.checked.IsZero() {
			seen[l.Freshness()] = true
		}
	}
	what := fmt.Sprintf("%s in %s", plural(files, "file"), strings.Join(u.names, ", "))
	if len(u.left) > 0 {
		what += "; left out, for it cannot be opened: " + strings.Join(u.left, ", ")
	}
	if len(seen) > 0 {
		what += "; " + strings.Join(slices.Sorted(maps.Keys(seen)), "; ")
	}
	return what
}
