package search

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/index"
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

// withoutVectors is the likeness that is assumed where there are no embeddings: that of
// a typical first hit.
const withoutVectors = 0.5

// A judge knows what the signals of all hits of a question need.
type judge struct {
	r       *run
	near    *index.Proximity
	names   map[string]bool  // see namesIn
	total   float64          // weight of the question
	of      [signals]float64 // those that all hits have in common
	best    float64          // the most of the question that any hit so far has
	guessed bool             // see isGuessed

	strangers int // words that name something, and that no document has
}

func newJudge(r *run) *judge {
	words := r.found.Index.Words
	j := &judge{r: r, names: namesIn(r.q.Text), guessed: isGuessed(words)}
	r.words = index.NewTitles(index.WithAlso(words))
	j.near = index.NewProximity(r.words, r.q.Text)
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
	j.of[home], j.of[named] = homeOf(words, r.v.Searcher.Len()), portable.Log(1+count)
	if r.found.Query.Prose {
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
	for i := range j.r.found.Index.Words {
		w := &j.r.found.Index.Words[i]
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
	if s[likeness] = h.from.Similarity; !j.r.found.Vectors {
		s[likeness] = withoutVectors
	}
	return s, has
}
