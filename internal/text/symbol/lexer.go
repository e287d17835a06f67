package symbol

import (
	"unicode"
	"unicode/utf8"
)

// The lexer cuts code into words, numbers, strings and marks, and drops blanks
// and comments. One serves all languages: a syntax says which of the habits
// below a language has. It never goes back, so it is linear; what spans lines
// and is never closed (a comment, a raw string, a template) ends at its line.

// kind says what a token is.
type kind uint8

const (
	word   kind = iota // an identifier or keyword; quoted ones without quotes
	number             // a numeric literal
	text               // a string, or the part of it before what is interpolated
	mark               // one byte of punctuation
	macro              // the name after #define
	branch             // #if, #else and #endif by mark: '?', ':' and ';'
)

// token is a piece of the code. Brackets know where their group ends.
type token struct {
	kind   kind
	mark   byte
	first  bool   // first on its line
	quiet  bool   // part of a JSX tag: used, but never a declaration
	indent uint16 // width of the blanks before it, if first
	start  int32
	end    int32
	next   int32 // of an opening bracket: the token after the group
}

// habits are what languages differ in.
type habits uint32

const (
	slashComments  habits = 1 << iota // "//" and "/* */"
	nestedComments                    // "/* /* */ */"
	hashComments                      // "#" to the end of the line
	dashComments                      // "--" to the end of the line
	charLiterals                      // '{' is a character, 'a a lifetime
	tripleQuotes                      // """ strings """
	templates                         // `strings ${with} code`
	rawBackticks                      // `strings`
	wordBackticks                     // `identifiers`
	dollarWords                       // $ belongs to identifiers
	dollarBraces                      // "${code}" in strings
	hashBraces                        // "#{code}" in strings
	slashParens                       // "\(code)" in strings
	regexes                           // /regular expressions/
	elements                          // <jsx>
	directives                        // #if and #define lines
	hereDocs                          // <<EOF, <<<EOF
	sessions                          // lines behind ">>>", "irb>" and the like
	hiddenLines                       // rustdoc's "# "
	querySuffix                       // ? and ! may end an identifier
	sqlQuotes                         // 'it''s', "name", `name`, $$body$$
	phpTags                           // <?php code ?>
	prefixes                          // letters before a string: r"", b'', R"x()x", @"", $""
)

// A syntax is what there is to know of a language.
type syntax struct {
	lang     string
	habits   habits
	keywords keywords
	declare  func(s *scanner, i int) int // records what the statement at token i declares and returns the next one's token
	boundary func(s *scanner, i int) bool
}

const (
	blank = iota
	newline
	letter
	digit
	punct
	wide // first byte of a rune beyond ASCII, or no UTF-8 at all
)

var classes = func() (class [256]uint8) {
	for c := range 256 {
		switch {
		case isLetter(byte(c)), c == '_':
			class[c] = letter
		case isDigit(byte(c)):
			class[c] = digit
		case c == '\n':
			class[c] = newline
		case c <= ' ', c == 0x7f:
			class[c] = blank
		case c >= utf8.RuneSelf:
			class[c] = wide
		default:
			class[c] = punct
		}
	}
	return class
}()

// wordBytes are the letters and digits of ASCII.
var wordBytes = func() (is [256]bool) {
	for c, class := range classes {
		is[c] = class == letter || class == digit
	}
	return is
}()

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// lexer is the state of cutting one block.
type lexer struct {
	*scanner
	habits  habits
	pos     int
	first   bool           // the next token is the first of its line
	indent  uint16         // of the line
	singles int            // frames that a newline ends
	misses  int            // closers looked for and not found
	noRegex int            // up to here a slash divides
	closing map[string]int // where JSX elements of a name close last; nil until asked
	pending []string       // ends of the heredocs that begin on the next line
	session string         // prompt that code lines have; "" outside of sessions
}

