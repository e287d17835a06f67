package docent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/store/backend"
)

// ErrNotStored is what operations return, wrapped, that need all documents at hand,
// when the library is a database.
var ErrNotStored = errors.New("cannot be done with a database or a cluster: ask the folder it was made from")

// Stored reports whether the library is kept in a database, which answers less than
// a folder: see StoredTools.
func (l *Library) Stored() bool { return l.stored != nil }

// StoredTools are the names of the operations that a database serves.
var StoredTools = []string{"search", "section", "read", "toc", "info", "list", "ls", "status"}

// phrasePool is how many chunks with the words of a phrase are looked at for the
// phrase itself. Unlike a folder, a store cannot be asked for more and more.
const phrasePool = 1000

// answer is Search for a store.
func (s *stored) answer(ctx context.Context, q Query) (*Answer, error) {
	if q.Expand > 0 {
		return nil, fmt.Errorf("expand: %w", ErrNotStored)
	}
	k := max(q.Limit, pool)
	if q.Budget > 0 || q.Rerank {
		k = max(k, 2*pool)
	}
	if len(index.Parse(q.Text).Phrases) > 0 {
		k = max(k, phrasePool)
	}
	lib, err := s.gather(ctx, q, k)
	if err != nil {
		return nil, err
	}
	refer := q.References
	q.References = false
	a, err := lib.Search(ctx, q)
	if err != nil || !refer {
		return a, err
	}
	return a, s.refer(ctx, a)
}

// refer adds to the hits what they refer to, from the store's own table.
func (s *stored) refer(ctx context.Context, a *Answer) error {
	ids := make([]string, len(a.Hits))
	for i := range a.Hits {
		ids[i] = a.Hits[i].record.SectionID
	}
	links, err := s.Links(ctx, ids, nil)
	if err != nil {
		return err
	}
	for i := range a.Hits {
		h := &a.Hits[i]
		h.References = []Reference{}
		for _, l := range links {
			if l.From == ids[i] {
				h.References = append(h.References, referenceOf(l))
			}
		}
	}
	return nil
}

// referenceOf gives a row of the table of references.
func referenceOf(l backend.Reference) Reference {
	r := Reference{RefText: l.Text, Summary: l.Summary, From: l.From}
	if l.To != "" {
		r.SectionID = &l.To
		r.Title, _, _ = strings.Cut(l.Summary, ": ")
	} else {
		r.State, r.Target = "missing", l.Text
	}
	return r
}

// file returns a library of the one document that a Ref leads to.
func (s *stored) file(ctx context.Context, text string) (*Library, error) {
	ref, err := doc.ParseRef(text)
	if err != nil {
		return nil, err
	}
	st, err := s.state(ctx)
	if err != nil {
		return nil, err
	}
	f, err := s.File(ctx, cleanPath(ref.Path))
	if err == nil && f == nil && ref.Path != cleanPath(ref.Path) {
		f, err = s.File(ctx, ref.Path)
	}
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, s.noFile(ctx, ref.Path)
	}
	if f.Text == nil { // only chunks are known
		sh, err := newShelf(f.Chunks, 0)
		if err != nil {
			return nil, err
		}
		sh.held.fresh = s.freshness(st)
		return sh.library(st.corpus, nil)
	}
	data, err := unpack(f.Text)
	if err != nil {
		return nil, fmt.Errorf("%w: the text of %s: %v", segment.ErrDamaged, f.Path, err)
	}
	return st.corpus.inMemory(ctx, []crawl.File{{Entry: crawl.Entry{Path: f.Path, Size: int64(len(data))}, Data: data}}, nil, s.freshness(st))
}

// unpack gives the text of a document as it was stored.
func unpack(raw []byte) ([]byte, error) {
	b, err := texts.Unsqueeze(blob.Memory(raw))
	if err != nil {
		return nil, err
	}
	return b.Bytes(0, b.Len())
}

// inMemory makes a library of documents in the order of their paths.
func (c *corpus) inMemory(ctx context.Context, files []crawl.File, e *embedding, fresh string) (*Library, error) {
	p, err := c.chunkPolicy()
	if err != nil {
		return nil, err
	}
	parts, err := buildFiles(ctx, files, p, e)
	if err != nil {
		return nil, err
	}
	g, err := segOf(parts)
	if err != nil {
		return nil, err
	}
	h := &held{texts: make(map[string][]byte, len(files)), fresh: fresh}
	for _, f := range files {
		h.texts[f.Path] = f.Data
	}
	lib := &Library{corpus: c, segs: []*seg{g}, held: h}
	return lib, lib.prepare()
}

