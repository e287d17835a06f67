package snapshot

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/index"
)

// Synonyms are other names for words and phrases, by these in lower case with one space
// between words. A name and its others stand for each other.
type Synonyms map[string][]string

// Synonyms returns the other names that configs and glossaries give; nil where there are
// none.
func (v *View) Synonyms() (Synonyms, error) { return v.synonyms() }

// maxSynonyms limits the names of all glossaries together.
const maxSynonyms = 50_000

// readSynonyms gathers them from the configs of all indexes that v is joined of, and from
// the glossaries of its documents.
func readSynonyms(v *View) (Synonyms, error) {
	var out Synonyms
	for _, home := range v.homes {
		for _, group := range home.Corpus.Config.Synonyms {
			for _, a := range group {
				for _, b := range group {
					out = out.add(a, b)
				}
			}
		}
	}
	for i, s := range v.Segments {
		r, err := s.Glossary()
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		for row := range s.Table.Files() {
			if s.Dead[row] || !v.Has(i, row) {
				continue
			}
			pairs, err := r.Of(row)
			if err != nil {
				return nil, err
			}
			for _, p := range pairs {
				out = out.add(p.Name, p.Value).add(p.Value, p.Name)
			}
		}
	}
	return out, nil
}

// add notes another name for one.
func (s Synonyms) add(name, other string) Synonyms {
	key := strings.Join(index.PlainWords(name), " ")
	if key == "" || key == strings.Join(index.PlainWords(other), " ") || len(s) > maxSynonyms || slices.Contains(s[key], other) {
		return s
	}
	if s == nil {
		s = Synonyms{}
	}
	s[key] = append(s[key], other)
	return s
}
