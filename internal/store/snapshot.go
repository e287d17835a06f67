package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/filter"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/text/words"
)

// View gathers the candidates for a question, or one document. Not all documents can
// be at hand.
func (d *Database) View(ctx context.Context, w snapshot.Want) (*snapshot.View, error) {
	switch {
	case w.Query != nil && w.Query.Expand > 0:
		return nil, fmt.Errorf("expand: %w", snapshot.ErrUnsupported)
	case w.Query != nil && w.Query.Changed:
		return nil, fmt.Errorf("changed: %w", snapshot.ErrUnsupported)
	case w.Query != nil && filter.HasTimes(w.Query.Where):
		return nil, fmt.Errorf("changed since: %w", snapshot.ErrUnsupported)
	case w.Query != nil:
		return d.gather(ctx, *w.Query)
	case w.Document != "":
		return d.document(ctx, w.Document)
	case w.Fields:
		st, err := d.state(ctx)
		if err != nil {
			return nil, err
		}
		return d.fieldsView(ctx, st)
	}
	return nil, snapshot.ErrUnsupported
}

// phrasePool is how many chunks with the words of a phrase are looked at for the
// phrase itself. Unlike a folder, a database cannot be asked for more and more.
const phrasePool = 1000

// poolFor is how many of the best candidates a question may need.
func poolFor(q answer.Query) int {
	k := max(q.Limit, retrieve.Pool)
	if q.Budget > 0 || q.Rerank == answer.RerankClaude {
		k = max(k, 2*retrieve.Pool)
	}
	if retrieve.IsPhrase(q, retrieve.Parse(q)) {
		k = max(k, phrasePool)
	}
	return k
}

// gather returns a view of the chunks that may be among the best answers. It assumes the
// generation it last saw and checks meanwhile that this is still the newest; if not, it
// gathers again. If the check fails, so does the question.
func (d *Database) gather(ctx context.Context, q answer.Query) (*snapshot.View, error) {
	d.mu.Lock()
	st := d.now
	d.mu.Unlock()
	var now *state
	var nowErr error
	var wait sync.WaitGroup
	wait.Go(func() { now, nowErr = d.state(ctx) })
	v, err := d.gatherFrom(ctx, st, q)
	wait.Wait()
	if nowErr != nil {
		return nil, nowErr
	}
	if now != st {
		return d.gatherFrom(ctx, now, q)
	}
	return v, err
}

func (d *Database) gatherFrom(ctx context.Context, st *state, q answer.Query) (*snapshot.View, error) {
	narrowed, files, err := d.narrow(ctx, st, q)
	if err != nil {
		return nil, err
	}
	if narrowed != nil {
		q.Text = narrowed.Text
	}
	all := &databaseWords{ctx: ctx, d: d, st: st}
	bq, corrections, err := d.plan(ctx, all, q)
	if err != nil {
		return nil, err
	}
	if narrowed != nil {
		bq.Files = intersect(bq.Files, files)
	}
	dim := 0
	if st.model != nil {
		dim = st.model.Dim
	}
	asked := st.embed(ctx, q, corrections)
	chunks, err := d.candidates(ctx, bq, asked)
	if err != nil {
		return nil, err
	}
	var linked map[string][]string
	if q.Rerank == answer.RerankClaude {
		if chunks, linked, err = d.withLinked(ctx, chunks); err != nil {
			return nil, err
		}
	}
	set, err := newCandidateSet(st, chunks, dim)
	if err != nil {
		return nil, err
	}
	set.origin.Fresh = d.freshness(st)
	s, err := set.open(st.model)
	if err != nil {
		return nil, err
	}
	v, err := snapshot.NewPartial(st.corpus, s, set.origin, snapshot.Candidates{
		Counts: all, Files: st.stats.Files,
		Embedder: func() (embedding.Embedder, error) {
			if asked == nil {
				return nil, nil
			}
			return asked, nil
		},
	})
	if err == nil {
		v.Refs, v.Linked, v.Narrowed = st.paths(), linked, narrowed
	}
	return v, err
}

// plan says which chunks the backend is asked for. Words are corrected here.
func (d *Database) plan(ctx context.Context, all *databaseWords, q answer.Query) (backend.Query, []index.Correction, error) {
	iq := retrieve.Parse(q)
	keys, terms := iq.Keys()
	var countErr error
	var wait sync.WaitGroup
	wait.Go(func() { _, countErr = all.Terms(terms) })
	_, err := all.Words(keys)
	wait.Wait()
	if err := cmp.Or(err, countErr); err != nil {
		return backend.Query{}, nil, err
	}
	plan, err := index.NewPartial(nil, all)
	if err != nil {
		return backend.Query{}, nil, err
	}
	want, err := plan.Wanted(iq, retrieve.Params(all.st.corpus, iq))
	if err != nil {
		return backend.Query{}, nil, err
	}
	bq := backend.Query{Not: want.Not, K: max(d.pool, 3*poolFor(q)/2), Any: wordsOf(want.Any)}
	for _, group := range want.Must {
		bq.Must = append(bq.Must, wordsOf(group))
	}
	globs := iq.Paths
	if q.File != "" {
		globs = append(globs, all.st.pathOf(q.File))
	}
	if len(globs) > 0 {
		bq.Files, err = d.matching(ctx, globs)
	}
	return bq, want.Corrections, err
}

