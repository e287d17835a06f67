package index

import (
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// How terms become words.
//
// Ranking does not look for a term as it is written but for its word: the term
// without accents, ligatures and joiners, and, when that leaves nothing but the
// letters a to z, cut down to its English (Porter2) stem. "Controllers",
// "controller" and "controlling" are one word; so are "kube-proxy",
// "kube_proxy" and "kubeProxy". A joiner between two digits stays, as a dot:
// 1.25 is not 125.

// maxWordBytes is the length up to which terms are changed. What is longer is a
// hash or encoded data, and its word is the term itself.
const maxWordBytes = 64

// A stemmer turns terms into words. It keeps buffers and serves one goroutine.
type stemmer struct {
	env snowballstem.Env
	buf []byte
}

// word returns the word of a lower-cased term. The result is valid until the
// next call and may share memory with term.
func (s *stemmer) word(term []byte) []byte {
	if len(term) > maxWordBytes {
		return term
	}
	s.buf = s.buf[:0]
	letters := true
	digit := false // the rune before was a digit
	joined := false
	for i := 0; i < len(term); {
		r, n := rune(term[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(term[i:])
		}
		i += n
		if r == '-' || r == '_' || r == '.' || r == ':' {
			joined = true
			continue
		}
		isDigit := '0' <= r && r <= '9'
		if joined && digit && isDigit {
			s.buf = append(s.buf, '.')
		}
		joined, digit = false, isDigit
		from := len(s.buf)
		s.buf = unaccent(s.buf, r)
		for _, c := range s.buf[from:] {
			letters = letters && 'a' <= c && c <= 'z'
		}
	}
	switch {
	case len(s.buf) == 0:
		return term
	case letters && len(s.buf) > 2:
		s.env.SetCurrent(string(s.buf))
		english.Stem(&s.env)
		s.buf = append(s.buf[:0], s.env.Current()...)
	}
	return s.buf
}
