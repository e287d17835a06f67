package embedding

import (
	"context"
	"errors"
	"hash/fnv"
	"maps"
	"slices"
	"sync"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/segment"
)

// A Maker gives the chunks of a build their vectors. A nil Maker gives them none.
type Maker struct {
	By       Embedder              // that embeds them; set by Parts when the Maker adapts the table
	Adapts   bool                  // the built-in table is adapted to the documents first, when that pays
	Progress func(done, total int) // may be nil
	Sample   Sample                // of the documents, to adapt to

	delta []byte // rows to store with the vectors, of a trained model
}

// Encoder returns what reduces texts to the words that the table needs; nil where
// there is no table to embed with, or nothing to embed.
func (m *Maker) Encoder() *embed.Encoder {
	if m == nil {
		return nil
	}
	if m.Adapts {
		model, err := embed.NewModel(embed.Base(), nil)
		if err != nil {
			return nil
		}
		return model.NewEncoder()
	}
	if t, ok := m.By.(*Table); ok {
		return t.model.NewEncoder()
	}
	return nil
}

// Parts embeds all chunks and returns the parts of their segment.
func (m *Maker) Parts(ctx context.Context, texts []Text, sections int) ([]segment.Part, error) {
	by, delta := m.By, m.delta
	if m.Adapts {
		table, err := m.adapt(ctx, sections)
		if err != nil {
			return nil, err
		}
		by, delta = table, table.Delta()
	}
	b, err := by.Chunks(ctx, texts, m.Progress)
	if err != nil {
		return nil, err
	}
	return VectorParts(by.Model(), b, delta)
}

// adapt makes the embedder that suits the documents.
func (m *Maker) adapt(ctx context.Context, sections int) (*Table, error) {
	if !embed.WorthAdapting(sections) {
		return NewTable(nil, Builtin, "")
	}
	pages := m.Sample.pages()
	m.Sample.pagesByFile = nil
	delta, err := embed.Adapt(ctx, embed.Base(), pages, embed.AdaptOptions{})
	if errors.Is(err, embed.ErrNoPairs) { // headings without text, or no word that the table knows
		return NewTable(nil, Builtin, "")
	}
	if err != nil {
		return nil, err
	}
	return NewTable(delta, Builtin, "")
}

// A Sample collects pages to adapt the table to, up to a size. Of more it takes those
// whose paths hash low: the choice depends on the documents alone, not on the order in
// which workers finish.
type Sample struct {
	mu          sync.Mutex
	pagesByFile map[int]sampled // by the number of the file
	bytes       int
	halve       uint // how often the share of accepted pages was halved
}

type sampled struct {
	page embed.Page
	hash uint64
	size int
}

// maxSample is the most text that is learnt from. A table learns what it can from
// less.
const maxSample = 12 << 20

// Add offers the page of a file.
func (s *Sample) Add(number int, path string, p embed.Page) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(path))
	x := sampled{page: p, hash: h.Sum64()}
	for _, section := range p.Sections {
		x.size += len(section.Title) + len(section.Body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pagesByFile == nil {
		s.pagesByFile = map[int]sampled{}
	}
	if x.hash<<s.halve>>s.halve != x.hash {
		return
	}
	s.pagesByFile[number] = x
	for s.bytes += x.size; s.bytes > maxSample && s.halve < 63; {
		s.halve++
		for n, x := range s.pagesByFile {
			if x.hash<<s.halve>>s.halve != x.hash {
				delete(s.pagesByFile, n)
				s.bytes -= x.size
			}
		}
	}
}

// pages returns the sample in the order of the files.
func (s *Sample) pages() []embed.Page {
	out := make([]embed.Page, 0, len(s.pagesByFile))
	for _, n := range slices.Sorted(maps.Keys(s.pagesByFile)) {
		out = append(out, s.pagesByFile[n].page)
	}
	return out
}