func wordsOf(wanted []index.WantedWord) []backend.Word {
	var out []backend.Word
	for _, w := range wanted {
		out = append(out, backend.Word{Text: w.Word, Title: w.Title, Terms: w.Terms})
	}
	return out
}

// embed embeds a question; nil where only words are asked for, or known.
func (st *state) embed(ctx context.Context, q answer.Query, corrections []index.Correction) *questionEmbedder {
	if st.model == nil || q.Mode == answer.Lexical || q.Text == "" {
		return nil
	}
	e := &questionEmbedder{info: *st.model, err: errors.New(st.note)}
	if st.by != nil {
		e.by = st.by
		e.vector, e.err = st.by.Question(ctx, retrieve.PlainQuestion(q.Text, corrections))
	}
	return e
}

// candidates asks for lexical and semantic candidates at the same time.
func (d *Database) candidates(ctx context.Context, q backend.Query, asked *questionEmbedder) ([]backend.Chunk, error) {
	var near []backend.Chunk
	var nearErr error
	var wait sync.WaitGroup
	if asked != nil && asked.err == nil {
		wait.Go(func() { near, nearErr = d.Near(ctx, asked.vector, retrieve.NearPool, q.Files) })
	}
	found, err := d.Candidates(ctx, q)
	wait.Wait()
	return append(found, near...), cmp.Or(err, nearErr)
}

// matching returns the files that match all globs; never nil.
func (d *Database) matching(ctx context.Context, globs []string) ([]string, error) {
	files, err := d.Backend.Files(ctx)
	if err != nil {
		return nil, err
	}
	paths := []string{}
	for _, f := range files {
		if snapshot.MatchPath(globs, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	return paths, nil
}

// document returns a view of the one document that a Ref leads to.
func (d *Database) document(ctx context.Context, text string) (*snapshot.View, error) {
	st, err := d.state(ctx)
	if err != nil {
		return nil, err
	}
	f, ref, err := d.findRecord(ctx, st, text)
	if f == nil && err == nil {
		f, err = d.find(ctx, text)
	}
	if err != nil {
		return nil, err
	}
	if f.Text == nil { // only chunks are known
		set, err := newCandidateSet(st, f.Chunks, 0)
		if err != nil {
			return nil, err
		}
		set.origin.Fresh = d.freshness(st)
		s, err := set.open(nil)
		if err != nil {
			return nil, err
		}
		v, err := snapshot.New(st.corpus, snapshot.Meta{Updated: st.updated}, []*snapshot.Segment{s}, set.origin)
		if err == nil && ref != "" {
			v.Refs = map[string]string{text: ref}
		}
		return v, err
	}
	data, err := unpack(f.Text)
	if err != nil {
		return nil, fmt.Errorf("%w: the text of %s: %v", segment.ErrDamaged, f.Path, err)
	}
	return inMemory(ctx, st.corpus, []crawl.File{{Entry: crawl.Entry{Path: f.Path, Size: int64(len(data))}, Data: data}}, nil, d.freshness(st))
}

// findRecord returns the document of records, and the Ref, that ids of theirs lead to: that
// of a source, that of a section, or both as SourceRef joins them. Without one it is nil.
func (d *Database) findRecord(ctx context.Context, st *state, text string) (*backend.File, string, error) {
	if len(st.sources) == 0 {
		return nil, "", nil
	}
	source, section, _ := strings.Cut(text, "#")
	if path := st.pathOf(source); path != source {
		f, err := d.File(ctx, path)
		return f, doc.Ref{Path: path, Anchor: section}.String(), err
	}
	for path := range st.sources {
		f, err := d.File(ctx, path)
		if err != nil {
			return nil, "", err
		}
		if f != nil && slices.ContainsFunc(f.Chunks, func(c backend.Chunk) bool { return c.ID == text }) {
			return f, doc.Ref{Path: path, Anchor: text}.String(), nil
		}
	}
	return nil, "", nil
}

// find returns the document that a Ref leads to, as place.Resolve would find it.
func (d *Database) find(ctx context.Context, text string) (*backend.File, error) {
	ref, bad := doc.ParseRef(text)
	names := append(place.Spellings(ref.Path), ref.Path)
	if doc.IsMarkdown(text) {
		names = append([]string{text}, names...)
	}
	for _, name := range slices.Compact(names) {
		if f, err := d.File(ctx, name); f != nil || err != nil {
			return f, err
		}
	}
	files, err := d.Backend.Files(ctx)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(files))
	for i, f := range files {
		if paths[i] = f.Path; place.IsShown(f.Path, ref.Path, text) {
			return d.File(ctx, f.Path)
		}
	}
	if bad != nil {
		return nil, bad
	}
	return nil, &answer.NotFoundError{Name: ref.Path, Nearest: words.Nearest(place.CleanPath(ref.Path), paths, place.MaxNearest), Err: answer.ErrNotFound}
}

// unpack gives the text of a document as it was stored.
func unpack(raw []byte) ([]byte, error) {
	b, err := texts.Unsqueeze(blob.Memory(raw))
	if err != nil {
		return nil, err
	}
	return b.Bytes(0, b.Len())
}

// Name is that of the file or of the index in the cluster.
func (d *Database) Name() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now.corpus.Name
}

