package docent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/engine/index"
)

// Search answers a question from all of the indexes. Hits carry the name of theirs,
// and their Refs begin with it.
func (u *Union) Search(ctx context.Context, q Query) (*Answer, error) {
	for round := range 5 {
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
			if u.lent {
				return nil, &LentError{u.names[i], &StaleError{paths}}
			}
			if round == 2 {
				paths = nil // there seem to be many: all are compared
			}
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
	began := time.Now()
	if err := errors.Join(checkBudget(q.Budget), q.checkMode(), checkGlob(q.File), checkExpand(q.Expand)); err != nil {
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
	limit := q.limit()
	iq := index.Parse(q.Text)
	n := max(limit, pool)
	if q.Rerank {
		n = max(n, rerankPool)
	}
	r := &unionReader{u: u, readers: make([]*pageReader, len(u.libs)), stale: map[int][]string{}}
	cands, res, note, err := r.answers(ctx, q, iq, n)
	if err != nil || r.isStale() {
		return nil, r.stale, err
	}
	if !alike && asked != "" && asked != Lexical {
		note = "searched by words only: not all of these indexes have vectors of one kind"
	}
	if q.Limit == 0 && q.Budget > 0 && !q.Rerank {
		cands = worthwhile(cands)
	}
	if q.Rerank {
		var more string
		if cands, more, err = r.rerank(ctx, q, cands); err != nil || r.isStale() {
			return nil, r.stale, err
		}
		note = strings.TrimPrefix(note+"; "+more, "; ")
	}
	a := &Answer{Query: q.Text, Hits: []Hit{}, Note: note, Freshness: u.freshness(), leads: q.Leads, tokens: u.joined.policy.Count}
	a.correct(res)
	var from []int // the index of each hit
	for _, c := range cands {
		if len(a.Hits) == limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		hit, ok, err := r.hit(c)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			a.Hits, from = append(a.Hits, hit), append(from, c.lib)
		}
	}
	if q.Expand > 0 && !r.isStale() {
		if from, err = r.expand(ctx, a, from, limit, q.Expand); err != nil {
			return nil, nil, err
		}
	}
	if r.isStale() {
		return nil, r.stale, nil
	}
	for i := range a.Hits {
		a.Hits[i].from(u.names[from[i]])
	}
	if len(a.Hits) == 0 {
		for i, l := range u.libs {
			if l.unsure(began) != nil {
				r.stale[i] = nil
			}
		}
		if len(r.stale) > 0 {
			return nil, r.stale, nil
		}
		if err := u.joined.miss(a, res); err != nil {
			return nil, nil, err
		}
		if err := a.Miss.look(ctx, q, iq, func(ctx context.Context, q Query) (a *Answer, err error) {
			a, r.stale, err = u.search(ctx, q)
			return a, err
		}); err != nil || len(r.stale) > 0 {
			return nil, r.stale, err
		}
	}
	if q.References {
		if stale, err := u.refer(ctx, a); err != nil || stale != nil {
			return nil, stale, err
		}
	}
	if q.Budget > 0 {
		a.words = index.NewTitles(res.Words)
		a.fit(q.Budget)
	}
	return a, nil, nil
}

// answers are the best n candidates of all indexes. Of a question with phrases, all
// of them hold these.
func (r *unionReader) answers(ctx context.Context, q Query, iq index.Query, n int) (cands []owned, res index.Result, note string, err error) {
	if len(iq.Phrases) == 0 {
		hits, res, note, err := r.u.joined.answers(ctx, q, iq, 2*pool, n)
		if err != nil {
			return nil, res, note, err
		}
		cands, err = r.u.owned(hits)
		return cands, res, note, err
	}
	iq = iq.Exact()
	hits, err := phrased(ctx, n,
		func(k int) (hits []found, err error) {
			hits, res, note, err = r.u.joined.answers(ctx, q, iq, k, k)
			return hits, err
		},
		func(h found) (bool, error) {
			of, err := r.u.owned([]found{h})
			if err != nil || len(of) == 0 {
				return false, err
			}
			hit, ok, err := r.hit(of[0])
			return ok && hasPhrases(hit.Body, iq.Phrases), err
		})
	if err == nil {
		cands, err = r.u.owned(hits)
	}
	return cands, res, note, err
}

// An owned is a candidate as the index it comes from knows it.
type owned struct {
	found
	lib int
}

// owned are the candidates of the joined indexes as each of these knows its own.
// Of a document that is in a named index too, that one's are meant.
func (u *Union) owned(hits []found) ([]owned, error) {
	out := make([]owned, 0, len(hits))
	for _, h := range hits {
		own := h.seg.owner
		h.seg, h.num = own.seg, uint32(own.lib.first[own.seg.number]+h.row)
		twice, err := u.twice(own, h.file.Path)
		if err != nil {
			return nil, err
		}
		if !twice {
			out = append(out, owned{h, own.number})
		}
	}
	return out, nil
}

// twice reports whether a document of the project is in one of the named indexes.
func (u *Union) twice(own *owner, path string) (bool, error) {
	if u.names[own.number] != "" {
		return false, nil
	}
	abs := filepath.Join(own.lib.corpus.dir, filepath.FromSlash(path))
	for i, l := range u.libs {
		rel, err := filepath.Rel(l.corpus.dir, abs)
		if i == own.number || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if _, ok, err := l.find(filepath.ToSlash(rel)); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// refer adds to the hits what they refer to, each in its own index, unless files there
// have changed.
func (u *Union) refer(ctx context.Context, a *Answer) (stale map[int][]string, err error) {
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
		err := l.Refer(ctx, of)
		if s, ok := errors.AsType[*StaleError](err); ok {
			return map[int][]string{i: s.Paths}, nil
		}
		if err != nil {
			return nil, err
		}
		for n, k := range at {
			a.Hits[k].References = of.Hits[n].References
			if u.names[i] != "" {
				indexPrefix(u.names[i] + ":").references(a.Hits[k].References)
			}
		}
	}
	return nil, nil
}

// from says of a hit which index it comes from; "" means the project's own documents.
func (h *Hit) from(name string) {
	h.Index, h.Snippet = name, snippetOf(h.Body)
	h.Source = fmt.Sprintf("%s#L%d-L%d", h.File, h.Lines[0], h.Lines[1])
	if name == "" {
		return
	}
	if h.Via != nil {
		h.Via.From = name + ":" + h.Via.From
	}
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
	var names []string
	for _, n := range u.names {
		if n != "" {
			names = append(names, n)
		}
	}
	if len(names) < len(u.names) {
		names = append(names, shownName(""))
	}
	what := fmt.Sprintf("%s in %s", plural(files, "file"), strings.Join(names, ", "))
	if len(u.left) > 0 {
		what += "; left out, for it cannot be opened: " + strings.Join(u.left, ", ")
	}
	if len(seen) > 0 {
		what += "; " + strings.Join(slices.Sorted(maps.Keys(seen)), "; ")
	}
	return what
}
