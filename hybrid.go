package docent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/index"
	"github.com/docent-md/docent/internal/rank"
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

// nearPool is how many of the chunks nearest in meaning are candidates. It does
// not depend on how many hits are asked for, so that their order does not either.
const nearPool = 100

// nearEnough is the share of the nearest chunk's likeness that one must have which
// has none of the question's words: in a small corpus something is always nearest.
const nearEnough = 0.6

// notClose is the likeness to a question below which even the nearest chunk is most
// likely about something else. Of 240 questions of the sets vue and rust none had an
// answer below it, and of two dozen about cakes and football two thirds had; in a
// small corpus, questions in words of their own may too. So what is nearest is shown,
// and said not to be close. It holds for tables of words; endpoints have scales of
// their own.
const notClose = 0.25

// fused is what is known of a match that meaning had a part in.
type fused struct {
	words, likeness         float64
	wordsRank, likenessRank int
	question                string // as its meaning was looked for
}

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
	marks, err := l.fuse(ctx, q, iq, &res)
	if err != nil {
		if l.mayFail(ctx, err) {
			hits, aerr := l.arrange(q.Text, res, n)
			return hits, res, "searched by words only: " + err.Error(), aerr
		}
		return nil, res, "", err
	}
	hits, err := l.arrange(q.Text, res, n)
	most := 0.
	for i := range hits {
		if f := marks[hits[i].num]; f != nil {
			hits[i].fused, most = f, max(most, f.likeness)
		}
	}
	if q.Mode == Semantic && len(hits) > 0 && most < notClose && !l.remote() {
		return hits, res, fmt.Sprintf("nothing is close in meaning (likeness %.2f of 1): these come nearest", most), err
	}
	return hits, res, "", err
}

// mayFail reports whether words alone will do: an endpoint that cannot be asked, or
// a pack made with another table, is no reason to say nothing.
func (l *Library) mayFail(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	return l.remote() && !Damaged(err) || l.held != nil && l.held.asked != nil && l.held.asked.err != nil || l.pack != nil && errors.Is(err, errOtherPolicy)
}

// fuse puts the chunks nearest in meaning among the matches, and gives all of them
// their joint scores.
func (l *Library) fuse(ctx context.Context, q Query, iq index.Query, res *index.Result) (map[uint32]*fused, error) {
	question := plainQuestion(q.Text, res.Corrections)
	near, like, err := l.likeness(ctx, question, res.Matches, nearPool, l.options(q, iq).Accept)
	if err != nil {
		return nil, err
	}
	strict := isStrict(iq) || len(res.Matches) == 0
	at := make(map[uint32]int, len(res.Matches)+len(near))
	var cs []rank.Fusable
	if q.Mode != Semantic {
		for i, m := range res.Matches {
			at[m.Num] = i
			cs = append(cs, rank.Fusable{ID: m.Num, Words: m.Score.Float(), Likeness: float64(like[i]), WordsRank: i + 1})
		}
	}
	for i, m := range near {
		if have, ok := at[m.ID]; ok {
			cs[have].LikenessRank = i + 1
			continue
		}
		if q.Mode != Semantic && (strict || m.Score < nearEnough*near[0].Score) {
			continue
		}
		cs = append(cs, rank.Fusable{ID: m.ID, Likeness: float64(m.Score), LikenessRank: i + 1})
	}
	switch {
	case q.Mode == Semantic:
		rank.Weighted(cs, 1)
	case q.Fusion == ReciprocalFusion || q.Fusion == "" && l.remote():
		rank.Reciprocal(cs)
	case l.adapted():
		rank.Weighted(cs, rank.Share)
	default:
		rank.Weighted(cs, rank.PlainShare)
	}
	matches := make([]index.Match, len(cs))
	marks := make(map[uint32]*fused, len(cs))
	for i, c := range cs {
		if have, ok := at[c.ID]; ok {
			matches[i] = res.Matches[have]
		}
		matches[i].Num, matches[i].Score = c.ID, index.ScoreOf(c.Score)
		marks[c.ID] = &fused{c.Words, c.Likeness, c.WordsRank, c.LikenessRank, question}
	}
	res.Matches = matches
	return marks, nil
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
