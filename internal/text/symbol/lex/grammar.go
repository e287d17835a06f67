package lex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// A Class says what a byte may begin.
type Class uint8

const (
	Blank Class = iota
	Newline
	Letter // of ASCII, or "_"
	Digit
	Punct
	Wide // first byte of a rune beyond ASCII, or no UTF-8 at all
)

var classes = func() (class [256]Class) {
	for c := range 256 {
		switch {
		case IsLetter(byte(c)), c == '_':
			class[c] = Letter
		case IsDigit(byte(c)):
			class[c] = Digit
		case c == '\n':
			class[c] = Newline
		case c <= ' ', c == 0x7f:
			class[c] = Blank
		case c >= utf8.RuneSelf:
			class[c] = Wide
		default:
			class[c] = Punct
		}
	}
	return class
}()

// wordBytes are the letters and digits of ASCII, and "_".
var wordBytes = func() (is [256]bool) {
	for c, class := range classes {
		is[c] = class == Letter || class == Digit
	}
	return is
}()

// ClassOf returns the class of c.
func ClassOf(c byte) Class { return classes[c] }

// IsLetter reports whether c is a letter of ASCII.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is a digit of ASCII.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsWord reports whether c is a letter or digit of ASCII, or "_".
func IsWord(c byte) bool { return wordBytes[c] }

// WordEnd returns where the identifier that begins at i ends. With dollar, "$"
// is a letter.
func WordEnd(src string, i int, dollar bool) int {
	for {
		for i < len(src) && wordBytes[src[i]] {
			i++
		}
		if i == len(src) {
			return i
		}
		c := src[i]
		switch classes[c] {
		case Wide:
			r, size := utf8.DecodeRuneInString(src[i:])
			if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.In(r, unicode.M, unicode.N)) {
				i += size
				continue
			}
		case Punct:
			if c == '$' && dollar {
				i++
				continue
			}
		}
		return i
	}
}

// LineLen returns the length of the first line of s, without its newline.
func LineLen(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// TrimBlanks takes spaces and tabs off the beginning of s.
func TrimBlanks(s string) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return s[i:]
}
