// Package reranker reads a question and a section together and says how well the
// section answers it. The model is a small transformer whose weights and
// activations are integers; train/reranker makes it, and FORMAT.md there describes
// file and arithmetic. Scores are the same on every machine.
package reranker

import (
	"cmp"
	"context"
	_ "embed" // reranker.bin
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

//go:embed reranker.bin
var file string // a string, not a slice: its pages are read-only and shared

var (
	builtinOnce  sync.Once
	builtinModel *Model
	errBuiltin   error
)

// Builtin returns the model that ships. The first call opens it, which takes a few
// milliseconds; programs that never ask for it pay nothing.
func Builtin() (*Model, error) {
	builtinOnce.Do(func() { builtinModel, errBuiltin = Open(file) })
	return builtinModel, errBuiltin
}

// Fast reports whether there are kernels for this machine. Without them a
// candidate takes half a second, not ten milliseconds.
func Fast() bool { return fast }

// A Candidate is a section that may answer.
type Candidate struct {
	Path string // headings from the title down, joined by ". "
	Text string // Markdown; a first line that begins with # is left out
}

// ScoreUntil returns the scores of as many of the first candidates as it has time for.
// That ctx ends is an error, that the time does is none.
func (m *Model) ScoreUntil(ctx context.Context, until time.Time, question string, cs []Candidate) ([]float32, error) {
	limited, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	scores := make([]float32, len(cs))
	n, err := m.Score(limited, question, cs, scores)
	return scores[:n], cmp.Or(ctx.Err(), err)
}

// nothing is how far below the best a score counts as nothing.
const nothing = 8.0

// Relative brings the scores of a question to 0..1: 1 is the best of them.
func Relative(scores []float32) []float64 {
	best := slices.Max(scores)
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = max(0, 1-float64(float64(best-s)/nothing))
	}
	return out
}

// Score sets out[i] to the score of cs[i]: larger where the section answers
// better. Scores of different questions do not compare. Candidates are scored in
// their order, on all processors. When ctx ends Score returns soon, after a layer at
// most: scored says how many of the first candidates have their score, and err is
// nil, since those can be used.
func (m *Model) Score(ctx context.Context, question string, cs []Candidate, out []float32) (scored int, err error) {
	if len(out) < len(cs) {
		return 0, errors.New("reranker: fewer places for scores than candidates: pass as many")
	}
	q := m.encode(m.strip(question), m.question).ids
	done := make([]bool, len(cs))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(cs)) {
		wg.Go(func() {
			s := m.newScratch()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(cs) {
					return
				}
				ids, kinds := s.pair(q, cs[i])
				out[i], done[i] = s.forward(ctx, ids, kinds)
			}
		})
	}
	wg.Wait()
	for scored < len(cs) && done[scored] {
		scored++
	}
	return scored, nil
}
