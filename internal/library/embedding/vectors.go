package embedding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"

	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
)

// How chunks get their vectors.
//
// A segment that has them has four parts more: "vectors" and "vectors.low", half of
// a row's bits a chunk each; "model", which says where they come from; and, where
// the base table was adapted or trained, "model.delta" with its changed rows, so that
// an index needs nothing but the program to be searched. All segments of an index
// have the same model: small ones are embedded with that of the base, and when more
// than a tenth of the documents have changed the index is rebuilt and the table
// adapted again.
const (
	vectorsPart = "vectors"
	lowPart     = "vectors.low"
	modelPart   = "model"
	deltaPart   = "model.delta"
)

// IsVectorPart reports whether a part is one of the four.
func IsVectorPart(part string) bool {
	return part == vectorsPart || part == lowPart || part == modelPart || part == deltaPart
}

// Vectors are the embeddings of the chunks of a segment.
type Vectors struct {
	Model ModelInfo
	Rows  *vector.Reader
	Delta blob.Blob // nil when the table is as it ships
}

// OpenVectors reads the parts; nil when the segment has no vectors.
func OpenVectors(part func(name string) (blob.Blob, bool)) (*Vectors, error) {
	raw, ok := part(modelPart)
	if !ok {
		return nil, nil
	}
	m := &Vectors{}
	text, err := raw.Bytes(0, raw.Len())
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &m.Model); err != nil {
		return nil, fmt.Errorf("%w: the model of its vectors: %v", segment.ErrDamaged, err)
	}
	if b, ok := part(deltaPart); ok {
		m.Delta = b
	}
	high, ok := part(vectorsPart)
	low, both := part(lowPart)
	if !ok || !both {
		return nil, fmt.Errorf("%w: its vectors are missing", segment.ErrDamaged)
	}
	if m.Rows, err = vector.OpenAt(high, low); errors.Is(err, vector.ErrFormat) {
		return nil, fmt.Errorf("%w: %w", segment.ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// VectorParts are the parts of a segment whose chunks have these vectors.
func VectorParts(m ModelInfo, b *vector.Builder, delta []byte) ([]segment.Part, error) {
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	high, low := b.Bytes()
	parts := []segment.Part{{Name: modelPart, Data: raw}, {Name: vectorsPart, Data: high, Scanned: true}, {Name: lowPart, Data: low}}
	if delta != nil {
		parts = append(parts, segment.Part{Name: deltaPart, Data: delta})
	}
	return parts, nil
}

// Open returns the embedder that vectors come from, so that a question can be
// compared with them.
func (v *Vectors) Open(c Choice) (Embedder, error) {
	if v.Model.Kind == Remote {
		by, err := v.openRemote(c)
		return by, unavailable(err)
	}
	var delta *embed.Delta
	if v.Delta != nil {
		var err error
		if delta, err = embed.OpenDeltaAt(v.Delta.Len(), v.Delta.Bytes); err != nil {
			return nil, fmt.Errorf("%w: the model: %w", segment.ErrDamaged, err)
		}
	}
	t, err := NewTable(delta, v.Model.Kind, v.Model.Name)
	if err != nil || t.info.Fingerprint != v.Model.Fingerprint {
		return nil, errors.Join(ErrOtherTable, err)
	}
	return t, nil
}

// ErrOtherTable is what Open returns, wrapped, for vectors that come from another
// table than this program has.
var ErrOtherTable = errors.New("made with other settings, or by another version of docent")

func (v *Vectors) openRemote(c Choice) (Embedder, error) {
	if c.Endpoint == nil {
		return nil, fmt.Errorf("the index was made with vectors of %s, and no endpoint is set: docent index --embed builtin does without one", v.Model.Name)
	}
	r, err := c.Endpoint()
	if err != nil {
		return nil, err
	}
	if r.Fingerprint() != v.Model.Fingerprint {
		now := r.Model()
		if now == v.Model.Name {
			now += " at another address"
		}
		return nil, fmt.Errorf("the index was made with vectors of %s, and those set now are of %s: docent index --embed openai rebuilds it", v.Model.Name, now)
	}
	return c.newRemote(r, v.Model.Dim), nil
}

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

// Parts embeds the chunks of a segment and returns its parts. Of several segments,
// which have so many sections together, the first has the rows that differ from the
// base table.
func (m *Maker) Parts(ctx context.Context, texts []Text, sections int) ([]segment.Part, error) {
	if m.Adapts && m.By == nil {
		table, err := m.adapt(ctx, sections)
		if err != nil {
			return nil, err
		}
		m.By, m.delta = table, table.Delta()
	}
	b, err := m.By.Chunks(ctx, texts, m.Progress)
	if err != nil {
		return nil, err
	}
	delta := m.delta
	m.delta = nil
	return VectorParts(m.By.Model(), b, delta)
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
