package corpus

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/token"
)

// NoMin, as ChunkOptions.Min, merges nothing.
const NoMin = -1

// ChunkOptions tune how documents are cut. The zero value is a good default.
type ChunkOptions struct {
	Max    int    // largest chunk in tokens; 0 means 2000, or 320 for windows
	Min    int    // smaller sections merge; 0 means 100, or 64 for windows
	Depth  int    // heading levels that begin a chunk; 0 means 3. No window crosses them: 0 means 2
	Window bool   // overlapping windows instead of sections
	Tokens string // name of the token profile; "" means o200k
}

// Default sets what is not chosen to what a project's config says, and reports whether
// that decides on the size of chunks. Windows have sizes of their own.
func (o *ChunkOptions) Default(c *config.Config) bool {
	o.Tokens = cmp.Or(o.Tokens, c.Tokens)
	if o.Window {
		return false
	}
	decides := o.Max == 0
	if o.Max == 0 {
		o.Max = c.ChunkMax
	}
	if o.Min == 0 {
		if o.Min = min(c.ChunkMin, o.Max/2); c.ChunkMin == 0 {
			o.Min = NoMin
		}
	}
	o.Depth = cmp.Or(o.Depth, c.ChunkDepth)
	return decides
}

// A Chunker cuts documents into chunks. It may be used by many goroutines.
type Chunker struct {
	policy chunk.Policy
}

// NewChunker returns a Chunker, or an error for options that make no sense.
func NewChunker(o ChunkOptions) (*Chunker, error) {
	p := chunk.Policy{Max: o.Max, Min: o.Min, Depth: o.Depth, Window: o.Window}
	if err := countBy(&p, o.Tokens); err != nil {
		return nil, err
	}
	if p.Max == 0 && !p.Window {
		p.Max = 2000
	}
	if p.Min == NoMin {
		p.Min = 1 // every section has as much
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &Chunker{p}, nil
}

// Records cuts one document.
func (c *Chunker) Records(d *doc.Document) []answer.Record {
	return answer.Records(d, Split(d, c.policy))
}

// Split cuts a document and names each chunk after the first section in it that
// has text of its own: a heading right above another heading is part of a chunk's
// breadcrumb, not its title.
func Split(d *doc.Document, p chunk.Policy) []doc.Chunk {
	chunks := chunk.Split(*d, p)
	for i := range chunks {
		c := &chunks[i]
		if c.Part > 0 {
			continue
		}
		at := c.Section
		for at < len(d.Sections) && d.Sections[at].Span.Start < c.Span.End && IsBare(d, at) {
			at++
		}
		if at == c.Section || at == len(d.Sections) || d.Sections[at].Span.Start >= c.Span.End {
			continue
		}
		c.Section, c.Title, c.Anchor, c.Path = at, d.Sections[at].Title, d.Sections[at].Anchor, nil
		for k := at; k >= 0; k = d.Sections[k].Parent {
			c.Path = append(c.Path, d.Sections[k].Title)
		}
		slices.Reverse(c.Path)
	}
	return chunks
}

// IsBare reports whether there is no text between the heading of section i and the
// next.
func IsBare(d *doc.Document, i int) bool {
	s := d.Sections[i]
	from := s.Span.Start
	if s.Heading >= 0 {
		from = d.Headings[s.Heading].Span.End
	}
	return len(bytes.TrimSpace(d.Source[from:s.Span.End])) == 0
}

// Counter returns the function that prices text.
func Counter(profile string) (func([]byte) int, error) {
	p, err := tokens(profile)
	return p.Count, err
}

// Ceiling returns the function that limits in tokens are kept by.
func Ceiling(profile string) (func([]byte) int, error) {
	p, err := tokens(profile)
	return p.Ceiling, err
}

// countBy sets how tokens are counted for a policy.
func countBy(to *chunk.Policy, profile string) error {
	p, err := tokens(profile)
	to.Count, to.Weigh, to.Round = p.Count, p.Weigh, p.Round
	return err
}

func tokens(profile string) (token.Profile, error) {
	if profile == "" {
		profile = "o200k"
	}
	return token.Lookup(profile)
}

// Progress says how far the building of an index is.
type Progress struct {
	Files int
	Bytes int64
}

// ChunkPolicy is how the corpus' documents are cut.
func (c *Corpus) ChunkPolicy() (chunk.Policy, error) {
	p := chunk.Policy{Max: c.Config.ChunkMax, Min: max(c.Config.ChunkMin, 1), Depth: c.Config.ChunkDepth, Window: c.Windows}
	if err := countBy(&p, c.Config.Tokens); err != nil {
		return chunk.Policy{}, err
	}
	return p, p.Validate()
}
