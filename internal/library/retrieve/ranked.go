package retrieve

import (
	"fmt"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/rank"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A Ranked is a candidate in its final order: a chunk, and what is known of it.
type Ranked struct {
	rank.Candidate
	Num     uint32
	Segment *snapshot.Segment
	Row     int
	Chunk   doctable.Chunk
	File    doctable.File
	Section doctable.Section // that it is named after
	Named   int              // the row of that section
	Fused   *Fused           // its places in both rankings; nil after a lexical search

	Read       *Reading // what the model in the program made of it; nil when it did not read it
	Similarity float64  // to the question, by embeddings; 0 after a lexical search
}

// A Reading is what a reranker made of a candidate.
type Reading struct {
	Score  float64
	Before int // its place before, from 1
}

// IsTitled reports whether the title of the candidate, or the name of its file, is what
// was asked for.
func (r *Ranked) IsTitled() bool { return r.Match == 1 || r.Candidate.Named }

// Doc is the document of the chunk, in the view that was searched.
func (r *Ranked) Doc() snapshot.File {
	return snapshot.File{Path: r.File.Path, Seg: r.Segment.Number, Row: r.Chunk.File, Info: r.File}
}

// ID names the document in the link graph of its own index.
func (r *Ranked) ID() graph.ID { return graph.ID{Segment: r.Segment.HomeNumber, Row: r.Chunk.File} }

// EachSection calls fn with the sections that the chunk holds, and their rows, until
// it returns false.
func (r *Ranked) EachSection(fn func(i int, s doctable.Section) bool) error {
	last := r.File.FirstSection + r.File.Sections
	for i := r.Chunk.Section; i < last; i++ {
		s, err := r.Segment.Table.Section(i)
		if err != nil {
			return err
		}
		if s.Span.Start >= r.Chunk.Span.End || !fn(i, s) {
			break
		}
	}
	return nil
}

// Body reads the text of the chunk. It is not ok when its document is stale, which
// the reader remembers.
func (r *Ranked) Body(reader *snapshot.Reader) (body string, ok bool, err error) {
	data, err := reader.Text(r.Doc())
	if err != nil || data == nil {
		return "", false, err
	}
	if r.Chunk.Span.End > len(data) {
		return "", false, fmt.Errorf("%w: %s ends before %d", doctable.ErrFormat, r.File.Path, r.Chunk.Span.End)
	}
	if r.Chunk.Altered {
		if text, ok := r.alteredTexts(data)[r.Chunk.Span]; ok {
			return text, true, nil
		}
	}
	return strings.TrimPrefix(string(r.Chunk.Span.Of(data)), "\ufeff"), true, nil
}

// alteredTexts finds the chunks of the document that repeat fences or table heads, as
// "docent chunks" shows them.
func (r *Ranked) alteredTexts(data []byte) map[doc.Span]string {
	home := r.Segment.Home
	return home.Origin.AlteredTexts(r.Doc(), func() map[doc.Span]string {
		altered := map[doc.Span]string{}
		for _, c := range chunk.Split(markdown.Parse(r.File.Path, data), home.Policy) {
			if len(c.Text) != c.Span.Len() {
				altered[c.Span] = c.Text
			}
		}
		return altered
	})
}
