package llm

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
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

	Announce func(Plan) error // told before many texts are paid for; an error stops it. May be nil
}

// A Plan is what an Embed is about to ask for.
type Plan struct {
	Model  string
	Texts  int
	Tokens int // an estimate
	USD    float64
	Priced bool // the price of the model is known
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
	dim int // of the last answer
}

// NewEmbedder returns an Embedder. It opens no connection.
func NewEmbedder(c EmbedConfig) (*Embedder, error) {
	if c.Dimensions < 0 || c.Reduce && c.Dimensions == 0 {
		return nil, fmt.Errorf("embedder: %d dimensions", c.Dimensions)
	}
	cl, err := newClient(c.withDefaults(OpenAIURL, OpenAIModel), bearer)
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
	key := KeyOf("embedder", address(e.client.base), e.client.Model, strconv.Itoa(dim), e.config.TextPrefix, e.config.QueryPrefix)
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
// Vectors of other dimensions than dim are an error, unless that is 0, and so is having
// to ask for more texts than most, unless that is 0: nothing is asked then.
//
// What was paid for is in the cache before progress is called: after an error,
// or a kill, the next Embed goes on from there. progress may be nil; it is not
// called from two goroutines at once.
func (e *Embedder) Embed(ctx context.Context, texts []string, dim, most int, progress func(Progress)) ([][]float32, error) {
	j := job{e: e, texts: texts, dim: e.expected(dim), vectors: make([][]float32, len(texts)), progress: progress}
	j.state.Total = len(texts)
	batches := j.plan()
	plan := j.price(batches)
	if most > 0 && plan.Texts > most {
		return nil, &Error{Op: "embed", Kind: Unpaid, Message: fmt.Sprintf("%d texts, and a search pays for %d at most: docent index embeds them", plan.Texts, most)}
	}
	if plan.Texts >= announceFrom && e.config.Announce != nil {
		if err := e.config.Announce(plan); err != nil {
			return nil, err
		}
	}
	j.report()
	if len(batches) > 0 {
		if err := e.probe(ctx, "embed"); err != nil {
			return nil, err
		}
	}
	if err := j.run(ctx, batches); err != nil {
		return nil, err
	}
	e.learn(j.dim)
	return j.vectors, nil
}

// Query returns the vector of a query, which is cached too. One of other dimensions
// than dim is an error and not cached, unless dim is 0. It takes no longer than
// Config.Within, all attempts together.
func (e *Embedder) Query(ctx context.Context, query string, dim int) ([]float32, error) {
	const op = "embed query"
	dim = e.expected(dim)
	text := e.config.QueryPrefix + query
	key := e.keyOf("query", text)
	if raw, ok := e.client.Cache.Get(key); ok {
		if v, ok := decodeFloats(raw); ok && (dim == 0 || dim == len(v)) {
			return v, nil
		}
	}
	if strings.TrimSpace(query) == "" {
		return nil, &Error{Op: op, Kind: Unsupported, Message: "an empty query"}
	}
	vectors, err := e.request(ctx, op, []string{clip(text, maxQuery*4)}, dim, e.client.Within)
	if err != nil {
		return nil, err
	}
	e.learn(len(vectors[0]))
	_ = e.client.Cache.Put(map[Key][]byte{key: encodeFloats(vectors[0])})
	return vectors[0], nil
}

func (e *Embedder) keyOf(kind, text string) Key {
	return KeyOf(kind, address(e.client.base), e.client.Model, strconv.Itoa(e.config.Dimensions), strconv.FormatBool(e.config.Reduce), text)
}

// expected returns the dimensions that vectors must have: those that the user set, else
// those of the caller's index; 0 when any will do.
func (e *Embedder) expected(dim int) int { return cmp.Or(e.config.Dimensions, dim) }

// learn remembers the dimensions of vectors, for Dim.
func (e *Embedder) learn(dim int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dim = cmp.Or(dim, e.dim)
}

// otherDimensions is the error for vectors that cannot be compared with those there are.
func (e *Embedder) otherDimensions(op string, got, want int) error {
	return &Error{
		Op: op, Endpoint: e.client.base.Scheme + "://" + e.client.base.Host, Kind: Dimension,
		Message: fmt.Sprintf("model %s gave %d where %d were expected", e.client.Model, got, want),
	}
}

// encodeCode rounds v to a byte a dimension, the largest becoming 127. That is
// the rounding of package vector, so that it loses nothing an index would keep.
func encodeCode(v []float32) []byte {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(float64(x)))
	}
	code := make([]byte, len(v))
	for d, x := range v {
		code[d] = byte(int8(math.RoundToEven(float64(x) / top * 127)))
	}
	return code
}

// decodeCode returns the vector of length 1 that a code stands for.
func decodeCode(code []byte) ([]float32, bool) {
	var sum int64
	for _, c := range code {
		sum += int64(int8(c)) * int64(int8(c))
	}
	if sum == 0 {
		return nil, false
	}
	scale := float32(1 / math.Sqrt(float64(sum)))
	v := make([]float32, len(code))
	for d, c := range code {
		v[d] = float32(int8(c)) * scale
	}
	return v, true
}

func encodeFloats(v []float32) []byte {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func decodeFloats(raw []byte) ([]float32, bool) {
	if len(raw) == 0 || len(raw)%4 != 0 {
		return nil, false
	}
	v := make([]float32, len(raw)/4)
	for d := range v {
		v[d] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*d:]))
	}
	return v, useful(v)
}
