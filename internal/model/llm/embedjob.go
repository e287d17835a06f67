package llm

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
)

// job is one Embed under way.
type job struct {
	e        *Embedder
	texts    []string
	vectors  [][]float32
	progress func(Progress)

	mu    sync.Mutex
	state Progress
	same  map[int][]int // texts equal to the one that is asked for
}

// plan fills in what is known and groups the rest into batches.
func (j *job) plan() (batches [][]int, err error) {
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
		if raw, ok := j.e.client.Cache.Get(j.key(i)); ok {
			if v, ok := decodeCode(raw); ok {
				if err := j.e.expect("embed", len(v)); err != nil {
					return nil, err
				}
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
	return batches, nil
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
	vectors, err := j.e.request(ctx, "embed", inputs)
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
