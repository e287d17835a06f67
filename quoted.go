package docent

import (
	"context"
	"strings"

	"github.com/docent-md/docent/internal/engine/index"
)

// How "quoted phrases" are found.
//
// The index knows which texts have the words of a phrase, not whether they stand
// side by side: for that the texts are read, the best first. Two common words may
// be apart in hundreds of texts and together in the next, so more and more are
// read, until enough hold the phrase or none is left: nothing that the words find
// is missed, and a phrase that stands nowhere costs as much as a grep for it.

// phrased returns the best limit candidates that hold what is asked for. Ask gives
// the k best there are, or fewer when there are no more.
func phrased[T any](ctx context.Context, limit int, ask func(k int) ([]T, error), holds func(T) (bool, error)) ([]T, error) {
	for k := 2 * pool; ; k *= 8 {
		hits, err := ask(k)
		if err != nil {
			return nil, err
		}
		var out []T
		for _, h := range hits {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			ok, err := holds(h)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, h)
			}
			if len(out) == limit {
				return out, nil
			}
		}
		if len(hits) < k {
			return out, nil
		}
	}
}

// quoted is answers for a question with phrases: all n candidates hold them.
func (l *Library) quoted(ctx context.Context, q Query, iq index.Query, n int) (hits []found, res index.Result, note string, err error) {
	iq = iq.Exact()
	reader := newPageReader(l)
	hits, err = phrased(ctx, n,
		func(k int) (hits []found, err error) {
			hits, res, note, err = l.answers(ctx, q, iq, k, k)
			return hits, err
		},
		func(h found) (bool, error) {
			hit, ok, err := reader.hit(h)
			return ok && hasPhrases(hit.Body, iq.Phrases), err
		})
	if err == nil && len(reader.stale) > 0 {
		err = &StaleError{reader.stale}
	}
	return hits, res, note, err
}

// hasPhrases reports whether text holds every phrase, whatever its case and
// spacing.
func hasPhrases(text string, phrases []string) bool {
	flat := " " + slugWords(text) + " "
	for _, p := range phrases {
		if !strings.Contains(flat, " "+slugWords(p)+" ") {
			return false
		}
	}
	return true
}
