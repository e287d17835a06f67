package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// job is one Embed under way.
type job struct {
	e        *Embedder
	texts    []string
	vectors  [][]float32
	progress func(Progress)

	mu    sync.Mutex
	dim   int // that vectors must have; 0 until one is known
	state Progress
	same  map[int][]int // texts equal to the one that is asked for
}

// plan fills in what is known and groups the rest into batches. Of vectors in the cache
// only those of the expected dimensions count; without an expectation, those of the
// dimensions that most have: an endpoint may have given others once.
func (j *job) plan() (batches [][]int) {
	if j.dim == 0 {
		j.dim = j.cachedDim()
	}
	first := map[string]int{}
	j.same = map[int][]int{}
	var batch []int
	bytes := 0
	for i, text := range j.texts {
		if strings.TrimSpace(text) == "" {
			j.state.Done++
			continue
		}
		if at, ok := first[text]; ok {
			j.same[at] = append(j.same[at], i)
			continue
		}
		first[text] = i
		if raw, ok := j.e.client.Cache.Get(j.key(i)); ok && len(raw) == j.dim {
			if v, ok := decodeCode(raw); ok {
				j.vectors[i] = v
				continue
			}
		}
		n := len(text) + len(j.e.config.TextPrefix)
		if len(batch) == MaxTexts || len(batch) > 0 && bytes+n > maxBatchBytes {
			batches = append(batches, batch)
			batch, bytes = nil, 0
		}
		batch, bytes = append(batch, i), bytes+n
	}
	if len(batch) > 0 {
		batches = append(batches, batch)
	}
	for _, i := range first {
		if j.vectors[i] != nil {
			j.setVector(i, j.vectors[i])
			j.state.Cached += 1 + len(j.same[i])
		}
	}
	return batches
}

// cachedDim returns the dimensions that most cached vectors have; 0 without any.
func (j *job) cachedDim() int {
	count, most := map[int]int{0: 0}, 0
	for i := range j.texts {
		if raw, ok := j.e.client.Cache.Get(j.key(i)); ok {
			if n := len(raw); n > 0 {
				if count[n]++; count[n] > count[most] {
					most = n
				}
			}
		}
	}
	return most
}

// announceFrom is how many texts are worth a line before they are paid for.
const announceFrom = 50

// price says what the batches will cost.
func (j *job) price(batches [][]int) Plan {
	p := Plan{Model: j.e.client.Model}
	bytes := 0
	for _, batch := range batches {
		p.Texts += len(batch)
		for _, i := range batch {
			bytes += len(j.e.config.TextPrefix) + len(j.texts[i])
		}
	}
	p.Tokens = bytes / 4
	p.USD, p.Priced = Cost(Use{Model: p.Model, Usage: Usage{Input: p.Tokens}})
	return p
}

func (j *job) key(i int) Key { return j.e.keyOf("text", j.e.config.TextPrefix+j.texts[i]) }

// setVector gives text i, and those equal to it, their vector.
func (j *job) setVector(i int, v []float32) {
	j.vectors[i] = v
	for _, k := range j.same[i] {
		j.vectors[k] = v
	}
	j.state.Done += 1 + len(j.same[i])
}

func (j *job) report() {
	if j.progress != nil {
		j.progress(j.state)
	}
}

