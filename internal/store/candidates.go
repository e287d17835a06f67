package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/store/backend"
)

// A candidateOrigin is the documents of candidates: they consist of those chunks and
// nothing else, and each chunk has its record as it was stored.
type candidateOrigin struct {
	snapshot.Memory
	records []answer.Record // by row
}

// Record returns the record of the chunk in a row.
func (o *candidateOrigin) Record(row int) (answer.Record, bool) { return o.records[row], true }

// A candidateSet is chunks of a database, put together to be ranked and shown. The
// documents it holds consist of those chunks; each has the lines, the hash and the
// sections it has in the whole document.
type candidateSet struct {
	tables *build.Tables
	texts  []index.Text
	vector *vector.Builder // nil without vectors
	origin *candidateOrigin
}

// newCandidateSet puts chunks into the order of an index: by path, then by position in
// the document.
func newCandidateSet(st *state, chunks []backend.Chunk, dim int) (*candidateSet, error) {
	type read struct {
		*backend.Chunk
		data chunkData
	}
	all := make([]read, 0, len(chunks))
	seen := make(map[string]bool, len(chunks))
	for i := range chunks {
		c := read{Chunk: &chunks[i]}
		if seen[c.ID] {
			continue
		}
		seen[c.ID] = true
		if err := c.data.read(c.Data); err != nil {
			return nil, fmt.Errorf("%w: the row of %s: %v", segment.ErrDamaged, c.ID, err)
		}
		if len(c.data.Trail) == 0 {
			return nil, fmt.Errorf("%w: the row of %s", segment.ErrDamaged, c.ID)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b read) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.data.Place, b.data.Place), cmp.Compare(a.ID, b.ID))
	})
	s := &candidateSet{tables: build.NewTables(), origin: &candidateOrigin{Memory: snapshot.Memory{Texts: map[string][]byte{}}}}
	if dim > 0 {
		var err error
		if s.vector, err = vector.NewBuilder(dim); err != nil {
			return nil, err
		}
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].File == all[from].File {
			to++
		}
		p := candidatePage{Page: build.Page{File: doctable.File{Path: all[from].File, Title: all[from].data.Name}}, rows: map[string]int{}}
		for _, c := range all[from:to] {
			p.add(c.Chunk, &c.data)
			s.texts = append(s.texts, index.Text{Title: c.Title, Headings: c.data.Headings, Body: c.data.Body})
			s.origin.records = append(s.origin.records, recordOf(st, c.Chunk, &c.data))
			if s.vector != nil {
				if err := s.vector.Add(c.Vector); err != nil {
					return nil, fmt.Errorf("%w: the vector of %s: %v", segment.ErrDamaged, c.ID, err)
				}
			}
		}
		if err := s.tables.Add(p.Page); err != nil {
			return nil, err
		}
		s.origin.Texts[all[from].File] = p.text
		from = to
	}
	return s, nil
}

// open makes a segment of the set. The model is where its vectors come from; nil when
// it has none.
func (s *candidateSet) open(m *embedding.ModelInfo) (*snapshot.Segment, error) {
	parts, err := s.tables.Parts(func() ([]index.Part, error) {
		return index.Build(len(s.texts), func(i int) index.Text { return s.texts[i] }, 0)
	})
	if err != nil {
		return nil, err
	}
	if m != nil && s.vector != nil {
		more, err := embedding.VectorParts(*m, s.vector, nil)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	return snapshot.OpenParts(parts)
}

// inMemory makes a view of documents in the order of their paths.
func inMemory(ctx context.Context, c *corpus.Corpus, files []crawl.File, e *embedding.Maker, fresh string) (*snapshot.View, error) {
	p, err := c.ChunkPolicy()
	if err != nil {
		return nil, err
	}
	parts, err := build.Files(ctx, files, p, e)
	if err != nil {
		return nil, err
	}
	s, err := snapshot.OpenParts(parts)
	if err != nil {
		return nil, err
	}
	o := &snapshot.Memory{Texts: make(map[string][]byte, len(files)), Fresh: fresh}
	for _, f := range files {
		o.Texts[f.Path] = f.Data
	}
	return snapshot.New(c, snapshot.Meta{}, []*snapshot.Segment{s}, o)
}

// A candidatePage puts chunks of one document together.
type candidatePage struct {
	build.Page
	text []byte
	rows map[string]int // of the sections, by what leads to them
}

func (p *candidatePage) add(c *backend.Chunk, data *chunkData) {
	start := len(p.text)
	p.text = append(p.text, c.Content...)
	if len(c.Content) > 0 && !strings.HasSuffix(c.Content, "\n") {
		p.text = append(p.text, '\n')
	}
	end := start + len(c.Content)
	lines := doc.Lines{Start: c.Lines[0], End: c.Lines[1]}
	own := -1
	key := ""
	for i, st := range data.Trail {
		key += st.Title + "\x00" + st.Anchor + "\x00"
		if row, ok := p.rows[key]; ok && (i < len(data.Trail)-1 || data.Part > 0 || row == 0) {
			own = row
			continue
		}
		row := len(p.Sections)
		p.Sections = append(p.Sections, doctable.Section{
			Level: st.Level, Title: st.Title, Anchor: st.Anchor, Parent: own, Bare: st.Bare,
			Span: doc.Span{Start: start, End: start}, Lines: doc.Lines{Start: lines.Start, End: lines.Start},
		})
		p.rows[key], own = row, row
	}
	s := &p.Sections[own]
	s.Span, s.Lines = doc.Span{Start: min(s.Span.Start, start), End: end}, doc.Lines{Start: min(s.Lines.Start, lines.Start), End: lines.End}
	for _, in := range data.Inner {
		at := min(max(in.At, 0), len(c.Content))
		line := lines.Start + strings.Count(c.Content[:at], "\n")
		p.Sections = append(p.Sections, doctable.Section{
			Level: in.Level, Title: in.Title, Anchor: in.Anchor, Parent: p.above(own, in.Level), Bare: in.Bare,
			Span: doc.Span{Start: start + at, End: end}, Lines: doc.Lines{Start: line, End: max(line, lines.End)},
		})
	}
	p.Chunks = append(p.Chunks, doctable.Chunk{
		Section: own, Part: data.Part, Span: doc.Span{Start: start, End: end}, Lines: lines, Tokens: data.Tokens, Hash: data.Hash,
	})
	p.File.Size = int64(len(p.text))
	p.File.Lines = max(p.File.Lines, lines.End)
	p.File.Tokens += data.Tokens
}

// above is the last section that a section of some level can be under.
func (p *candidatePage) above(own, level int) int {
	for at := len(p.Sections) - 1; at >= 0; at = p.Sections[at].Parent {
		if p.Sections[at].Level < level {
			return at
		}
	}
	return 0
}

// recordOf gives a chunk as it was stored.
func recordOf(st *state, c *backend.Chunk, data *chunkData) answer.Record {
	r := answer.Record{
		SectionID: c.ID, Title: c.Title, Path: c.Path, Content: c.Content, Tokens: data.Tokens, Hash: answer.HashText(data.Hash),
		Source: answer.Source{ID: st.sourceID(c.File), Name: data.Name, File: c.File, Lines: c.Lines},
	}
	for _, s := range data.Trail {
		r.Headings = append(r.Headings, s.Title)
	}
	if c.Parent != "" {
		r.ParentID = &c.Parent
	}
	return r
}