// Files lists the documents whose paths begin with prefix.
func (d *Database) Files(ctx context.Context, prefix string) ([]answer.FileInfo, error) {
	files, err := d.Backend.Files(ctx)
	if err != nil {
		return nil, err
	}
	out := []answer.FileInfo{}
	for _, f := range files {
		if strings.HasPrefix(f.Path, prefix) {
			out = append(out, answer.FileInfo{
				File: f.Path, Title: f.Name, Lines: f.Lines, Tokens: f.Tokens, Bytes: f.Bytes, Sections: f.Sections, Chunks: f.Rows,
			})
		}
	}
	return out, nil
}

// References returns what places refer to, by the database's own table.
func (d *Database) References(ctx context.Context, at []snapshot.Place) ([][]answer.Reference, error) {
	from := make([][]string, len(at))
	for i, p := range at {
		var err error
		if from[i], err = d.chunksOf(ctx, p); err != nil {
			return nil, err
		}
	}
	links, err := d.Links(ctx, slices.Concat(from...), nil)
	if err != nil {
		return nil, err
	}
	out := make([][]answer.Reference, len(at))
	for i, p := range at {
		out[i] = []answer.Reference{}
		for _, l := range links {
			// Of a chunk that holds other sections too, only what the place shows counts.
			if slices.Contains(from[i], l.From) && (p.IsChunk || l.To != p.SectionID && strings.Contains(p.Content, l.Text)) {
				out[i] = append(out[i], referenceOf(l))
			}
		}
	}
	return out, nil
}

// chunksOf are the ids of the chunks that a place is in.
func (d *Database) chunksOf(ctx context.Context, p snapshot.Place) ([]string, error) {
	if p.IsChunk {
		return []string{p.SectionID}, nil
	}
	f, err := d.File(ctx, p.File)
	if err != nil || f == nil {
		return nil, err
	}
	var ids []string
	for _, c := range f.Chunks {
		if c.Lines[0] <= p.Lines.End && c.Lines[1] >= p.Lines.Start {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}

// Backlinks returns what refers to a section, by the database's own table.
func (d *Database) Backlinks(ctx context.Context, at snapshot.Place, most int) ([]answer.Reference, int, error) {
	links, err := d.Links(ctx, nil, []string{at.SectionID})
	if err != nil {
		return nil, 0, err
	}
	out := []answer.Reference{}
	for _, l := range links {
		r := referenceOf(l)
		r.SectionID, r.Title, r.Summary = &l.From, l.Title, ""
		out = append(out, r)
	}
	return out[:min(len(out), most)], len(out), nil
}

// referenceOf gives a row of the table of references.
func referenceOf(l backend.Reference) answer.Reference {
	r := answer.Reference{RefText: l.Text, Summary: l.Summary, From: l.From}
	if l.To != "" {
		r.SectionID = &l.To
		r.Title, _, _ = strings.Cut(l.Summary, ": ")
	} else {
		r.State, r.Target = "missing", l.Text
	}
	return r
}

// Intact is true of a database: it sees to its own files.
func (d *Database) Intact() error { return nil }

// Status says what the database holds.
func (d *Database) Status(ctx context.Context) (*answer.Status, error) {
	st, err := d.state(ctx)
	if err != nil {
		return nil, err
	}
	out := &answer.Status{
		Root: d.name, Paths: st.corpus.Config.Paths, Index: d.name, Files: st.stats.Files, Sections: st.stats.Sections, Chunks: st.stats.Chunks,
		IndexSize: sizeOf(d.name), Model: embedding.None, Segments: 1, Built: st.updated, Updated: st.updated, Freshness: d.freshness(st),
		Skipped: []answer.Skip{},
	}
	if st.model != nil {
		out.Model = st.model.Text()
	}
	return out, nil
}
