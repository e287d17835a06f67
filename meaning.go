package docent

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
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
)

// How chunks get their vectors.
//
// A segment that has them has four parts more: "vectors" and "vectors.low", half of
// a row's bits a chunk each; "model", which says where they come from; and, where
// the table of words was adapted or trained, "model.delta" with its changed rows, so
// that an index needs nothing but the program to be asked. All segments of an index have the same model: small
// ones are embedded with that of the base, and when more than a tenth of the
// documents have changed the whole index is made anew, and the table adapted anew
// with it.
const (
	vectorsPart = "vectors"
	lowPart     = "vectors.low"
	modelPart   = "model"
	deltaPart   = "model.delta"
)

// isMeaning reports whether a part is one of the four.
func isMeaning(part string) bool {
	return part == vectorsPart || part == lowPart || part == modelPart || part == deltaPart
}

// meaning is what a segment knows of its chunks beside their words.
type meaning struct {
	model   modelInfo
	vectors *vector.Reader
	delta   blob.Blob // nil when the table is as it ships
}

// openMeaning reads the parts; nil when the segment has no vectors.
func openMeaning(part func(name string) (blob.Blob, bool)) (*meaning, error) {
	raw, ok := part(modelPart)
	if !ok {
		return nil, nil
	}
	m := &meaning{}
	text, err := raw.Bytes(0, raw.Len())
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &m.model); err != nil {
		return nil, fmt.Errorf("%w: the model of its vectors: %v", segment.ErrDamaged, err)
	}
	if b, ok := part(deltaPart); ok {
		m.delta = b
	}
	high, ok := part(vectorsPart)
	low, both := part(lowPart)
	if !ok || !both {
		return nil, fmt.Errorf("%w: its vectors are missing", segment.ErrDamaged)
	}
	if m.vectors, err = vector.OpenAt(high, low); errors.Is(err, vector.ErrFormat) {
		return nil, fmt.Errorf("%w: %w", segment.ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// meaningParts are the parts of a segment whose chunks have these vectors.
func meaningParts(m modelInfo, b *vector.Builder, delta []byte) ([]segment.Part, error) {
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

// An embedding gives the chunks of a build their vectors. The zero value gives
// them none.
type embedding struct {
	by       embedder // nil: the built-in table, adapted first when that pays
	delta    []byte   // rows to keep with the vectors, of a trained model
	progress func(done, total int)

	sample sample
}

// encoder returns what turns texts into words for the table; nil where there is no
// table to embed with, or nothing to embed.
func (e *embedding) encoder() *embed.Encoder {
	if e == nil {
		return nil
	}
	if e.by == nil {
		m, err := embed.NewModel(embed.Base(), nil)
		if err != nil {
			return nil
		}
		return m.NewEncoder()
	}
	if t, ok := e.by.(*tableEmbedder); ok {
		return t.m.NewEncoder()
	}
	return nil
}

// parts embeds all chunks.
func (e *embedding) parts(ctx context.Context, texts []embedText, sections int) ([]segment.Part, error) {
	by, delta := e.by, e.delta
	if by == nil {
		table, err := e.adapt(ctx, sections)
		if err != nil {
			return nil, err
		}
		if d := table.m.Delta(); d != nil {
			delta = d.Bytes()
		}
		by = table
	}
	b, err := by.chunks(ctx, texts, e.progress)
	if err != nil {
		return nil, err
	}
	return meaningParts(by.model(), b, delta)
}

// adapt makes the embedder that suits the documents.
func (e *embedding) adapt(ctx context.Context, sections int) (*tableEmbedder, error) {
	if !embed.WorthAdapting(sections) {
		return newTableEmbedder(nil, builtinModel, "")
	}
	pages := e.sample.pages()
	e.sample.kept = nil
	delta, err := embed.Adapt(ctx, embed.Base(), pages, embed.AdaptOptions{})
	if errors.Is(err, embed.ErrNoPairs) { // headings without text, or no word that the table knows
		return newTableEmbedder(nil, builtinModel, "")
	}
	if err != nil {
		return nil, err
	}
	return newTableEmbedder(delta, builtinModel, "")
}

// A sample keeps pages to learn from, up to a size. Of more it keeps those whose
// paths hash low: which ones depends on the documents alone, not on the order in
// which workers come by.
type sample struct {
	mu    sync.Mutex
	kept  map[int]sampled // by the number of the file
	bytes int
	halve uint // how often the share that is kept was halved
}

type sampled struct {
	page embed.Page
	hash uint64
	size int
}

// maxSample is the most text that is learnt from. A table learns what it can from
// less.
const maxSample = 12 << 20

func (s *sample) add(number int, path string, p embed.Page) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(path))
	x := sampled{page: p, hash: h.Sum64()}
	for _, section := range p.Sections {
		x.size += len(section.Title) + len(section.Body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[int]sampled{}
	}
	if x.hash<<s.halve>>s.halve != x.hash {
		return
	}
	s.kept[number] = x
	for s.bytes += x.size; s.bytes > maxSample && s.halve < 63; {
		s.halve++
		for n, x := range s.kept {
			if x.hash<<s.halve>>s.halve != x.hash {
				delete(s.kept, n)
				s.bytes -= x.size
			}
		}
	}
}

// pages returns what was kept, in the order of the files.
func (s *sample) pages() []embed.Page {
	out := make([]embed.Page, 0, len(s.kept))
	for _, n := range slices.Sorted(maps.Keys(s.kept)) {
		out = append(out, s.kept[n].page)
	}
	return out
}

// mergeMeaning brings the vectors of segments into one, in the order of the texts.
// There are none unless all have some of the same model.
func mergeMeaning(segs []*seg, order []index.Place) ([]segment.Part, error) {
	var model modelInfo
	var delta []byte
	all := make([]*meaning, len(segs))
	for i, s := range segs {
		m, err := s.meaning()
		if err != nil {
			return nil, err
		}
		if m == nil || i > 0 && m.model != model {
			return nil, nil
		}
		all[i], model = m, m.model
		if m.delta != nil {
			if delta, err = m.delta.Bytes(0, m.delta.Len()); err != nil {
				return nil, err
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	b, err := vector.NewBuilder(all[0].vectors.Dim())
	for _, p := range order {
		if err == nil {
			err = b.Copy(all[p.Input].vectors, int(p.Num))
		}
	}
	if err != nil {
		return nil, err
	}
	return meaningParts(model, b, delta)
}
