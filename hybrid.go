package docent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/index"
)

// The ways to search.
const (
	Lexical  = "lexical"  // by words
	Hybrid   = "hybrid"   // by words and meaning
	Semantic = "semantic" // by meaning alone
)

// The ways to join words and meaning.
const (
	WeightedFusion   = "weighted" // scores, the words' weighing more
	ReciprocalFusion = "rrf"      // places in the two lists, equally
)

func (q *Query) checkMode() error {
	switch q.Mode {
	case "", Lexical, Hybrid, Semantic:
	default:
		return fmt.Errorf("no way to search is called %q: there are %s, %s, %s", q.Mode, Hybrid, Lexical, Semantic)
	}
	switch q.Fusion {
	case "", WeightedFusion, ReciprocalFusion:
		return nil
	}
	return fmt.Errorf("no fusion is called %q: there are %s, %s", q.Fusion, WeightedFusion, ReciprocalFusion)
}

// notClose is the likeness to a question below which even the nearest chunk is most
// likely about something else. Of 240 questions of the sets vue and rust none had an
// answer below it, and of two dozen about cakes and football two thirds had; in a
// small corpus, questions in words of their own may too. So what is nearest is shown,
// and said not to be close. It holds for tables of words; endpoints have scales of
// their own.
const notClose = 0.25

// answers ranks by words and meaning, as the query says. The note says why meaning
// had no part in it although it was to have one.
func (l *Library) answers(ctx context.Context, q Query, iq index.Query, k, n int) ([]found, index.Result, string, error) {
	if q.Mode == Lexical || q.Text == "" {
		hits, res, err := l.rank(q, iq, k, n)
		return hits, res, "", err
	}
	m, err := l.segs[0].meaning()
	if err != nil {
		return nil, index.Result{}, "", err
	}
	if m == nil {
		hits, res, err := l.rank(q, iq, k, n)
		note := ""
		if q.Mode != "" {
			note = "searched by words only: the index has no vectors (docent index --embed builtin)"
		}
		return hits, res, note, err
	}
	res, err := l.search.Top(iq, max(k, nearPool), l.options(q, iq))
	if err != nil {
		return nil, res, "", err
	}
	hits, err := l.joined(ctx, q, iq, &res, n)
	if err != nil && l.mayFail(ctx, err) {
		hits, aerr := l.arrange(q.Text, res, n)
		return hits, res, "searched by words only: " + err.Error(), aerr
	}
	if err != nil || q.Mode != Semantic || len(hits) == 0 || l.remote() {
		return hits, res, "", err
	}
	most := 0.
	for i := range hits {
		most = max(most, hits[i].fused.likeness)
	}
	if most < notClose {
		return hits, res, fmt.Sprintf("nothing is close in meaning (likeness %.2f of 1): these come nearest", most), nil
	}
	return hits, res, "", nil
}

// mayFail reports whether words alone will do: an endpoint that cannot be asked, or
// a pack made with another table, is no reason to say nothing.
func (l *Library) mayFail(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	return l.remote() && !Damaged(err) || l.held != nil && l.held.asked != nil && l.held.asked.err != nil || l.pack != nil && errors.Is(err, errOtherPolicy)
}

// plainQuestion is a question as its meaning is looked for: without operators, and
// with misspelt words put right.
func plainQuestion(text string, corrections []index.Correction) string {
	var words []string
	for w := range strings.FieldsSeq(text) {
		if strings.HasPrefix(w, "-") && len(w) > 1 && w[1] != '-' || strings.HasPrefix(w, "path:") {
			continue
		}
		words = append(words, strings.TrimPrefix(w, "title:"))
	}
	plain := strings.Join(words, " ")
	if len(words) == 0 {
		plain = text
	}
	for _, c := range corrections {
		lower := strings.ToLower(plain)
		if i := strings.Index(lower, c.From); i >= 0 && len(lower) == len(plain) {
			plain = plain[:i] + c.To + plain[i+len(c.From):]
		}
	}
	return plain
}

// isStrict reports whether a question says what an answer must or must not have:
// then meaning orders what the words found and adds nothing to it. So it does when
// the words found nothing, for then the answer is an honest miss.
func isStrict(iq index.Query) bool {
	return len(iq.Not) > 0 || len(iq.Phrases) > 0 || slices.ContainsFunc(iq.Words, func(w index.Word) bool { return w.Must || w.Title })
}

// adapted reports whether the table of words was adapted to the documents, or
// trained.
func (l *Library) adapted() bool {
	m, err := l.segs[0].meaning()
	return err == nil && m != nil && m.model.Adapted
}

// remote reports whether the vectors come from an endpoint.
func (l *Library) remote() bool {
	m, err := l.segs[0].meaning()
	return err == nil && m != nil && m.model.Kind == remoteModel
}
