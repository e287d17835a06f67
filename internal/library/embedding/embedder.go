package embedding

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/fault"
)

// An Embedder turns chunks and questions into vectors.
type Embedder interface {
	Model() ModelInfo
	// Chunks returns one vector a text.
	Chunks(ctx context.Context, texts []Text, progress func(done, total int)) (*vector.Builder, error)
	Question(ctx context.Context, text string) ([]float32, error)
}

// ModelInfo says which model the vectors of a segment come from. Vectors of
// different models cannot be compared.
type ModelInfo struct {
	Kind        string `json:"kind"` // one of the kinds below
	Fingerprint string `json:"fingerprint"`
	Dim         int    `json:"dim"`
	Name        string `json:"name,omitempty"` // of a remote model; the folder of one that was trained
	Adapted     bool   `json:"adapted,omitempty"`
}

// A Text is a chunk as it is embedded.
type Text struct {
	Titles []string // from the document down
	Body   string
	Bag    embed.Bag // for a table, instead of the others
}

// A Table embeds with a table of word vectors.
type Table struct {
	info  ModelInfo
	model *embed.Model
}

// NewTable returns the embedder of the table in the program, with rows
// that were adapted or trained over it, which may be nil.
func NewTable(delta *embed.Delta, kind, name string) (*Table, error) {
	m, err := embed.NewModel(embed.Base(), delta)
	if err != nil {
		return nil, err
	}
	info := ModelInfo{Kind: kind, Fingerprint: m.Fingerprint(), Dim: embed.Dim, Name: name, Adapted: delta != nil}
	return &Table{info, m}, nil
}

// Model says which table it is.
func (t *Table) Model() ModelInfo { return t.info }

// Question embeds a question.
func (t *Table) Question(_ context.Context, text string) ([]float32, error) {
	v := t.model.Embed(text)
	if d := t.model.Delta(); d != nil && d.Err() != nil {
		return nil, d.Err()
	}
	return Floats(&v), nil
}

// Floats gives a vector as the scan takes it.
func Floats(v *embed.Vector) []float32 {
	out := make([]float32, embed.Dim)
	for i, x := range v.Values {
		out[i] = float32(x) * v.Scale
	}
	return out
}

// embedStep is how many texts a worker takes at a time.
const embedStep = 64

// Chunks embeds texts, several at a time.
func (t *Table) Chunks(ctx context.Context, texts []Text, _ func(done, total int)) (*vector.Builder, error) {
	out := make([]embed.Vector, len(texts))
	var next atomic.Int64
	var wait fault.Group
	for range min(runtime.GOMAXPROCS(0), (len(texts)+embedStep-1)/embedStep) {
		wait.Go(func() {
			e := t.model.NewEncoder()
			for ctx.Err() == nil {
				from := int(next.Add(embedStep)) - embedStep
				if from >= len(texts) {
					return
				}
				for i := from; i < min(from+embedStep, len(texts)); i++ {
					if t := &texts[i]; t.Bag != nil {
						out[i] = e.Of(t.Bag)
					} else {
						out[i] = e.Document(t.Titles, t.Body)
					}
				}
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d := t.model.Delta(); d != nil && d.Err() != nil {
		return nil, d.Err()
	}
	b, err := vector.NewBuilder(embed.Dim)
	for i := range out {
		if err == nil {
			err = b.AddCode(out[i].Values[:])
		}
	}
	return b, err
}

// An Endpoint turns texts into vectors on another machine.
type Endpoint interface {
	Fingerprint() string // of the model, as this endpoint serves it
	Model() string
	Dim() int

	// Query and Embed refuse vectors of other dimensions than dim, and Embed to ask for
	// more than most texts, unless these are 0.
	Query(ctx context.Context, text string, dim int) ([]float32, error)
	Embed(ctx context.Context, texts []string, dim, most int, progress func(done, total int)) ([][]float32, error)
}

// A RemoteEmbedder embeds by asking an endpoint.
type RemoteEmbedder struct {
	Endpoint
	dim  int // of the vectors of the index; 0 when it has none yet
	most int // texts that are paid for at once; 0 for all
}

// mostBySearch is how many texts a search pays for, when it finds files changed: those of
// one request. More are left to "docent index", which says what they cost.
const mostBySearch = 300

// newRemote returns the embedder of an endpoint, for an index with vectors of some
// dimensions, or 0.
func (c *Choice) newRemote(e Endpoint, dim int) *RemoteEmbedder {
	r := &RemoteEmbedder{e, dim, mostBySearch}
	if c.EmbedAll || c.Kind == Remote {
		r.most = 0
	}
	return r
}

// Model says which model the endpoint serves.
func (r *RemoteEmbedder) Model() ModelInfo {
	return ModelInfo{Kind: Remote, Fingerprint: r.Fingerprint(), Dim: r.Dim(), Name: r.Endpoint.Model()}
}

// Question embeds a question.
func (r *RemoteEmbedder) Question(ctx context.Context, text string) ([]float32, error) {
	v, err := r.Query(ctx, text, r.dim)
	return v, unavailable(err)
}

// Chunks embeds texts, each with its breadcrumb.
func (r *RemoteEmbedder) Chunks(ctx context.Context, texts []Text, progress func(done, total int)) (*vector.Builder, error) {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = strings.Join(t.Titles, " > ") + "\n\n" + t.Body
	}
	vectors, err := r.Embed(ctx, plain, r.dim, r.most, progress)
	if err != nil {
		return nil, unavailable(err)
	}
	b, err := vector.NewBuilder(max(r.Dim(), 1))
	for _, v := range vectors {
		if err == nil {
			err = b.Add(v)
		}
	}
	return b, err
}

// IsAdapted reports whether vectors come from the builtin table, adapted to the documents.
func (m *ModelInfo) IsAdapted() bool { return m.Adapted && m.Kind == Builtin }

// Text says what vectors come from, for people.
func (m *ModelInfo) Text() string {
	name := m.Kind
	if m.Name != "" {
		name += " " + m.Name
	}
	if m.IsAdapted() {
		name += ", adapted"
	}
	return name
}

// Explain says which words of a question and of a text do most to make them similar.
func (t *Table) Explain(question, text string, n int) []embed.Tie {
	return t.model.Explain(question, text, n)
}

// Delta returns the rows that differ from the base table; nil when none do.
func (t *Table) Delta() []byte {
	if d := t.model.Delta(); d != nil {
		return d.Bytes()
	}
	return nil
}

// An UnavailableError says why a question or text cannot be embedded now: the endpoint
// fails or is not set, or the table is another. Lexical search needs none of it.
type UnavailableError struct{ Err error }

func (e *UnavailableError) Error() string { return e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

// IsUnavailable reports whether an error means that vectors cannot be made now.
func IsUnavailable(err error) bool {
	_, ok := errors.AsType[*UnavailableError](err)
	return ok
}

func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return &UnavailableError{err}
}
