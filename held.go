package docent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/store/backend"
)

// held is what a library in memory knows that others read from files.
type held struct {
	texts   map[string][]byte // of the documents
	records []Record          // of the chunks, by row; nil where they follow from the documents
	corpus  index.Corpus      // of which these are some chunks; nil when they are all
	files   int               // of all
	fresh   string
	asked   *askedEmbedder // the question; nil when it was not embedded
}

// A shelf is chunks of a store, put together to be ranked and shown. The documents
// it holds consist of those chunks and nothing else; each has the lines, the hash
// and the sections it has in the whole document.
type shelf struct {
	tables *tables
	texts  []index.Text
	vector *vector.Builder // nil without vectors
	held   *held
}

// newShelf puts chunks into the order of a library: by path, then as they stand in
// the document.
func newShelf(chunks []backend.Chunk, dim int) (*shelf, error) {
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
	s := &shelf{tables: newTables(), held: &held{texts: map[string][]byte{}}}
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
		p := shelfPage{page: page{file: doctable.File{Path: all[from].File, Title: all[from].data.Name}}, rows: map[string]int{}}
		for _, c := range all[from:to] {
			p.add(c.Chunk, &c.data)
			s.texts = append(s.texts, index.Text{Title: c.Title, Headings: c.data.Headings, Body: c.data.Body})
			s.held.records = append(s.held.records, recordOf(c.Chunk, &c.data))
			if s.vector != nil {
				if err := s.vector.Add(c.Vector); err != nil {
					return nil, fmt.Errorf("%w: the vector of %s: %v", segment.ErrDamaged, c.ID, err)
				}
			}
		}
		if err := s.tables.add(p.page); err != nil {
			return nil, err
		}
		s.held.texts[all[from].File] = p.text
		from = to
	}
	return s, nil
}

// library opens the shelf.
func (s *shelf) library(c *corpus, m *modelInfo) (*Library, error) {
	parts, err := s.tables.parts(func() ([]index.Part, error) {
		return index.Build(len(s.texts), func(i int) index.Text { return s.texts[i] }, 0)
	})
	if err != nil {
		return nil, err
	}
	if m != nil && s.vector != nil {
		more, err := meaningParts(*m, s.vector, nil)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	g, err := segOf(parts)
	if err != nil {
		return nil, err
	}
	lib := &Library{corpus: c, segs: []*seg{g}, held: s.held}
	return lib, lib.prepare()
}

// A shelfPage puts chunks of one document together.
type shelfPage struct {
	page
	text []byte
	rows map[string]int // of the sections, by what leads to them
}

func (p *shelfPage) add(c *backend.Chunk, data *chunkData) {
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
		row := len(p.sections)
		p.sections = append(p.sections, doctable.Section{
			Level: st.Level, Title: st.Title, Anchor: st.Anchor, Parent: own, Bare: st.Bare,
			Span: doc.Span{Start: start, End: start}, Lines: doc.Lines{Start: lines.Start, End: lines.Start},
		})
		p.rows[key], own = row, row
	}
	s := &p.sections[own]
	s.Span, s.Lines = doc.Span{Start: min(s.Span.Start, start), End: end}, doc.Lines{Start: min(s.Lines.Start, lines.Start), End: lines.End}
	for _, in := range data.Inner {
		at := min(max(in.At, 0), len(c.Content))
		line := lines.Start + strings.Count(c.Content[:at], "\n")
		p.sections = append(p.sections, doctable.Section{
			Level: in.Level, Title: in.Title, Anchor: in.Anchor, Parent: p.above(own, in.Level), Bare: in.Bare,
			Span: doc.Span{Start: start + at, End: end}, Lines: doc.Lines{Start: line, End: max(line, lines.End)},
		})
	}
	p.chunks = append(p.chunks, doctable.Chunk{
		Section: own, Part: data.Part, Span: doc.Span{Start: start, End: end}, Lines: lines, Tokens: data.Tokens, Hash: data.Hash,
	})
	p.file.Size = int64(len(p.text))
	p.file.Lines = max(p.file.Lines, lines.End)
	p.file.Tokens += data.Tokens
}

// above is the last section that a section of some level can stand under.
func (p *shelfPage) above(own, level int) int {
	for at := len(p.sections) - 1; at >= 0; at = p.sections[at].Parent {
		if p.sections[at].Level < level {
			return at
		}
	}
	return 0
}

// recordOf gives a chunk as it was stored.
func recordOf(c *backend.Chunk, data *chunkData) Record {
	r := Record{
		SectionID: c.ID, Title: c.Title, Path: c.Path, Content: c.Content, Tokens: data.Tokens, Hash: hashText(data.Hash),
		Source: Source{ID: c.File, Name: data.Name, File: c.File, Lines: c.Lines},
	}
	for _, s := range data.Trail {
		r.Headings = append(r.Headings, s.Title)
	}
	if c.Parent != "" {
		r.ParentID = &c.Parent
	}
	return r
}
