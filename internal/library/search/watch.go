package search

import "context"

// A Judgement is what is known of a hit when it is graded, for whoever fits the weights.
type Judgement struct {
	Signals []float64 // in the order of SignalNames
	Spared  bool      // it is not weak, whatever its signals say
	Guessed bool      // it is, whatever they say
}

// SignalNames name the signals of a Judgement.
func SignalNames() []string {
	return []string{"covered", "adjacent", "likeness", "lacking", "home", "named", "prose"}
}

type watchKey struct{}

// Watch returns a context in which fn is told of every hit that Run grades, best first.
func Watch(ctx context.Context, fn func(Judgement)) context.Context {
	return context.WithValue(ctx, watchKey{}, fn)
}

// tell tells whoever watches of a hit.
func (j *judge) tell(ctx context.Context, s *[signals]float64, isSpared bool) {
	fn, ok := ctx.Value(watchKey{}).(func(Judgement))
	if !ok {
		return
	}
	fn(Judgement{Signals: append([]float64{}, s[:]...), Spared: isSpared, Guessed: j.guessed})
}
