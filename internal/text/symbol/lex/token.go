package lex

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
