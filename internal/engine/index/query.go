package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Query is what to look for. Parse makes it from text; every text is a query.
type Query struct {
	Words   []Word   // what is looked for, in order and without repeats
	Not     []Word   // a text with one of them does not match
	Phrases []string // what stood between quotes, for the caller to check; their words are in Words
	Paths   []string // globs, for the caller to apply
	Also    []Also   // other words for some of Words, from a glossary: see Widen
	Prose   bool     // a question in a sentence, not a name, a title or keywords

	Excluded []string // what Not was made of, as it was typed: "-word"

	// Unfinished says that the last word may go on: whoever types it has not
	// typed a space yet. Unless it is known it then stands for words that begin
	// with it.
	Unfinished bool
}

// A Word is one word of a Query.
type Word struct {
	Text  string // lower case
	Count int    // how often the query has it
	Stop  bool   // a question word or the like, which weighs little
	Light bool   // a word that people ask with and answers seldom have: see asking.go
	Extra bool   // a part of an identifier, or several words joined: found with the others, not missed without
	Must  bool   // a text without it does not match
	Title bool   // only titles are looked at

	kind    kind
	quoted  bool
	defined bool // a glossary has it: it is no misspelling
}

const (
	maxQueryBytes = 4096
	maxQueryWords = 64 // the bits of Match.Words
	minQuestion   = 3  // words
	minProse      = 6  // words of a question in a sentence, and how many of them
	minProseStops = 2  // hold a sentence together
)

// stopWords are words that questions are made of. They weigh little unless there
// are no others. Texts are indexed with them: "not", "if" and "for" matter there.
var stopWords = wordSet(`a about an and any are as at be been being by can could did do does
		doing for from had has have how i if in into is it its me my of on or our
		s should so some t than that the their them then there these they this
		those to up us was we were what when where which who whom whose why will
		with would you your`)

// Parse reads a query. Its operators are there for those who know them, and
// never an error:
//
//	"two words"   next to each other, which is for the caller to check; where
//	              there is nothing but phrases, all their words must be there
//	-word         must not be there
//	title:word    must be in the title
//	path:docs/**  the text must come from such a path
//
// A dash negates only before a word of three letters or more, and only if there
// is something else to look for: "--feature-gates", "ls -l" and "-foo" are all
// just words. What is not an operator is words.
func Parse(text string) Query {
	if len(text) > maxQueryBytes {
		text = text[:maxQueryBytes]
		for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
	}
	p := parser{seen: map[string]int{}}
	var negated []string
	for rest := text; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			break
		}
		var item string
		switch {
		case strings.HasPrefix(rest, `"`) && strings.Contains(rest[1:], `"`):
			item, rest, _ = strings.Cut(rest[1:], `"`)
			p.phrase(item)
		case strings.HasPrefix(rest, "title:") && hasWord(operand(rest[6:])):
			item, rest = cutOperand(rest[6:])
			p.words(item, Word{Must: true, Title: true})
		case strings.HasPrefix(rest, "path:") && operand(rest[5:]) != "":
			item, rest = cutOperand(rest[5:])
			p.q.Paths = append(p.q.Paths, item)
		default:
			item, rest = cutSpace(rest)
			if isNegation(item) {
				negated = append(negated, item)
			} else {
				p.words(item, Word{})
			}
		}
	}
	if len(p.q.Words) > 0 {
		p.negate(negated)
		p.q.Excluded = negated
	} else {
		for _, item := range negated {
			p.words(item, Word{})
		}
	}
	p.requirePhrases()
	p.weighStops(strings.HasSuffix(strings.TrimSpace(text), "?"))
	last, _ := utf8.DecodeLastRuneInString(text)
	p.q.Unfinished = classOf(last) != notWord
	return p.q
}

// cutSpace splits s at its first space. A quote inside ends the item too, so
// that `foo"bar baz"` has a phrase.
func cutSpace(s string) (item, rest string) {
	end := untilSpace(s)
	if i := strings.IndexByte(s[:end], '"'); i > 0 {
		end = i
	} else if i == 0 {
		return "", s[1:]
	}
	return s[:end], s[end:]
}

// cutOperand splits off what an operator applies to: up to the next space, or
// what is quoted.
func cutOperand(s string) (item, rest string) {
	if strings.HasPrefix(s, `"`) {
		if item, rest, ok := strings.Cut(s[1:], `"`); ok {
			return item, rest
		}
		return cutSpace(s[1:])
	}
	end := untilSpace(s)
	return s[:end], s[end:]
}

