package store

import (
	"context"
	"strings"
	"unicode/utf8"
)

// databaseWords are the words of a store during one question, as the index asks for
// them.
type databaseWords struct {
	ctx context.Context
	d   *Database
	st  *state
}

func (w *databaseWords) Size() (int, [3]uint64) { return w.st.stats.Chunks, w.st.stats.Lengths }

func (w *databaseWords) Words(words []string) ([]int, error) {
	return w.st.counts(w.st.words, words, func(more []string) ([]int, error) { return w.d.Words(w.ctx, more) })
}

func (w *databaseWords) Terms(terms []string) ([]int, error) {
	return w.st.counts(w.st.terms, terms, func(more []string) ([]int, error) { return w.d.Terms(w.ctx, more) })
}

// Vocabulary asks for the terms of a letter once.
func (w *databaseWords) Vocabulary(prefix string) ([]string, error) {
	_, n := utf8.DecodeRuneInString(prefix)
	letter := prefix[:n]
	w.st.mu.Lock()
	all, ok := w.st.vocabulary[letter]
	w.st.mu.Unlock()
	if !ok {
		var err error
		if all, err = w.d.Vocabulary(w.ctx, letter); err != nil {
			return nil, err
		}
		w.st.mu.Lock()
		if w.st.vocabulary == nil || len(w.st.vocabulary) >= maxLetters {
			w.st.vocabulary = map[string][]string{}
		}
		w.st.vocabulary[letter] = all
		w.st.mu.Unlock()
	}
	var out []string
	for _, t := range all {
		if strings.HasPrefix(t, prefix) {
			out = append(out, t)
		}
	}
	return out, nil
}

// maxLetters bounds for how many letters the terms are remembered.
const maxLetters = 64

// maxRemembered bounds how many counts of words are remembered.
const maxRemembered = 100_000

// counts asks for what is not remembered.
func (st *state) counts(known map[string]int, keys []string, ask func([]string) ([]int, error)) ([]int, error) {
	st.mu.Lock()
	out := make([]int, len(keys))
	var more []string
	var at []int
	for i, k := range keys {
		n, ok := known[k]
		if !ok {
			more, at = append(more, k), append(at, i)
		}
		out[i] = n
	}
	st.mu.Unlock()
	if len(more) == 0 {
		return out, nil
	}
	got, err := ask(more)
	if err != nil {
		return nil, err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	for i, n := range got {
		out[at[i]] = n
		if len(known) < maxRemembered {
			known[more[i]] = n
		}
	}
	return out, nil
}
