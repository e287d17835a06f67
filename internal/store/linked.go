package store

import (
	"context"
	"slices"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/store/backend"
)

// What a reranker is shown beside the candidates: the chunks of sections that they link
// to, as it is for a folder. A database has the links in a table.
const (
	linkedFrom  = 50 // candidates whose links are followed
	linkedFiles = 30 // documents that are read for what they lead to
)

// withLinked adds to candidates, best first, the chunks that they link to, and returns
// which links to which, by their ids.
func (d *Database) withLinked(ctx context.Context, chunks []backend.Chunk) ([]backend.Chunk, map[string][]string, error) {
	from := make([]string, 0, linkedFrom)
	have := map[string]bool{}
	for _, c := range chunks {
		have[c.ID] = true
		if len(from) < linkedFrom && !slices.Contains(from, c.ID) {
			from = append(from, c.ID)
		}
	}
	links, err := d.Links(ctx, from, nil)
	if err != nil {
		return nil, nil, err
	}
	linked := map[string][]string{}
	files := map[string]*backend.File{}
	for _, l := range links {
		ref, err := doc.ParseRef(l.To)
		if l.To == "" || err != nil {
			continue
		}
		f, read := files[ref.Path]
		if !read {
			if len(files) == linkedFiles {
				continue
			}
			if f, err = d.File(ctx, ref.Path); err != nil {
				return nil, nil, err
			}
			files[ref.Path] = f
		}
		c, ok := chunkOf(f, l.To, ref.Anchor)
		if !ok || c.ID == l.From {
			continue
		}
		linked[l.From] = append(linked[l.From], c.ID)
		if !have[c.ID] {
			have[c.ID] = true
			chunks = append(chunks, c)
		}
	}
	return chunks, linked, nil
}

// chunkOf finds the chunk that a section begins in: its own, or one that it is merged into.
func chunkOf(f *backend.File, id, anchor string) (backend.Chunk, bool) {
	if f == nil {
		return backend.Chunk{}, false
	}
	for _, c := range f.Chunks {
		if c.ID == id {
			return c, true
		}
	}
	for _, c := range f.Chunks {
		var data chunkData
		if data.read(c.Data) != nil {
			continue
		}
		inside := slices.ContainsFunc(data.Inner, func(s innerStep) bool { return s.Anchor == anchor })
		if inside || slices.ContainsFunc(data.Trail, func(s step) bool { return s.Anchor == anchor }) {
			return c, true
		}
	}
	return backend.Chunk{}, false
}
