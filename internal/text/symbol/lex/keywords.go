package lex

import (
	"slices"
	"strings"
)

// Keywords are the reserved words of a language. Most words are none, and most
// of those are told by their first letter and length alone.
type Keywords struct {
	lengths [128]uint32 // by first letter: a bit for every length
	words   [128][]string
}

// Has reports whether name is reserved.
func (k *Keywords) Has(name string) bool {
	c := name[0]
	return c < 128 && len(name) < 32 && k.lengths[c]&(1<<len(name)) != 0 && slices.Contains(k.words[c], name)
}

// Reserve makes keywords of a list in words.
func Reserve(list string) Keywords {
	var k Keywords
	for _, name := range strings.Fields(list) {
		c := name[0]
		k.words[c] = append(k.words[c], name)
		k.lengths[c] |= 1 << len(name)
	}
	return k
}
