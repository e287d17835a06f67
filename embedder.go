package docent

import (
	"context"
	"runtime"
	"strings"
	"sync"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/model/llm"
)

// An embedder turns chunks and questions into vectors.
type embedder interface {
	model() modelInfo
	// chunks appends a row a text to a block.
	chunks(ctx context.Context, texts []embedText, progress func(done, total int)) (*vector.Builder, error)
	question(ctx context.Context, text string) ([]float32, error)
}

// modelInfo says which model the vectors of a segment come from. Vectors of
// different models cannot be compared.
type modelInfo struct {
	Kind        string `json:"kind"` // one of the kinds below
	Fingerprint string `json:"fingerprint"`
	Dim         int    `json:"dim"`
	Name        string `json:"name,omitempty"` // of a remote model; the folder of one that was trained
	Adapted     bool   `json:"adapted,omitempty"`
}

// The kinds of model.
const (
	noModel      = "none"
	builtinModel = "builtin" // the table in the program, adapted to the corpus when that pays
	baseModel    = "base"    // the table as it ships
	trainedModel = "trained" // the table with rows from "docent train"
	remoteModel  = "openai"  // an endpoint that serves /v1/embeddings
)

// An embedText is a chunk as it is embedded.
type embedText struct {
	titles []string // from the document down
	body   string
	bag    embed.Bag // for a table of words, instead of the others
}

// tableEmbedder embeds with a table of words.
type tableEmbedder struct {
	info modelInfo
	m    *embed.Model
}

// newTableEmbedder returns the embedder of the table in the program, with rows
// that were adapted or trained over it, which may be nil.
func newTableEmbedder(delta *embed.Delta, kind, name string) (*tableEmbedder, error) {
	m, err := embed.NewModel(embed.Base(), delta)
	if err != nil {
		return nil, err
	}
	info := modelInfo{Kind: kind, Fingerprint: m.Fingerprint(), Dim: embed.Dim, Name: name, Adapted: delta != nil}
	return &tableEmbedder{info, m}, nil
}

func (t *tableEmbedder) model() modelInfo { return t.info }

func (t *tableEmbedder) question(_ context.Context, text string) ([]float32, error) {
	v := t.m.Embed(text)
	if d := t.m.Delta(); d != nil && d.Err() != nil {
		return nil, d.Err()
	}
	return floats(&v), nil
}

// floats gives a vector as the scan takes it.
func floats(v *embed.Vector) []float32 {
	out := make([]float32, embed.Dim)
	for i, x := range v.Values {
		out[i] = float32(x) * v.Scale
	}
	return out
}

// embedStep is how many texts a worker takes at a time.
const embedStep = 64

func (t *tableEmbedder) chunks(ctx context.Context, texts []embedText, _ func(done, total int)) (*vector.Builder, error) {
	out := make([]embed.Vector, len(texts))
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (len(texts)+embedStep-1)/embedStep) {
		wait.Go(func() {
			e := t.m.NewEncoder()
			for from := range next {
				for i := from; i < min(from+embedStep, len(texts)); i++ {
					if t := &texts[i]; t.bag != nil {
						out[i] = e.Of(t.bag)
					} else {
						out[i] = e.Document(t.titles, t.body)
					}
				}
			}
		})
	}
	var err error
	for from := 0; from < len(texts) && err == nil; from += embedStep {
		select {
		case next <- from:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	close(next)
	wait.Wait()
	if err != nil {
		return nil, err
	}
	if d := t.m.Delta(); d != nil && d.Err() != nil {
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

// remoteEmbedder embeds by asking an endpoint.
type remoteEmbedder struct{ e *llm.Embedder }

func (r *remoteEmbedder) model() modelInfo {
	return modelInfo{Kind: remoteModel, Fingerprint: r.e.Fingerprint(), Dim: r.e.Dim(), Name: r.e.Model()}
}

func (r *remoteEmbedder) question(ctx context.Context, text string) ([]float32, error) {
	return r.e.Query(ctx, text)
}

func (r *remoteEmbedder) chunks(ctx context.Context, texts []embedText, progress func(done, total int)) (*vector.Builder, error) {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = strings.Join(t.titles, " > ") + "\n\n" + t.body
	}
	vectors, err := r.e.Embed(ctx, plain, func(p llm.Progress) {
		if progress != nil {
			progress(p.Done, p.Total)
		}
	})
	if err != nil {
		return nil, err
	}
	b, err := vector.NewBuilder(max(r.e.Dim(), 1))
	for _, v := range vectors {
		if err == nil {
			err = b.Add(v)
		}
	}
	return b, err
}
