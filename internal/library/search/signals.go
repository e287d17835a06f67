package search

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/portable"
)

// A signal is something that tells a good match from a bad one.
type signal int

const (
	covered  signal = iota // share of the question's weight that the hit has, as typed, by its stem, or but for a slip
	adjacent               // share of the question's pairs of words that it has side by side
	likeness               // similarity of the embeddings
	lacking                // of what the question names and the hit lacks, how rare at large the rarest is
	home                   // how much more common the question's words are here than elsewhere
	named                  // how many words name something, as a logarithm
	prose                  // 1 for a question in a sentence
	signals
)

// A regression turns signals into log odds.
type regression struct {
	bias    float64
	weights [signals]float64
}

func (r *regression) odds(s *[signals]float64) float64 {
	odds := r.bias
	for i, x := range s {
		odds += float64(r.weights[i] * x)
	}
	return odds
}

// withoutVectors is the likeness that is assumed where there are no embeddings: that of
// a typical first hit.
const withoutVectors = 0.5

// A judge knows what the signals of all hits of a question need.
type judge struct {
	words   []index.WordInfo // of the question
	vectors bool             // there are embeddings
	texts   int              // in the corpus
	near    *index.Proximity
	names   map[string]bool  // see namesIn
	total   float64          // weight of the question
	of      [signals]float64 // those that all hits have in common
	best    float64          // the most of the question that any hit so far has
	guessed bool             // see isGuessed

	strangers int // words that name something, and that no document has
}

// newJudge returns the judge of what was found for a question among some texts. Titles are
// those of the question's words.
func newJudge(found *retrieve.Result, question string, titles *index.Titles, texts int) *judge {
	words := found.Index.Words
	j := &judge{
		words: words, vectors: found.Vectors, texts: texts, near: index.NewProximity(titles, question),
		names: namesIn(question), guessed: isGuessed(words),
	}
	count := 0.
	for _, w := range words {
		if w.Extra {
			continue
		}
		j.total += w.Full
		if !w.Stop && !w.Light {
			count++
			if w.DocFreq == 0 {
				j.strangers++
			}
		}
	}
	j.of[home], j.of[named] = homeOf(words, texts), portable.Log(1+count)
	if found.Query.Prose {
		j.of[prose] = 1
	}
	return j
}

// longestGuess is how many bytes a word has that is like another by chance: of longer ones,
// what differs in a letter is the same word mistyped.
const longestGuess = 6

// isGuessed reports whether all words of a question that name something were found as
// others only, and are short. One such word is a slip; of several, none was meant: "bake
// bread with yeast" is no question about bases that are read at least once.
func isGuessed(words []index.WordInfo) bool {
	corrected := 0
	for _, w := range words {
		switch {
		case w.Extra || w.Stop || w.Light || w.DocFreq == 0:
		case strings.HasPrefix(w.Text, w.Searched[0]), len(w.Text) > longestGuess: // as it was typed, taken apart, or a slip
			return false
		default:
			corrected++
		}
	}
	return corrected > 1
}

// signals measures a hit. Has is the share of the question's weight that it has in any form.
func (j *judge) signals(h *hit) (s [signals]float64, has float64) {
	s = j.of
	near := j.near.Read(strings.Join(h.Headings, " "), h.Body)
	h.seen = slices.Clone(near.Seen)
	for i := range j.words {
		w := &j.words[i]
		if w.Extra || j.total == 0 {
			continue
		}
		isIn := w.DocFreq > 0 && near.Words>>i&1 != 0
		if isIn {
			has += w.Full / j.total
		}
		if isIn && isHere(w) {
			s[covered] += w.Full / j.total
		} else if j.names[w.Text] {
			s[lacking] = max(s[lacking], atLarge(w.Text))
		}
	}
	j.best = max(j.best, has)
	s[adjacent] = near.Adjacent
	if s[likeness] = h.from.Similarity; !j.vectors {
		s[likeness] = withoutVectors
	}
	return s, has
}
