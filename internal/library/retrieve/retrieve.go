// Package retrieve finds the chunks of a view that may answer a question, best first.
//
// Lexical search ranks by words (BM25F), semantic search by the similarity of
// embeddings, hybrid search by both; titles, paths and pages are weighed after that.
// Nothing is read but the index, except where a phrase must be found in the text.
package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A Result is the best candidates for a question.
type Result struct {
	Query  index.Query  // the question, parsed
	Index  index.Result // what the index found, and which words it knows
	Ranked []Ranked     // best first
	Note   string       // why semantic search had no part in it although it was asked for

	Vectors bool // similarities are known
}

// Candidates returns the n best of k candidates. Where the question is made of "quoted
// phrases", all of them hold these, and more candidates are looked at until there are
// enough. Texts are read by the reader, which is of v.
func Candidates(ctx context.Context, v *snapshot.View, reader *snapshot.Reader, q answer.Query, k, n int) (Result, error) {
	r := Result{Query: Parse(q)}
	synonyms, err := v.Synonyms()
	if err != nil {
		return r, err
	}
	if len(synonyms) > 0 {
		r.Query = r.Query.Widen(func(phrase string) []string { return synonyms[phrase] })
	}
	if IsPhrase(q, r.Query) {
		err = r.phrased(ctx, v, reader, q, n)
	} else {
		pool := n
		if isRead(r.Query) {
			pool = max(n, readPool)
		}
		if err = r.best(ctx, v, q, max(k, pool), pool); err == nil && isRead(r.Query) {
			err = r.readBest(reader, q.Text)
		}
		r.Ranked = r.Ranked[:min(len(r.Ranked), n)]
		if err == nil && r.mayBeLine() {
			err = r.lineFirst(v, reader, q, n)
		}
	}
	if err == nil {
		err = r.dropDuplicates(v)
	}
	return r, err
}

// Parse reads the question of a query. Exact makes it one phrase, unless it has phrases.
func Parse(q answer.Query) index.Query {
	iq := index.Parse(q.Text)
	if q.Exact && len(iq.Phrases) == 0 {
		iq = index.Parse(`"` + q.Text + `"`)
	}
	if q.Exact {
		iq = iq.Exact()
	}
	return iq
}

// IsPhrase reports whether an answer must hold the question's phrases: where the
// question is nothing else, or is meant exactly. Within a question, quotes mostly mark a
// name, and the answer may spell it differently.
func IsPhrase(q answer.Query, iq index.Query) bool {
	return len(iq.Phrases) > 0 && (q.Exact || iq.OnlyPhrases())
}

// dropDuplicates removes documents of the project that a named index has too.
func (r *Result) dropDuplicates(v *snapshot.View) error {
	var failed error
	r.Ranked = slices.DeleteFunc(r.Ranked, func(c Ranked) bool {
		duplicate, err := isDuplicate(v, c.Segment, c.File.Path)
		if err != nil {
			failed = err
		}
		return duplicate
	})
	return failed
}

// notClose is the similarity to a question below which even the nearest chunk is most
// likely about something else. Of 240 questions of the sets vue and rust none had an
// answer below it, and of two dozen about cakes and football two thirds had; in a
// small corpus, questions in words of their own may too. So what is nearest is shown,
// and said not to be close. It holds for tables; endpoints have scales of their own.
const notClose = 0.25

// best ranks as the mode of the query says. Without embeddings it falls back to lexical
// search, and the note says so if the query asked for another mode.
func (r *Result) best(ctx context.Context, v *snapshot.View, q answer.Query, k, n int) error {
	iq := r.Query
	var err error
	if q.Mode == answer.Lexical || q.Text == "" {
		r.Ranked, r.Index, err = Lexical(v, q, iq, k, n)
		return err
	}
	missing, err := withoutVectors(v)
	if err != nil {
		return err
	}
	if missing != "" {
		if q.Mode != "" || missing == notEmbeddedYet || missing == tooNew {
			r.Note = "searched by words only: " + missing
		}
		r.Ranked, r.Index, err = Lexical(v, q, iq, k, n)
		return err
	}
	if r.Index, err = v.Searcher.Top(iq, max(k, NearPool), queryOptions(v, q, iq)); err != nil {
		return err
	}
	r.Ranked, err = fuse(ctx, v, q, iq, &r.Index, n)
	if embedding.IsUnavailable(err) && ctx.Err() == nil {
		r.Note = "searched by words only: " + err.Error()
		r.Ranked, err = weighAll(v, iq, q.Text, r.Index, n)
		return err
	}
	r.Vectors = err == nil && !isRemote(v) // the scales of others differ
	if r.Vectors && q.Mode == answer.Semantic && len(r.Ranked) > 0 {
		r.noteFar()
	}
	return err
}

// noteFar says when even the nearest chunk is far from the question.
func (r *Result) noteFar() {
	most := 0.
	for i := range r.Ranked {
		most = max(most, r.Ranked[i].Fused.Similarity)
	}
	if most < notClose {
		r.Note = fmt.Sprintf("nothing is close in meaning (similarity %.2f of 1): these come nearest", most)
	}
}

// notEmbeddedYet is why an index that had vectors of an endpoint has none.
const notEmbeddedYet = "the vectors of the endpoint are missing: docent index asks for them, docent index --embed builtin does without it"

// tooNew is why an index that was just built has no vectors.
const tooNew = "the index is new; later questions are answered by meaning too"

// withoutVectors says why a view cannot be searched by embeddings: it has none, or it
// is joined of indexes whose similarities cannot be compared. They can be where all
// come from tables, or from one endpoint. "" means that it can.
func withoutVectors(v *snapshot.View) (string, error) {
	homes := v.Homes()
	first := ""
	for i, home := range homes {
		m, err := home.Vectors()
		if err != nil {
			return "", err
		}
		kind := ""
		switch {
		case m == nil && home.Meta.Model.Kind == embedding.Remote:
			return notEmbeddedYet, nil
		case m == nil && len(homes) == 1 && home.Meta.Model.Deferred:
			return tooNew, nil
		case m == nil && len(homes) == 1:
			return "the index has no vectors (docent index --embed builtin)", nil
		case m == nil:
		case m.Model.Kind == embedding.Remote:
			kind = m.Model.Fingerprint
		default:
			kind = "table"
		}
		if kind == "" || i > 0 && kind != first {
			return "not all of these indexes have vectors of one kind", nil
		}
		first = kind
	}
	return "", nil
}

// isRemote reports whether the vectors come from an endpoint.
func isRemote(v *snapshot.View) bool {
	m, err := v.Vectors()
	return err == nil && m != nil && m.Model.Kind == embedding.Remote
}

// isAdapted reports whether the table was adapted to the documents, or trained.
func isAdapted(v *snapshot.View) bool {
	m, err := v.Vectors()
	return err == nil && m != nil && m.Model.Adapted
}

// PlainQuestion is a question as it is embedded: without operators, and with misspelt
// words corrected.
func PlainQuestion(text string, corrections []index.Correction) string {
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

// IsStrict reports whether a question says what an answer must or must not have: then
// embeddings order the lexical matches and add none.
func IsStrict(iq index.Query) bool {
	return len(iq.Not) > 0 || slices.ContainsFunc(iq.Words, func(w index.Word) bool { return w.Must || w.Title })
}
