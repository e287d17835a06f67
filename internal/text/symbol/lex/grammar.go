package lex

import (
	"slices"
	"strings"
)

// A Grammar says how a language is written: the lexer knows none by name. What
// begins with punctuation and is more than a mark (comments, strings, regular
// expressions) is read by the Reader that the grammar has for the first byte;
// the readers to choose from are in this package, a file for each kind. A byte
// without a reader is a mark.
type Grammar struct {
	Habits   Habits
	Readers  Readers
	Prefixed func(l *Lexer, start int) bool // reads the literal that the word from start to here is the prefix of, as in r""
	Begin    func(l *Lexer)                 // passes over what comes before the code
	SkipLine func(l *Lexer) bool            // passes over the line that begins here, if it is not code
	Sessions []Session                      // that blocks may be the record of
	Keywords Keywords
	Boundary Boundary // may be nil
}

// A Reader reads what begins here, and reports whether there was something to
// read: if not, the byte is a mark.
type Reader func(l *Lexer) bool

// Readers are readers by the first byte of what they read. nil reads nothing.
type Readers [128]Reader

// Habits are what languages differ in within words, numbers and strings.
type Habits uint16

const (
	DollarWords   Habits = 1 << iota // $ belongs to identifiers
	QuerySuffix                      // ? and ! may end an identifier
	DigitQuotes                      // 1'000'000 is a number
	TripleQuotes                     // """ strings """
	RawTriples                       // in which a backslash is a backslash
	LongStrings                      // "strings" may span lines
	DoubledQuotes                    // 'it''s', over lines too
	DollarBraces                     // "${code}" in strings
	HashBraces                       // "#{code}" in strings
	SlashParens                      // "\(code)" in strings
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

// A Kind says what a token is.
type Kind uint8

const (
	Word   Kind = iota // an identifier or keyword; quoted ones without quotes
	Number             // a numeric literal
	Text               // a string, or the part of it before what is interpolated
	Mark               // one byte of punctuation
	Macro              // the name after #define
	Branch             // #if, #else and #endif by mark: '?', ':' and ';'
)

// A Token is a piece of the code. Brackets know where their group ends.
type Token struct {
	Kind   Kind
	Mark   byte
	First  bool   // first on its line
	Quiet  bool   // part of a JSX tag: used, but never a declaration
	Indent uint16 // width of the blanks before it, if first
	Start  int32
	End    int32
	next   int32 // of an opening bracket: the token after the group
}

// CloserOf returns the bracket that closes the opening one, or 0.
func CloserOf(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return 0
}