// untilSpace returns how much of s comes before its first space.
func untilSpace(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }))
}

func operand(s string) string {
	item, _ := cutOperand(s)
	return item
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return classOf(r) != notWord })
}

// isNegation reports whether item is "-" and a word of at least three letters.
func isNegation(item string) bool {
	if !strings.HasPrefix(item, "-") {
		return false
	}
	letters := 0
	for _, r := range item[1:] {
		if !unicode.IsLetter(r) {
			break
		}
		letters++
	}
	return letters >= 3
}

type parser struct {
	q    Query
	tok  tokenizer
	seen map[string]int // index in q.Words
}

func (p *parser) phrase(text string) {
	if !hasWord(text) {
		return
	}
	p.q.Phrases = append(p.q.Phrases, text)
	p.words(text, Word{quoted: true})
}

// words adds the words of text, each with the marks of like.
func (p *parser) words(text string, like Word) {
	p.tok.each(text, func(k kind, b []byte) {
		w := like
		w.Text, w.Count, w.kind = string(b), 1, k
		w.Extra = k == partToken || k == joinedToken
		w.Must = like.Must && !w.Extra
		id := w.Text
		if w.Title {
			id = "title:" + id
		}
		if k == joinedToken {
			id = "joined:" + id
		}
		i, ok := p.seen[id]
		if !ok {
			if len(p.q.Words) < maxQueryWords {
				p.seen[id] = len(p.q.Words)
				p.q.Words = append(p.q.Words, w)
			}
			return
		}
		old := &p.q.Words[i]
		if old.Extra == w.Extra {
			old.Count++
		}
		old.quoted = old.quoted && w.quoted
		if old.Extra && !w.Extra {
			old.Extra, old.kind, old.Count = false, w.kind, 1
		}
	})
}

// negate adds to q.Not. Of a joined name only the whole is meant.
func (p *parser) negate(items []string) {
	for _, item := range items {
		var runs, joined []Word
		p.tok.each(item, func(k kind, b []byte) {
			switch k {
			case joinedToken:
				joined = append(joined, Word{Text: string(b), kind: k})
			case wordToken, pairToken:
				runs = append(runs, Word{Text: string(b), kind: k})
			}
		})
		if len(joined) > 0 {
			runs = joined
		}
		if len(p.q.Not)+len(runs) <= maxQueryWords {
			p.q.Not = append(p.q.Not, runs...)
		}
	}
}

// requirePhrases makes the words of phrases necessary if there are no others. In
// a question, quotes mostly mark a name, and the answer may spell it differently.
func (p *parser) requirePhrases() {
	if p.q.OnlyPhrases() {
		p.q = p.q.Exact()
	}
}

// OnlyPhrases reports whether all words of q are quoted.
func (q *Query) OnlyPhrases() bool {
	return len(q.Words) > 0 && !slices.ContainsFunc(q.Words, func(w Word) bool { return !w.quoted })
}

// Exact returns q with the words of its phrases necessary, whatever else it has.
func (q Query) Exact() Query {
	q.Words = slices.Clone(q.Words)
	for i := range q.Words {
		w := &q.Words[i]
		w.Must = w.Must || w.quoted && !w.Extra
	}
	return q
}

// isQuestionWord reports whether a word makes a question of a sentence. A title or a
// definition has stop words too, but not these.
func isQuestionWord(w Word) bool { return w.Stop && questionWords[w.Text] }

var questionWords = wordSet(`can could did do does how i me my our should us we what when
	where which who whom whose why would you your`)

// weighStops marks stop words, if there are others and it takes a question to
// explain them: in "if let" or "for loops" they are what is asked for.
func (p *parser) weighStops(asks bool) {
	others, words, stops := false, 0, 0
	for _, w := range p.q.Words {
		if !w.Extra {
			words++
			others = others || !stopWords[w.Text]
		}
	}
	for i := range p.q.Words {
		w := &p.q.Words[i]
		if w.Stop = others && words >= minQuestion && stopWords[w.Text]; w.Stop {
			stops++
		}
	}
	p.q.Prose = words >= minProse && stops >= minProseStops && (asks || slices.ContainsFunc(p.q.Words, isQuestionWord))
	p.weighAsking(words)
}
