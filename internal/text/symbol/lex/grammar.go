package lex

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