// run asks for the batches, as many at once as the client allows. After an
// error no new one is begun; those under way are waited for, since they are
// paid for.
func (j *job) run(ctx context.Context, batches [][]int) error {
	next := make(chan []int, len(batches))
	for _, batch := range batches {
		next <- batch
	}
	close(next)
	var workers sync.WaitGroup
	var failed atomic.Pointer[error] // the first
	for range min(j.e.client.Concurrency, len(batches)) {
		workers.Go(func() {
			for batch := range next {
				if failed.Load() != nil {
					return
				}
				if err := j.fetch(ctx, batch, nil); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	workers.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// agreeOn makes sure that all batches have the same dimensions, before any is cached.
func (j *job) agreeOn(dim int) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.dim == 0 {
		j.dim = dim
	}
	if j.dim != dim {
		return j.e.otherDimensions("embed", dim, j.dim)
	}
	return nil
}

// fetch asks for one batch. When that is too large it asks for its halves, and
// when one text alone is too large, for its first half. short holds texts cut
// so far.
func (j *job) fetch(ctx context.Context, batch []int, short map[int]string) error {
	inputs := make([]string, len(batch))
	for n, i := range batch {
		inputs[n] = j.e.config.TextPrefix + j.texts[i]
		if s, ok := short[i]; ok {
			inputs[n] = s
		}
	}
	j.mu.Lock()
	dim := j.dim
	j.mu.Unlock()
	vectors, err := j.e.request(ctx, "embed", inputs, dim, 0)
	if KindOf(err) == TooLarge {
		if half := len(batch) / 2; half > 0 {
			if err := j.fetch(ctx, batch[:half], short); err != nil {
				return err
			}
			return j.fetch(ctx, batch[half:], short)
		}
		if n := len(inputs[0]) / 2; n >= minCut {
			return j.fetch(ctx, batch, map[int]string{batch[0]: clip(inputs[0], n)})
		}
	}
	if err != nil {
		return err
	}
	if err := j.agreeOn(len(vectors[0])); err != nil {
		return err
	}
	entries := make(map[Key][]byte, len(batch))
	for n, i := range batch {
		code := encodeCode(vectors[n])
		vectors[n], _ = decodeCode(code)
		entries[j.key(i)] = code
	}
	storeErr := j.e.client.Cache.Put(entries)

	j.mu.Lock()
	defer j.mu.Unlock()
	for n, i := range batch {
		j.setVector(i, vectors[n])
	}
	j.state.Shortened += len(short)
	j.report()
	// A cache that cannot be written would make an interruption expensive;
	// better to stop now than to find out then.
	if storeErr != nil {
		return &Error{Op: "embed", Kind: Unsupported, Err: storeErr, Message: storeErr.Error()}
	}
	return nil
}

// maxVectors is the largest answer: 300 vectors of 3072 numbers of 20 digits
// are 19 MB.
const maxVectors = 64 << 20

// request asks for the vectors of texts, none of them empty, and makes sure that each is
// there, finite and as long as the others: as dim says, unless that is 0. Within is how
// long somebody waits; 0 for a job.
func (e *Embedder) request(ctx context.Context, op string, texts []string, dim int, within time.Duration) ([][]float32, error) {
	ask := map[string]any{"model": e.client.Model, "input": texts, "encoding_format": "float"}
	if e.config.Reduce {
		ask["dimensions"] = e.config.Dimensions
	}
	body, err := json.Marshal(ask)
	if err != nil {
		return nil, &Error{Op: op, Kind: Unsupported, Err: err, Message: err.Error()}
	}
	raw, err := e.client.do(ctx, call{op: op, method: http.MethodPost, path: "/v1/embeddings", body: body, limit: maxVectors, within: within})
	if err != nil {
		return nil, err
	}
	var w struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
		Usage struct {
			Prompt int `json:"prompt_tokens"`
		} `json:"usage"`
	}
	malformed := func(format string, args ...any) error {
		return &Error{
			Op: op, Endpoint: e.client.base.Scheme + "://" + e.client.base.Host, Kind: Malformed,
			Message: scrub(fmt.Sprintf(format, args...), e.client.Key),
		}
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, malformed("%v", err)
	}
	e.client.Record(Use{Model: e.client.Model, Usage: Usage{Input: max(0, w.Usage.Prompt)}})
	if len(w.Data) != len(texts) {
		return nil, malformed("%d vectors for %d texts", len(w.Data), len(texts))
	}
	vectors := make([][]float32, len(texts))
	for n, d := range w.Data {
		at := n
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= len(vectors) || vectors[at] != nil {
			return nil, malformed("a vector for text %d of %d, or two", at, len(texts))
		}
		if len(d.Embedding) == 0 || !useful(d.Embedding) {
			return nil, malformed("a vector that is empty or zero")
		}
		if dim = cmp.Or(dim, len(d.Embedding)); dim != len(d.Embedding) {
			return nil, e.otherDimensions(op, len(d.Embedding), dim)
		}
		vectors[at] = d.Embedding
	}
	return vectors, nil
}

// useful reports whether v points anywhere.
func useful(v []float32) bool {
	zero := true
	for _, x := range v {
		if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
			return false
		}
		zero = zero && x == 0
	}
	return !zero
}