// lex fills s.toks.
func (s *scanner) lex() {
	if cap(s.toks) == 0 {
		s.toks = make([]token, 0, len(s.src)/4+8)
	}
	l := lexer{scanner: s, habits: s.syn.habits}
	if l.has(sessions) {
		l.session = sessionPrompt(s.syn.lang, l.src)
	}
	if l.has(phpTags) {
		l.skipHTML(true)
	}
	l.startLine()
	for l.pos < len(l.src) {
		if n := len(l.frames); n > 0 && l.frames[n-1].kind != codeFrame {
			l.inFrame(&l.frames[n-1])
			continue
		}
		l.token()
	}
}

func (l *lexer) has(h habits) bool { return l.habits&h != 0 }

// at returns the byte n places from here, or 0 beyond the end.
func (l *lexer) at(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

// emit appends the token that ends here.
func (l *lexer) emit(k kind, m byte, start, end int) {
	l.toks = append(l.toks, token{
		kind: k, mark: m, first: l.first, indent: l.indent, start: int32(start), end: int32(end),
	})
	l.first = false
}

// token reads one token, or skips blanks and comments, in code.
func (l *lexer) token() {
	c := l.src[l.pos]
	switch classes[c] {
	case blank:
		for l.pos++; l.pos < len(l.src) && l.src[l.pos] == ' '; l.pos++ {
		}
	case newline:
		if l.singles > 0 {
			l.unwind()
		}
		l.pos++
		l.startLine()
	case letter, wide:
		l.word()
	case digit:
		l.number()
	default:
		if !l.special(c) {
			l.pos++
			l.emit(mark, c, l.pos-1, l.pos)
			if len(l.frames) > 0 {
				l.bracket(c)
			}
		}
	}
}

// word reads an identifier. A rune beyond ASCII that is no letter is a mark.
func (l *lexer) word() {
	start := l.pos
	l.pos = wordEnd(l.src, start, l.has(dollarWords))
	if l.pos == start {
		_, size := utf8.DecodeRuneInString(l.src[start:])
		l.pos += size
		l.emit(mark, 0xff, start, l.pos)
		return
	}
	if l.pos < len(l.src) {
		c := l.src[l.pos]
		if (c == '"' || c == '\'' || c == '#' || c == '`') && l.has(prefixes) && l.prefixed(start) {
			return
		}
		if (c == '?' || c == '!') && l.has(querySuffix) && l.at(1) != '=' && l.at(1) != ':' {
			l.pos++
		}
	}
	l.emit(word, 0, start, l.pos)
}

// wordEnd returns where the identifier that begins at i ends.
func wordEnd(src string, i int, dollar bool) int {
	for {
		for i < len(src) && wordBytes[src[i]] {
			i++
		}
		if i == len(src) {
			return i
		}
		c := src[i]
		switch classes[c] {
		case wide:
			r, size := utf8.DecodeRuneInString(src[i:])
			if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.In(r, unicode.M, unicode.N)) {
				i += size
				continue
			}
		case punct:
			if c == '$' && dollar {
				i++
				continue
			}
		}
		return i
	}
}

// number reads a numeric literal, suffixes and exponents included, but not the
// dots of a range or of a method call.
func (l *lexer) number() {
	start := l.pos
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if classes[c] == letter || classes[c] == digit || c == '.' && isDigit(l.at(1)) {
			l.pos++
			continue
		}
		if (c == '+' || c == '-') && l.src[l.pos-1]|0x20 == 'e' && isDigit(l.at(1)) {
			l.pos++
			continue
		}
		if c == '\'' && l.has(charLiterals) && isDigit(l.src[l.pos-1]) && isDigit(l.at(1)) {
			l.pos++ // 1'000'000
			continue
		}
		break
	}
	l.emit(number, 0, start, l.pos)
}

// text returns the spelling of token i; "" beyond the end.
func (s *scanner) text(i int) string {
	if uint(i) >= uint(len(s.toks)) {
		return ""
	}
	return s.src[s.toks[i].start:s.toks[i].end]
}
