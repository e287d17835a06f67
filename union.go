package docent

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/source/config"
)

// A Union answers from several named indexes at once, and from the project's own
// documents where all are asked. Their segments are searched as if they were those
// of one index, so that a word weighs what it weighs in all of them together and
// scores can be compared. It serves one goroutine.
type Union struct {
	names  []string // "" for the project's own documents
	left   []string // names of those that could not be opened
	libs   []*Library
	opts   Options
	joined *Library
	lent   bool // the libraries are others': see SearchLent
}

// Union opens the indexes that names mean, as Wanted says. Those of "all" that cannot be
// opened are left out, and a note says so.
func (c *Catalogue) Union(ctx context.Context, names string, o Options) (*Union, error) {
	wanted, err := c.Wanted(names)
	if err != nil {
		return nil, err
	}
	u := &Union{opts: o}
	var missing error
	for _, w := range wanted {
		lib, err := c.OpenWanted(ctx, w, o)
		if w.Name == "" && errors.Is(err, ErrNoDocuments) {
			continue
		}
		if err != nil && (w.ByName || ctx.Err() != nil) {
			return nil, errors.Join(err, u.Close())
		}
		if err != nil {
			missing = cmp.Or(missing, err)
			u.left = append(u.left, shownName(w.Name))
			o.note("left out: %v", err)
			continue
		}
		u.names, u.libs = append(u.names, w.Name), append(u.libs, lib)
	}
	if len(u.libs) == 0 {
		return nil, cmp.Or(missing, ErrNoIndex)
	}
	if err := u.join(); err != nil {
		return nil, errors.Join(err, u.Close())
	}
	return u, nil
}

// shownName is the name of an index for people.
func shownName(name string) string {
	if name == "" {
		return "this project"
	}
	return name
}

// Search answers a question from one or several named indexes, shortlisting them
// when the question is put to all.
func (c *Catalogue) Search(ctx context.Context, names string, q Query, o Options) (*Answer, error) {
	u, err := c.Union(ctx, names, o)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	return u.ask(ctx, c, names, q)
}

// ask answers a question to indexes that names mean.
func (u *Union) ask(ctx context.Context, c *Catalogue, names string, q Query) (*Answer, error) {
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
		if u.lent {
			return &LentError{u.names[i], err}
		}
		u.opts.note("the index of %s is damaged and is made anew: %v", shownName(u.names[i]), err)
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
		if u.lent {
			break
		}
		all = append(all, l.Close())
	}
	return errors.Join(all...)
}

// Names are the names of the indexes, "" that of the project's own documents.
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
// The project's own documents stay.
func (c *Catalogue) Shortlist(u *Union, q string) error {
	own := slices.Index(u.names, "")
	if len(u.names) <= shortlist || own >= 0 && len(u.names) == shortlist+1 {
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
	order = slices.DeleteFunc(order, func(i int) bool { return i == own })
	keep := order[:shortlist]
	if own >= 0 {
		keep = append(slices.Clone(keep), own)
	}
	slices.Sort(keep)
	for i, l := range u.libs {
		if !slices.Contains(keep, i) && !u.lent {
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
