package llm

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// An EmbedConfig says which endpoint turns text into vectors, and how.
type EmbedConfig struct {
	Config

	// Dimensions is what vectors must have; 0 takes what the endpoint gives.
	// Reduce asks the endpoint for that many, which only some models can.
	Dimensions int
	Reduce     bool

	// Some models want to be told what they are given, as embeddinggemma
	// does with "title: none | text: " and "task: search result | query: ".
	TextPrefix, QueryPrefix string
}

// Limits of one request. OpenAI takes 2,048 texts and 300,000 tokens; a token of
// documentation is 2 to 4 bytes.
const (
	MaxTexts      = 300
	maxBatchBytes = 600 << 10
	minCut        = 200 // bytes; a text this short is not cut further
)

// An Embedder turns texts into vectors by an endpoint that serves
// /v1/embeddings as OpenAI does: OpenAI itself, Ollama, llama.cpp, TEI, vLLM,
// LM Studio. It may be used by many goroutines at once.
type Embedder struct {
	client *client
	config EmbedConfig

	mu  sync.Mutex
	dim int // known from the first answer on
}

// NewEmbedder returns an Embedder. It opens no connection.
func NewEmbedder(c EmbedConfig) (*Embedder, error) {
	if c.Dimensions < 0 || c.Reduce && c.Dimensions == 0 {
		return nil, fmt.Errorf("embedder: %d dimensions", c.Dimensions)
	}
	cl, err := newClient(c.withDefaults(OpenAIURL, OpenAIModel), func(h http.Header, key string) {
		if key != "" {
			h.Set("Authorization", "Bearer "+key)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("embedder: %w", err)
	}
	return &Embedder{client: cl, config: c, dim: c.Dimensions}, nil
}

// Fingerprint names the model for an index: vectors of different fingerprints
// cannot be compared. It tells neither the key nor the address.
func (e *Embedder) Fingerprint() string {
	dim := 0
	if e.config.Reduce {
		dim = e.config.Dimensions
	}
	key := KeyOf("embedder", e.client.base.String(), e.client.Model, strconv.Itoa(dim), e.config.TextPrefix, e.config.QueryPrefix)
	return fmt.Sprintf("%s-%x", e.client.Model, key[:6])
}

// Model is the name of the model.
func (e *Embedder) Model() string { return e.client.Model }

// Dim returns the dimensions of vectors, or 0 while they are not known.
func (e *Embedder) Dim() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dim
}

// Progress says how far Embed is.
type Progress struct {
	Done, Total int
	Cached      int // of Done, those that cost nothing
	Shortened   int // of Done, those that were longer than the model takes
}

// Embed returns a vector of length 1 for each text, or nil for a text without
// a word. Each is rounded to 8 bits a dimension, as an index stores it, so
// that it is the same whether it comes from the endpoint or from the cache.
//
// What was paid for is in the cache before progress is called: after an error,
// or a kill, the next Embed goes on from there. progress may be nil; it is not
// called from two goroutines at once.
func (e *Embedder) Embed(ctx context.Context, texts []string, progress func(Progress)) ([][]float32, error) {
	j := job{e: e, texts: texts, vectors: make([][]float32, len(texts)), progress: progress}
	j.state.Total = len(texts)
	batches, err := j.plan()
	if err != nil {
		return nil, err
	}
	j.report()
	if err := j.run(ctx, batches); err != nil {
		return nil, err
	}
	return j.vectors, nil
}

// Query returns the vector of a query, which is cached too. It takes
// no longer than Config.Within, all attempts together.
func (e *Embedder) Query(ctx context.Context, query string) ([]float32, error) {
	const op = "embed query"
	text := e.config.QueryPrefix + query
	key := e.keyOf("query", text)
	if raw, ok := e.client.Cache.Get(key); ok {
		if v, ok := decodeFloats(raw); ok && e.expect(op, len(v)) == nil {
			return v, nil
		}
	}
	if strings.TrimSpace(query) == "" {
		return nil, &Error{Op: op, Kind: Unsupported, Message: "an empty query"}
	}
	ctx, cancel := context.WithTimeout(ctx, e.client.Within)
	defer cancel()
	vectors, err := e.request(ctx, op, []string{clip(text, maxQuery*4)})
	if err != nil {
		return nil, err
	}
	_ = e.client.Cache.Put(map[Key][]byte{key: encodeFloats(vectors[0])})
	return vectors[0], nil
}

func (e *Embedder) keyOf(kind, text string) Key {
	return KeyOf(kind, e.client.base.String(), e.client.Model, strconv.Itoa(e.config.Dimensions), strconv.FormatBool(e.config.Reduce), text)
}

// expect makes sure that all vectors have the same dimensions.
func (e *Embedder) expect(op string, dim int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dim == 0 {
		e.dim = dim
	}
	if e.dim != dim {
		return &Error{
			Op: op, Endpoint: e.client.base.Scheme + "://" + e.client.base.Host, Kind: Dimension,
			Message: fmt.Sprintf("model %s gave %d where %d were expected", e.client.Model, dim, e.dim),
		}
	}
	return nil
}
