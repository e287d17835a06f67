package search

import (
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/portable"
)

// Where a question is from.
//
// That a text has some words of a question says little: of any question some are
// somewhere. What tells where it is from is how common its words are here against how
// common they are in documentation at large. "Pod" is rare everywhere but in the
// documents of Kubernetes, where it stands in every third text; "something" is as common
// here as elsewhere, and says nothing; and a word that others often use and these
// documents never is a stranger. Alone, this tells foreign questions from a corpus's own
// better than any other signal.
//
// How common a word is at large, the base table knows: its words lie in the order of how
// many texts of the training text have them, those of some hundred products.

// The share of texts that have the word at a place in the table, most frequent first, is
// about commonness*(place+flat)^-slope: fitted to the words of 1,300 questions, each
// asked of documents that do not answer it.
const (
	logCommonness = 2.0
	flat          = 20
	slope         = 0.93
)

// atLarge is how rare a word is in documentation at large: the logarithm of one in so many
// texts.
func atLarge(word string) float64 {
	return max(0, float64(slope*portable.Log(float64(embed.Base().Place(word)+flat)))-logCommonness)
}

// absent is in how many texts a word is taken to be that was not seen in any.
const absent = 0.5

// beforehand is how many texts stand for what is known of a word before any was read: in a
// small corpus any word is in one text of a few dozen, whether it is at home there or not.
const beforehand = 100

// homeOf says how much the words of a question are at home in a corpus of some texts: the
// share of their rarity at large that they do not have here. Below 0 they are rarer here.
// Words that people ask with are at home everywhere, and do not count.
func homeOf(words []index.WordInfo, texts int) float64 {
	here, large := 0., 0.
	for i := range words {
		w := &words[i]
		if w.Extra || w.Stop || w.Light {
			continue
		}
		rare := atLarge(w.Text)
		large += rare
		if isHere(w) {
			expected := float64(beforehand * portable.Exp(-rare))
			here += portable.Log(float64(texts+beforehand) / (float64(w.DocFreq) + expected))
		} else { // never at home, however few texts there are
			here += max(rare, portable.Log(float64(max(texts, 1))/absent))
		}
	}
	if large == 0 {
		return 0
	}
	return 1 - here/large
}

// isHere reports whether the documents have a word of a question. A word that was found as
// another is here if it was a slip: if documentation at large does not have it either.
// "Rotaet" means "rotate", but "bread" does not mean "read".
func isHere(w *index.WordInfo) bool {
	return w.DocFreq > 0 && (w.Searched[0] == w.Text || !embed.Base().Has(w.Text))
}
