package store

import (
	"context"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/store/sqlite"
	"github.com/docent-md/docent/internal/store/weaviate"
)

// A Backend stores the chunks of a corpus where other programs can use them too: in a
// SQLite file, or in a cluster.
type Backend interface {
	Stats(ctx context.Context) (backend.Stats, error)
	Meta(ctx context.Context, key string) ([]byte, error)

	// Candidates returns the chunks likely to answer, and Near those with the
	// vectors nearest to one, of some files; nil for all.
	Candidates(ctx context.Context, q backend.Query) ([]backend.Chunk, error)
	Near(ctx context.Context, v []float32, k int, files []string) ([]backend.Chunk, error)

	// Words and Terms count the chunks with some words, and terms as written;
	// Vocabulary lists the terms that begin with a prefix.
	Words(ctx context.Context, words []string) ([]int, error)
	Terms(ctx context.Context, terms []string) ([]int, error)
	Vocabulary(ctx context.Context, prefix string) ([]string, error)

	Files(ctx context.Context) ([]backend.File, error)
	File(ctx context.Context, path string) (*backend.File, error)
	Links(ctx context.Context, from, to []string) ([]backend.Reference, error)
	Close() error
}

// A writable backend can be written to.
type writable interface {
	Backend
	begin(ctx context.Context) (transaction, error)
	Unresolved(ctx context.Context) (map[string]int, error) // number of unresolved references, by document
	Referring(ctx context.Context, to []string) ([]backend.Reference, error)
	Size(ctx context.Context) int64 // bytes it takes; 0 when not known
}

// A transaction is a run of writes. A document is put or removed as a whole.
type transaction interface {
	Put(f *backend.File) error
	Remove(path string) error
	SetMeta(key string, value []byte) error
	DropDanglingRefs() error // marks references to what is not there any more
	Commit() error
	Rollback()
}

type sqliteBackend struct{ *sqlite.DB }

func (s sqliteBackend) begin(ctx context.Context) (transaction, error) { return s.Begin(ctx) }

type clusterBackend struct{ *weaviate.Index }

func (s clusterBackend) begin(ctx context.Context) (transaction, error) { return s.Begin(ctx) }

// The keys of the meta table of a database.
const (
	metaCorpus     = "corpus"     // a name for people
	metaSettings   = "settings"   // JSON: how documents were cut, and are ranked
	metaModel      = "model"      // JSON: where vectors come from
	metaDelta      = "delta"      // rows of the base table that were adapted or trained
	metaGeneration = "generation" // changes with every commit
	metaUpdated    = "updated"    // when, for people
	metaSources    = "sources"    // JSON: the ids that records had for documents, by path
)

// settings are what a database was made with.
type settings struct {
	Policy corpus.Recipe `json:"policy"`
	Boost  config.Boost  `json:"boost"`
}

// newFile returns the rows of a document.
func newFile(d *doc.Document, chunks []doc.Chunk) *backend.File {
	f := &backend.File{Path: d.Path, Name: d.Title, Bytes: int64(len(d.Source)), Sections: len(d.Sections)}
	t := build.Texter{D: d}
	have := map[string]bool{}
	for i, r := range answer.Records(d, chunks) {
		c := chunks[i]
		text := t.Text(c)
		data := chunkData{
			Name: d.Title, Place: i, Part: c.Part, Tokens: c.Tokens, Hash: answer.HashOf(c.Span.Of(d.Source)),
			Headings: text.Headings, Body: text.Body,
		}
		for at := c.Section; at >= 0; at = d.Sections[at].Parent {
			data.Trail = append([]step{stepOf(d, at)}, data.Trail...)
		}
		for at := c.Section + 1; c.Part == 0 && at < len(d.Sections) && d.Sections[at].Span.Start < c.Span.End; at++ {
			data.Inner = append(data.Inner, innerStep{stepOf(d, at), d.Sections[at].Span.Start - c.Span.Start})
		}
		have[r.SectionID] = true
		f.Chunks = append(f.Chunks, newChunk(&r, &data, text))
		f.Tokens += c.Tokens
	}
	for i, s := range d.Sections {
		f.Lines = s.Lines.End
		id := answer.RefIn(d.Path, s.Anchor)
		if have[id] {
			continue
		}
		have[id] = true
		p := backend.Section{ID: id, Title: s.Title, Path: strings.Join(trailOf(d, i), answer.TrailMark), Lines: [2]int{s.Lines.Start, s.Lines.End}}
		if s.Parent >= 0 {
			p.Parent = answer.RefIn(d.Path, d.Sections[s.Parent].Anchor)
		}
		f.Parents = append(f.Parents, p)
	}
	return f
}

// newChunk returns the row of a chunk.
func newChunk(r *answer.Record, data *chunkData, text index.Text) backend.Chunk {
	a := index.Analyse(text)
	c := backend.Chunk{
		Section: backend.Section{ID: r.SectionID, Title: r.Title, Path: r.Path, Lines: r.Source.Lines},
		File:    r.Source.File, Content: r.Content, Data: data.bytes(),
		Words: backend.Words{Title: a.Title, Headings: a.Headings, Body: a.Body, Terms: a.Terms, Lengths: a.Lengths},
	}
	if r.ParentID != nil {
		c.Parent = *r.ParentID
	}
	return c
}

func stepOf(d *doc.Document, at int) step {
	s := d.Sections[at]
	return step{s.Title, s.Anchor, s.Level, corpus.IsBare(d, at)}
}

// trailOf are the titles from the document down to a section.
func trailOf(d *doc.Document, at int) []string {
	var trail []string
	for ; at >= 0; at = d.Sections[at].Parent {
		trail = append([]string{d.Sections[at].Title}, trail...)
	}
	return trail
}

// settingsOf are the settings of a corpus that a database records.
func settingsOf(c *corpus.Corpus) settings {
	p := c.Recipe()
	p.Paths, p.Ignore = nil, nil // which documents there are is not how they are chunked
	return settings{Policy: p, Boost: c.Config.Boost}
}
