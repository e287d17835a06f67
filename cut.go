package docent

import (
	"bytes"
	"context"
	"slices"

	"github.com/docent-md/docent/doc"
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

// A Cutter cuts documents into chunks. It may be used by many goroutines.
type Cutter struct {
	policy chunk.Policy
}

// NewCutter returns a Cutter, or an error for options that make no sense.
func NewCutter(o ChunkOptions) (*Cutter, error) {
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
	return &Cutter{p}, nil
}

// Records cuts one document.
func (c *Cutter) Records(d *doc.Document) []Record {
	return records(d, split(d, c.policy))
}

// split cuts a document and names each chunk after the first section in it that
// has a text of its own: headings that only hold others say what a chunk stands
// under, not what it is.
func split(d *doc.Document, p chunk.Policy) []doc.Chunk {
	chunks := chunk.Split(*d, p)
	for i := range chunks {
		c := &chunks[i]
		at := c.Section
		for at < len(d.Sections) && d.Sections[at].Span.Start < c.Span.End && bare(d, at) {
			at++
		}
		if at == c.Section || c.Part > 0 || at == len(d.Sections) || d.Sections[at].Span.Start >= c.Span.End {
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

// bare reports whether nothing stands between the heading of section i and the
// next.
func bare(d *doc.Document, i int) bool {
	s := d.Sections[i]
	from := s.Span.Start
	if s.Heading >= 0 {
		from = d.Headings[s.Heading].Span.End
	}
	return len(bytes.TrimSpace(d.Source[from:s.Span.End])) == 0
}

// counter returns the function that prices text.
func counter(profile string) (func([]byte) int, error) {
	p, err := tokens(profile)
	return p.Count, err
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

// OutlineOptions tune a table of contents. The zero value is a good default.
type OutlineOptions struct {
	Depth  int    // deepest level shown; 0 means all of a file and none of several
	Tokens string // name of the token profile; "" means o200k
}

// Contents lists the headings of the documents that paths name, as Scan reads
// them.
func Contents(ctx context.Context, paths []string, s ScanOptions, o OutlineOptions) (*Outline, Report, error) {
	count, err := counter(o.Tokens)
	if err != nil {
		return nil, Report{}, err
	}
	out := &Outline{Files: []OutlineFile{}}
	var first *doc.Document
	report, err := Scan(ctx, paths, s, func(d *doc.Document) error {
		if out.Total.Files == 0 {
			first = d
		}
		out.add(d, o.Depth, count)
		return nil
	})
	if err == nil && o.Depth == 0 && len(out.Files) == 1 {
		out = &Outline{}
		out.add(first, 6, count)
	}
	return out, report, err
}