// noFile is the error for a document that the store does not hold.
func (s *stored) noFile(ctx context.Context, name string) error {
	files, err := s.Files(ctx)
	if err != nil {
		return err
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return &NotFoundError{Name: name, Nearest: nearestNames(cleanPath(name), paths, maxNearest), err: ErrNotFound}
}

// section is Section for a store.
func (s *stored) section(ctx context.Context, ref string) (*SectionView, error) {
	lib, err := s.file(ctx, ref)
	if err != nil {
		return nil, err
	}
	v, err := lib.Section(ctx, ref)
	if err != nil {
		return nil, err
	}
	return v, s.link(ctx, v)
}

// brief is Brief for a store.
func (s *stored) brief(ctx context.Context, ref string, limit int) (*BriefSection, error) {
	lib, err := s.file(ctx, ref)
	if err != nil {
		return nil, err
	}
	b, err := lib.Brief(ctx, ref, limit)
	if err != nil {
		return nil, err
	}
	return b, s.link(ctx, b.SectionView)
}

// link adds what a section links to, and what links to it, from the table of
// references.
func (s *stored) link(ctx context.Context, v *SectionView) error {
	v.References, v.Backlinks, v.LinkedFrom = []Reference{}, []Reference{}, 0
	f, err := s.File(ctx, v.Section.Source.File)
	if err != nil || f == nil {
		return err
	}
	var from []string
	for _, c := range f.Chunks {
		if c.Lines[0] <= v.Section.Source.Lines[1] && c.Lines[1] >= v.Section.Source.Lines[0] {
			from = append(from, c.ID)
		}
	}
	links, err := s.Links(ctx, from, []string{v.Section.SectionID})
	if err != nil {
		return err
	}
	for _, l := range links {
		r := referenceOf(l)
		if l.To != v.Section.SectionID && !strings.Contains(v.Section.Content, l.Text) {
			continue // of a neighbour in the same chunk
		}
		if l.To == v.Section.SectionID {
			r.SectionID, r.Title, r.Summary = &l.From, l.Title, ""
			v.Backlinks = append(v.Backlinks, r)
			continue
		}
		v.References = append(v.References, r)
	}
	v.LinkedFrom = len(v.Backlinks)
	v.Backlinks = v.Backlinks[:min(len(v.Backlinks), maxBacklinks)]
	return nil
}

// list is Files for a store.
func (s *stored) list(ctx context.Context, prefix string) (*FileList, error) {
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	out := &FileList{Files: []FileInfo{}}
	for _, f := range files {
		if !strings.HasPrefix(f.Path, prefix) {
			continue
		}
		out.Files = append(out.Files, FileInfo{File: f.Path, Title: f.Name, Lines: f.Lines, Tokens: f.Tokens, Bytes: f.Bytes, Sections: f.Sections, Chunks: f.Rows})
		out.Chunks += f.Rows
		out.Tokens += f.Tokens
	}
	return out, nil
}

// outline is Outline for a store: the headings of a file, or the files of a folder.
func (s *stored) outline(ctx context.Context, ref string, depth int) (*Outline, error) {
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	name := cleanPath(ref)
	out := &Outline{Files: []OutlineFile{}}
	for _, f := range files {
		switch {
		case ref != "" && (f.Path == name || f.Path == ref):
			lib, err := s.file(ctx, f.Path)
			if err != nil {
				return nil, err
			}
			return lib.Outline(ctx, f.Path, depth)
		case name == "" || strings.HasPrefix(f.Path, name+"/"):
			out.Files = append(out.Files, OutlineFile{File: f.Path, Title: f.Name, Lines: f.Lines, Tokens: f.Tokens, Count: f.Sections})
			out.Total.Files++
			out.Total.Sections += f.Sections
			out.Total.Lines += f.Lines
			out.Total.Tokens += f.Tokens
		}
	}
	if len(out.Files) == 0 && ref != "" {
		return nil, s.noFile(ctx, ref)
	}
	return out, nil
}

// status is Status for a store.
func (s *stored) status(ctx context.Context) (*Status, error) {
	st, err := s.state(ctx)
	if err != nil {
		return nil, err
	}
	out := &Status{
		Root: s.name, Paths: st.corpus.config.Paths, Index: s.name, Files: st.stats.Files, Sections: st.stats.Sections, Chunks: st.stats.Chunks,
		IndexSize: sizeOf(s.name), Model: noModel, Segments: 1, Built: st.updated, Updated: st.updated, Freshness: s.freshness(st), Skipped: []Skip{},
	}
	if st.model != nil {
		out.Model = st.model.text()
	}
	return out, nil
}
