package embedding

import (
	"encoding/json"
	"errors"
	"fmt"

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
		return nil, fmt.Errorf("the index was made with vectors of %s, and no endpoint is set", v.Model.Name)
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
	return &RemoteEmbedder{r}, nil
}
